import { significant } from '../../../kit/numbers.js'
import { ADDED } from '../../../measure/doubt.js'
import { doubtSigns } from '../../../report/table.js'
import { namespaceNotes } from '../../namespaces/namespace-notes.js'
import { lineOf, linksOf } from '../perf-plan.js'
import { perfResult } from '../perf-types.js'

/** @param {unknown} result */
function reading(result) {
  const { plan, outcome } = perfResult(result)
  return [
    ...(outcome.rows.length > 0
      ? [
          'Streams are open before a transfer begins. An upload ends when the server has read its end; bytes are counted at both ends.',
          ...(outcome.rows.some(({ overhead }) => overhead.some(({ to }) => to === 'TCP'))
            ? ['× TCP: how many times as long as by plain TCP in the same repeats.']
            : []),
          'Limited by: docs/perf.md#what-limits-it.'
        ]
      : []),
    ...(outcome.latency.length > 0
      ? ['Latency: a stream is opened, a byte goes there and one comes back, on an open connection.']
      : []),
    ...(plan.network === 'namespaces'
      ? namespaceNotes(outcome.namespaces, linksOf(plan), '--bandwidth')
      : []),
    ...(lineOf(plan) !== null
      ? [
          'The line is at the socket: TCP below it sees the loopback network, so there is no slow start, no window of TCP, and no round trip for its handshake.'
        ]
      : [])
  ]
}

/** @param {unknown} result */
function failures(result) {
  return perfResult(result).outcome.handshakes.flatMap(({ way, failed, due, failure }) =>
    failed === 0 ? [] : [`${way}: ${failed} of ${due} handshakes failed: ${failure}`]
  )
}

/** @param {unknown} result */
function further(result) {
  const { outcome } = perfResult(result)
  return outcome.handshakes.flatMap(({ way, roundTrips }) =>
    roundTrips === null ? [] : [`A handshake of ${way} takes ${significant(roundTrips)} round trips.`]
  )
}

/** PERF_NOTES are lines about a result. @type {import('../../../report/view.js').ScenarioNotes<any>} */
export const PERF_NOTES = {
  signs: [
    ...doubtSigns(ADDED),
    [/> \d/, '> at least: handshakes that failed reach into this figure.'],
    [/–/, '– : there is no such figure, or fewer than 6 --repeats for it.']
  ],
  reading,
  failures,
  references: () => [],
  further
}
