import { inContainer } from '../../rendezvous/view/server-notes.js'
import { abuseResult } from '../abuse-types.js'

/** @param {unknown} result */
function reading(result) {
  const { plan, outcome } = abuseResult(result)
  if (outcome.cases.length === 0) return []
  return [
    'Honest clients’ DISCOVERs from when they were due, without abuse → under it, in stretches that took turns; ×: times as long, by pairs of stretches, with its 95 % interval.',
    'Failed: refused, or not answered within 5 s. Recovery: the longest time after an abuse until 9 of 10 requests were answered as fast as without it.',
    ...(outcome.target.container ? [`Server ${inContainer(outcome.target.container)}.`] : []),
    ...(plan.target === null
      ? ['No limit of the server was lifted for anybody, honest clients among them.']
      : []),
    outcome.spreads
      ? 'Honest clients and hostile peers have addresses of their own.'
      : 'All peers came from one address: what the server allows an address, honest clients shared with hostile peers.',
    'Hostile peers run when nobody else wants a core, as if they had machines of their own; Not sent: what of theirs was due and came too late for that.'
  ]
}

/** @param {unknown} result */
function failures(result) {
  return abuseResult(result).outcome.cases.flatMap(({ name, failed, asked }) =>
    failed.abused === 0
      ? []
      : [
          `${name}: ${failed.abused} of ${asked.abused} honest requests failed under it, ${failed.quiet} without.`
        ]
  )
}

/** @param {unknown} result */
function further(result) {
  return abuseResult(result).outcome.cases.map(({ name, what, times }) =>
    times === 1 ? `${name}: ${what}.` : `${name}: ${times} times ${what}.`
  )
}

/** ABUSE_NOTES are lines about a result. @type {import('../../../report/view.js').ScenarioNotes<any>} */
export const ABUSE_NOTES = {
  signs: [
    [
      /–( |$)/,
      '– : there is no such figure: fewer than 10 requests of a stretch beyond it (--stretch, --rate), fewer than 6 --pairs for an interval, a server that does not tell, or no recovery within 30 s.'
    ],
    [/> \d/, '> : requests that failed reach into it.']
  ],
  reading,
  failures,
  references: () => [],
  further
}
