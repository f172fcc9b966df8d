import { casesOf } from '../../../src/scenarios/abuse/plan/cases.js'
import { AbuseDocument } from '../../../src/scenarios/abuse/run/abuse-document.js'
import { RunHeader } from '../../../src/scenarios/run-header.js'
import { RunLog } from '../../../src/scenarios/run-log.js'
import { makePlanOf } from '../../scenarios.js'

/** @param {number} ms - of both percentiles */
const stretch = ms => ({
  ...{ asked: 1000, failed: 0, failures: {}, p50Ms: ms, p99Ms: ms, censored: { p50: false, p99: false } },
  ...{ longestTurnMs: 5, rssBytes: 100e6, cpuPercent: 10, notSent: 0, recoveryMs: 0 }
})

/** anAbuseResult is of one kind, six pairs, each twice as slow while it goes on. */
export function anAbuseResult() {
  const made = makePlanOf('abuse', { kinds: 'frames', pairs: 6 })
  if (made.plan === undefined) throw new Error(JSON.stringify(made.problems))
  const plan = /** @type {import('../../../src/scenarios/abuse/abuse-plan.js').AbusePlan} */ (
    /** @type {unknown} */ (made.plan)
  )
  const document = new AbuseDocument(plan)
  for (const which of casesOf(plan)) {
    document.begin(which)
    for (let i = 0; i < 6; i++) document.add({ quiet: stretch(2 + i / 10), abused: stretch(4 + i / 10) })
  }
  const header = new RunHeader('20261122-0712-abuse-1', new RunLog(() => {}), [])
  header.completed()
  return {
    ...header.ending(),
    scenario: 'abuse',
    plan,
    outcome: document.outcome(),
    run: header.run([], [])
  }
}
