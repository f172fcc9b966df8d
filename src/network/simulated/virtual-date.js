/** EPOCH_MS is what a virtual clock shows at 0: 2020-01-01T00:00:00Z in every run, whatever the day. */
export const EPOCH_MS = 1_577_836_800_000

/**
 * virtualDate makes a Date whose present is that of virtual time. Its objects are those of the real one.
 *
 * @param {DateConstructor} RealDate
 * @param {() => number} nowNs
 * @returns {DateConstructor}
 */
export function virtualDate(RealDate, nowNs) {
  const now = () => EPOCH_MS + Math.floor(nowNs() / 1e6)
  /** @this {unknown} @param {unknown[]} args */
  function VirtualDate(...args) {
    if (new.target === undefined) return new RealDate(now()).toString()
    return Reflect.construct(
      RealDate,
      args.length === 0 ? [now()] : args,
      new.target === VirtualDate ? RealDate : new.target
    )
  }
  return /** @type {DateConstructor} */ (
    /** @type {unknown} */ (
      Object.defineProperties(VirtualDate, {
        name: { value: 'Date' },
        length: { value: RealDate.length },
        prototype: { value: RealDate.prototype },
        now: { value: now, writable: true, configurable: true },
        parse: { value: RealDate.parse },
        UTC: { value: RealDate.UTC }
      })
    )
  )
}
