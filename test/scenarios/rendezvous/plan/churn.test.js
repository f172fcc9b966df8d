import '../../../../src/kit/runtime.js'
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { readOptionText } from '../../../../src/plan/options.js'
import { serverSettings } from '../../../../src/scenarios/rendezvous/run/server-run.js'
import { LIMITS } from '../../../../src/server/limits.js'
import { planCommandLine } from '../../../report/shown.js'
import { makePlanOf, planFlags, scenarioNamed } from '../../../scenarios.js'

/** @typedef {import('../../../../src/scenarios/rendezvous/options.js').Plan} Plan */

const CHURNED = {
  ...{ nClients: 30, churn: '10,every=5s,away=2s', duration: '5m', benchmarkType: 'DISCOVER', rate: '30/s' },
  ...{ ttl: '1m', nNamespaces: 1, initialRegistrations: 0, discoverLimit: 1000 }
}

/** @param {Record<string, unknown>} options */
function planned(options) {
  const { plan, problems } = makePlanOf('rendezvous', { ...CHURNED, ...options }, { cores: 2 })
  if (plan === undefined) throw new Error(JSON.stringify(problems))
  return /** @type {Plan} */ (plan)
}

test('10 ephemeral clients among 20 stable ones are replaced, and all refresh their registrations in time', () => {
  const plan = planned({})
  assert.deepEqual(plan.churn, { peers: 10, everyMs: 5000, atRandom: false, awayMs: 2000, asNew: true })
  assert.deepEqual([plan.refreshEveryMs, plan.cookies], [30_000, false])
  assert.equal(planned({ refreshEvery: '10s' }).refreshEveryMs, 10_000)
})

test('a plan without churn says nothing of it', () => {
  const { plan } = makePlanOf('rendezvous', {})
  assert.deepEqual(
    ['churn', 'cookies', 'refreshEveryMs'].filter(key => key in (plan ?? {})),
    []
  )
})

test('a time to live below the minimum of the specification lowers that of our server, which the result records', () => {
  assert.equal(serverSettings(planned({ ttl: '10s' }), LIMITS).minTtl, '10s')
  assert.equal(serverSettings(planned({ ttl: '3h' }), LIMITS).minTtl, undefined)
})

/** @type {[Record<string, unknown>, RegExp][]} */
const FLAGS = [
  [{}, /--churn 10,every=5000ms,away=2000ms/],
  [
    { churn: '10,every=5s,order=random,as=itself', cookies: true },
    /--churn 10,every=5000ms,away=5000ms,order=random,as=itself --cookies/
  ],
  [{ churn: '5%/min,away=10s', refreshEvery: '10s' }, /--churn 5%\/min,away=10000ms --refreshEvery 10000ms/]
]

describe('the command line of a plan', () => {
  for (const [options, line] of FLAGS)
    test(String(line), async () => {
      const plan = planned(options)
      assert.match(planCommandLine(plan), line)
      const { options: again } = await readOptionText(
        planFlags(plan).join(' '),
        scenarioNamed('rendezvous').options
      )
      assert.deepEqual(makePlanOf('rendezvous', again, { cores: 2 }).plan, plan)
    })
})

test('a threshold on churn is refused where clients stay', () => {
  const { problems = [] } = makePlanOf('rendezvous', { threshold: 'staleShare < 10%' })
  assert.match(String(problems[0]?.allowed), /--churn/)
})

test('with cookies a page may be smaller than a namespace: the next one follows', () => {
  assert.equal(planned({ discoverLimit: 5, cookies: true }).discoverLimit, 5)
})
