import { MISSING, significant } from '../../../kit/numbers.js'
import { NO_ANSWER } from '../../../report/page/answer.js'
import { figure } from '../../../report/table.js'
import { medianOf } from '../measure/handshake-times.js'
import { perfPlots } from './plots.js'

/** @typedef {import('../perf-types.js').PerfResult} PerfResult */

/** What went fastest one way. @param {PerfResult['outcome']} outcome @param {'upload' | 'download'} direction @returns {[string, string][]} */
function fastest({ rows }, direction) {
  const [best] = rows
    .filter(row => row.direction === direction)
    .toSorted((a, b) => b.bytesPerSecond.median - a.bytesPerSecond.median)
  if (best === undefined) return []
  return [[`${direction}, ${best.way}`, `${significant(best.bytesPerSecond.median / 1e6)} MB/s`]]
}

/**
 * perfAnswer gives what moved fastest either way, and how long a byte takes there and back.
 *
 * @param {PerfResult} result
 * @returns {import('../../../report/page/answer.js').Answer}
 */
export function perfAnswer(result) {
  const { outcome } = result
  const { latency, handshakes, rows } = outcome
  if (rows.length + latency.length + handshakes.length === 0) return NO_ANSWER
  /** @type {[string, string][]} */
  const figures = [
    ...fastest(outcome, 'upload'),
    ...fastest(outcome, 'download'),
    ...latency.map(
      ({ way, both }) =>
        /** @type {[string, string]} */ ([`p50 of a byte, ${way}`, `${significant(both.median)} ms`])
    ),
    ...handshakes.map(
      ({ way, times }) =>
        /** @type {[string, string]} */ ([
          `p50 of a handshake, ${way}`,
          times === null ? MISSING : `${figure(medianOf(times))} ms`
        ])
    )
  ]
  return { figures: figures.slice(0, 4), plots: perfPlots(result).slice(0, 1) }
}
