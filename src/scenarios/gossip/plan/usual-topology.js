/**
 * usualTopology has a network of few nodes be of the usual topology all the same, with as many neighbours as there are: who chose none is
 * not told to choose another one.
 *
 * @param {Record<string, any>} values - of options, by flag
 * @param {ReadonlyMap<string, unknown>} given
 * @param {number} nodes
 * @returns {Record<string, any>} values
 */
export function usualTopology(values, given, nodes) {
  const { topology } = values
  if (given.has('topology') || !(nodes >= 2)) return values
  const fitted = Object.entries(topology).map(([name, value]) =>
    name === 'k' || name === 'm' ? [name, Math.min(value, nodes - 1)] : [name, value]
  )
  return { ...values, topology: Object.fromEntries(fitted) }
}
