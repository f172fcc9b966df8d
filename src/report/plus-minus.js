import { significant } from '../kit/numbers.js'

/**
 * plusMinus is what stands behind a time between two machines: by how much it may be off, because of their clocks.
 *
 * @param {import('../result/types.js').AnyResult['run']} run
 * @returns {string} such as ` ± 0.37`; empty: one machine measured all of it
 */
export function plusMinus({ warnings }) {
  const apart = warnings.find(({ code }) => code === 'CLOCKS_APART')
  return apart === undefined ? '' : ` ± ${significant(Number(apart.values.errorMs))}`
}
