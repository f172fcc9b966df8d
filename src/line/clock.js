/**
 * @typedef {object} LineClock - what a line knows of time
 * @property {() => number} nowMs - from any origin, never back
 * @property {(run: () => void, ms: number) => any} setTimer - runs something once, no earlier than in so many ms
 * @property {(timer: any) => void} clearTimer
 */

/** systemClock is the time of this process. Its timers count whole milliseconds. @type {LineClock} */
export const systemClock = {
  nowMs: () => performance.now(),
  setTimer: (/** @type {() => void} */ run, /** @type {number} */ ms) => setTimeout(run, ms),
  clearTimer: (/** @type {NodeJS.Timeout} */ timer) => clearTimeout(timer)
}
