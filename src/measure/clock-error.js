/** @typedef {import('../result/types.js').Summary} Summary */

/** unixNs is the wall-clock time to the µs, which Date does not have. */
export const unixNs = () => BigInt(Math.round((performance.timeOrigin + performance.now()) * 1000)) * 1000n

/**
 * clockErrorOf is by how much times may be off that are between two machines: as much as both of their clocks may be.
 *
 * @param {readonly { clock: { errorMs: number } | null }[]} machines
 * @returns {number} ms; 0: there is one machine, or none of its own
 */
export function clockErrorOf(machines) {
  if (machines.length < 2) return 0
  const errors = machines.map(({ clock }) => clock?.errorMs ?? Infinity).sort((a, b) => b - a)
  return errors[0] + errors[1]
}

/**
 * withheldBelow leaves out of a distribution of times what is less than they may be off by.
 *
 * @template {Summary} T
 * @param {T} summary
 * @param {number} errorMs
 * @returns {T}
 */
export const withheldBelow = (summary, errorMs) =>
  /** @type {T} */ (
    Object.fromEntries(
      Object.entries(summary).map(([name, value]) => [
        name,
        typeof value === 'object' && value !== null && value.ms < errorMs ? null : value
      ])
    )
  )
