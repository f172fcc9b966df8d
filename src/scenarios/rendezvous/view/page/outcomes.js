import { html } from '../../../../kit/html.js'
import { tableOf } from '../../../../kit/html-table.js'
import { grouped, significant } from '../../../../kit/numbers.js'
import { isCensored } from '../../../../load/outcomes.js'
import { operationsOf } from '../../../../report/table.js'

/**
 * @typedef {import('../../../../result/types.js').Result} Result
 * @typedef {import('../../../../kit/html.js').Html} Html
 */

/** @type {Readonly<Record<string, string>>} */
const MEANINGS = {
  OK: 'reply with status OK that passed the checks',
  BAD_REPLY: 'a reply that is wrong',
  TIMEOUT: 'no reply within --timeout',
  RESET: 'the server ended the stream without a reply',
  LOST: 'the connection broke',
  REFUSED: 'no connection could be opened',
  FAILED: 'ended with an error',
  SERVER_GONE: 'was under way at a server that went away',
  ABANDONED: 'was on a stream that the timeout of another operation ended',
  LOCAL_PORTS_EXHAUSTED: 'this machine had no local port left',
  DROPPED: 'due, but never sent: --maxInFlight was reached',
  INTERRUPTED: 'under way when the run was broken off'
}

/** @param {string} outcome */
const meaning = outcome =>
  MEANINGS[outcome] ?? (outcome.startsWith('E_') ? 'reply with this status of the specification' : '')

/** @param {string} outcome */
const timeKnown = outcome => (isCensored(outcome) ? 'longer than was waited' : 'known')

/** @param {Result} result */
const rows = result =>
  operationsOf(result).flatMap(([type, { count, outcomes }]) =>
    Object.entries(outcomes)
      .sort((a, b) => b[1] - a[1])
      .map(([outcome, n]) => [
        type,
        outcome,
        grouped(n),
        `${significant((100 * n) / count)} %`,
        timeKnown(outcome),
        meaning(outcome)
      ])
  )

/**
 * outcomesTable says what became of the operations.
 *
 * @param {Result} result
 * @returns {Html | null} null: nothing was measured
 */
export function outcomesTable(result) {
  const operations = operationsOf(result)
  if (operations.length === 0) return null
  if (operations.every(([, { errors }]) => errors === 0)) {
    const count = operations.reduce((sum, [, operation]) => sum + operation.count, 0)
    return html`<p>All ${grouped(count)} operations succeeded: each got a reply with status OK that passed the checks.</p>\n`
  }
  return tableOf(
    {
      headings: ['Operation', 'Outcome', 'Count', 'Share', 'Its time', 'Meaning'],
      align: ['l', 'l', 'r', 'r', 'l', 'l'],
      rows: rows(result)
    },
    { label: 'Outcomes' }
  )
}
