import { html } from '../../../../kit/html.js'
import { tableOf } from '../../../../kit/html-table.js'
import { grouped, MISSING, significant } from '../../../../kit/numbers.js'
import { backInWords, deedInWords, lostInWords, timeInWords } from '../fault-words.js'

/**
 * @typedef {import('../../../../result/types.js').Result} Result
 * @typedef {import('../../../../kit/html.js').Html} Html
 */

/**
 * faultTable says what the faults of a run did.
 *
 * @param {Result} result
 * @returns {Html | null} null: there were none
 */
export function faultTable({ outcome: { faults } }) {
  if (faults.length === 0) return null
  const rows = faults.map(fault => [
    `The server ${deedInWords(fault)}`,
    timeInWords(fault),
    fault.before === null
      ? MISSING
      : `${significant(fault.before.throughputPerSecond)}/s, ${significant(fault.before.p99Ms)} ms`,
    backInWords(fault, fault.recoveredThroughputMs),
    backInWords(fault, fault.recoveredP99Ms),
    lostInWords(fault),
    fault.registrationsLost === null ? MISSING : grouped(fault.registrationsLost),
    `${grouped(fault.reconnects.dials)} / ${grouped(fault.reconnects.peakPerSecond)}`
  ])
  return html`<p class="quiet">Times are those of the measurement. Throughput is <em>back</em> when it is at 90 % of what it was
before, p99 when it is below twice what it was; both are judged in pieces of a second, and two together.</p>
${tableOf(
  {
    headings: [
      'Fault',
      'When',
      'Before: throughput, p99',
      'Throughput back',
      'p99 back',
      'Operations lost',
      'Registrations lost',
      'Dials again / most in a second'
    ],
    align: ['l', 'l', 'l', 'l', 'l', 'l', 'r', 'r'],
    rows
  },
  { label: 'Faults' }
)}`
}
