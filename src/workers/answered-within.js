/** Timers of Node count no further. */
const LONGEST_MS = 2 ** 31 - 1

/**
 * answeredWithin waits for what a process was asked: one that is frozen answers nothing.
 *
 * @template T
 * @param {Promise<T>} answer
 * @param {number} ms
 * @param {() => Error} late - why it is waited for no longer
 * @returns {Promise<T>}
 */
export async function answeredWithin(answer, ms, late) {
  const { promise, reject } = Promise.withResolvers()
  const timer = setTimeout(() => reject(late()), Math.min(ms, LONGEST_MS))
  try {
    return await /** @type {Promise<T>} */ (Promise.race([promise, answer]))
  } finally {
    clearTimeout(timer)
  }
}
