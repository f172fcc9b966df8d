import { setTimeout as sleep, setImmediate as turn } from 'node:timers/promises'

/** Timers wait whole milliseconds, and some of them more: the rest of the time goes by turning the event loop. */
const TIMER_LATE_MS = 2

/**
 * waitFor lets a time pass, exact to a turn of the event loop.
 *
 * @param {number} ms
 * @param {() => number} now - ms
 */
export async function waitFor(ms, now) {
  const until = now() + ms
  if (ms > TIMER_LATE_MS) await sleep(ms - TIMER_LATE_MS)
  while (now() < until) await turn()
}
