/**
 * @typedef {import('../measure/rotate-rendezvous-measurement.js').RotateRendezvousTold} RotateRendezvousTold
 * @typedef {NonNullable<import('../../../workers/fleet.js').HeldProcess['clock']>} Clock
 */

/** What times are called in what is told. */
const TIME = /Ns$/

/**
 * toldHere is what a process of another machine tells, with the times of our clock. All of a second is turned by what is known of the two clocks
 * at its end: within it they part by less than a tenth of a millisecond.
 *
 * @param {RotateRendezvousTold} told
 * @param {Pick<Clock, 'here'>} [clock] - of its machine; none: it is ours
 * @returns {RotateRendezvousTold}
 */
export function toldHere(told, clock) {
  if (clock === undefined) return told
  const until = BigInt(Math.round(told.untilNs))
  const offsetNs = Number(clock.here(until) - until)
  /** @template {object} T @param {T} row @returns {T} */
  const turned = row =>
    /** @type {T} */ (
      Object.fromEntries(
        Object.entries(row).map(([name, value]) => [
          name,
          TIME.test(name) && typeof value === 'number' ? value + offsetNs : value
        ])
      )
    )
  return { ...turned(told), events: told.events.map(turned), changes: told.changes.map(turned) }
}
