import { tableOf } from '../../kit/html-table.js'
import { MISSING, significant } from '../../kit/numbers.js'

/**
 * @typedef {import('../../result/types.js').AnyResult} AnyResult
 * @typedef {import('../../result/types.js').ThresholdResult} ThresholdResult
 * @typedef {import('../../kit/html.js').Html} Html
 */

/** @param {ThresholdResult} threshold */
const measured = ({ actual, unit }) =>
  actual === null ? MISSING : `${significant(actual)}${unit === '' || unit === '/s' ? unit : ` ${unit}`}`

/**
 * thresholdsTable says which thresholds hold.
 *
 * @param {AnyResult} result
 * @returns {Html | null} null: none was set
 */
export function thresholdsTable({ outcome: { thresholds = [] } }) {
  if (thresholds.length === 0) return null
  const noted = thresholds.some(({ reason }) => reason !== undefined)
  const rows = thresholds.map(threshold => [
    threshold.text,
    measured(threshold),
    threshold.passed ? '✓ holds' : '✗ failed',
    ...(noted ? [threshold.reason ?? ''] : [])
  ])
  return tableOf(
    {
      headings: ['Threshold', 'Measured', 'Verdict', ...(noted ? ['Note'] : [])],
      align: ['l', 'r', 'l', 'l'],
      rows
    },
    { label: 'Thresholds' }
  )
}
