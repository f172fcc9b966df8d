/**
 * worstOf is the kind under which honest clients waited longest against what they waited without it.
 *
 * @param {readonly import('../abuse-types.js').CaseRow[]} cases
 * @returns {{ name: string, what: 'p50' | 'p99', ratio: number } | null} null: no ratio is known
 */
export function worstOf(cases) {
  const ratios = cases.flatMap(({ name, p50, p99 }) => {
    const what = p99 === null ? /** @type {const} */ ('p50') : /** @type {const} */ ('p99')
    const ratio = p99 ?? p50
    return ratio === null ? [] : [{ name, what, ratio: ratio.ratio }]
  })
  return ratios.length === 0 ? null : ratios.reduce((one, other) => (other.ratio > one.ratio ? other : one))
}
