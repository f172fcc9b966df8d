const nothing = () => {}

/**
 * timeLimit makes a signal that is aborted in so many ms. One that only `AbortSignal.any` knows of may be collected before, and then never
 * is (Node 20, https://github.com/nodejs/node/issues/57736): what somebody listens to is kept.
 *
 * @param {number} ms
 */
export function timeLimit(ms) {
  const signal = AbortSignal.timeout(ms)
  signal.addEventListener('abort', nothing, { once: true })
  return signal
}

/** within makes a signal that is aborted with another, or in so many ms. @param {AbortSignal} signal @param {number} ms */
export const within = (signal, ms) => AbortSignal.any([signal, timeLimit(ms)])
