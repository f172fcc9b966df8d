/**
 * clockFrom is a clock that goes on from a time by what has passed since then: the machine's own may be set meanwhile, and what has
 * ended would have ended before it began.
 *
 * @param {Date} time - it is now
 * @returns {() => Date}
 */
export function clockFrom(time) {
  const sinceMs = performance.now()
  return () => new Date(time.getTime() + performance.now() - sinceMs)
}
