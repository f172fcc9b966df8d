/**
 * jainIndex says how evenly something was given out: (Σx)² ÷ (n · Σx²), from 1/n, one has everything, to 1, all have as much (R. Jain,
 * D. Chiu, W. Hawe, A quantitative measure of fairness and discrimination, DEC-TR-301, 1984).
 *
 * @param {readonly number[]} values - what each got, ≥ 0
 * @returns {number | null} null: there is nobody; 1 where nobody got anything
 */
export function jainIndex(values) {
  if (values.length === 0) return null
  const sum = values.reduce((total, value) => total + value, 0)
  const squares = values.reduce((total, value) => total + value * value, 0)
  return squares === 0 ? 1 : sum ** 2 / (values.length * squares)
}
