import '../../../../src/node-shim.js'
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { readOptionText } from '../../../../src/plan/option-text.js'
import { serverSettings } from '../../../../src/scenarios/rendezvous/run/server-settings.js'
import { ROTATE_RENDEZVOUS_OPTIONS } from '../../../../src/scenarios/rotate-rendezvous/plan/rotate-rendezvous-options.js'
import { LIMITS } from '../../../../src/server/limits.js'
import { planCommandLine } from '../../../report/shown.js'
import { estimateMs, makePlanOf, planFlags, SCHEMAS, scenarioNamed } from '../../../scenarios.js'

/** @typedef {import('../../../../src/scenarios/rotate-rendezvous/plan/rotate-rendezvous-plan.js').RotateRendezvousPlan} RotateRendezvousPlan */

const SCENARIO = 'rotation-rendezvous'
const TARGET = '/ip4/127.0.0.1/tcp/8000/p2p/12D3KooWGrxFe9sjVgEaaCd86LYxKMsYgLdbmHKAxAWVU8F84xTJ'

/** @param {Record<string, unknown>} options */
function planned(options) {
  const { plan, problems } = makePlanOf(SCENARIO, options, { cores: 2 })
  if (plan === undefined) throw new Error(JSON.stringify(problems))
  return /** @type {RotateRendezvousPlan} */ (plan)
}

test('by default 10 ephemeral peers rotate among 20 stable ones for 5 minutes, and renew their registrations in time', () => {
  const plan = planned({})
  assert.deepEqual(
    [plan.scenario, plan.stable, plan.ephemeral, plan.nClients, plan.durationMs, plan.ratePerSecond],
    [SCENARIO, 20, 10, 30, 300_000, 30]
  )
  assert.deepEqual(
    [plan.rotateEveryMs, plan.downForMs, plan.ttlSeconds, plan.refreshEveryMs, plan.cookies],
    [5000, 2000, 60, 30_000, false]
  )
  assert.deepEqual([plan.initialRegistrations, plan.faults, plan.benchmarkRuns], [0, [], null])
  assert.equal(SCHEMAS['rotation-rendezvous'].plan.safeParse(structuredClone(plan)).error, undefined)
  assert.ok(estimateMs(plan) > 300_000)
})

test('a time to live below the least of the specification lowers that of our server, which the result records', () => {
  const settings = serverSettings(/** @type {any} */ (planned({ ttl: '10s' })), LIMITS)
  assert.equal(settings.minTtl, '10s')
  assert.equal(serverSettings(/** @type {any} */ (planned({ ttl: '3h' })), LIMITS).minTtl, undefined)
})

/** @type {[Record<string, unknown>, string][]} */
const FLAGS = [
  [{}, 'node index.js rotate rendezvous --workers 1'],
  [
    { stable: 6, ephemeral: 3, rotateEvery: '2s', downFor: '1s', ttl: '4s', duration: '20s', cookies: true },
    'node index.js rotate rendezvous --stable 6 --ephemeral 3 --rotateEvery 2000ms --downFor 1000ms --cookies --duration 20000ms --ttl 4s --workers 1'
  ],
  [
    { refreshEvery: '10s', nNamespaces: 3 },
    'node index.js rotate rendezvous --refreshEvery 10000ms --nNamespaces 3 --workers 1'
  ]
]

describe('a threshold on what rotation never measures is refused', () => {
  for (const metric of ['fairness.clients', 'fairness.types', 'staleness.p99', 'missing'])
    test(metric, () => {
      const { problems = [] } = makePlanOf(SCENARIO, { threshold: `${metric} > 0` }, { cores: 2 })
      const [, thereAre = ''] = String(problems[0]?.allowed).split('There are:')
      assert.match(thereAre, /staleShare, .*DISCOVER/)
      assert.doesNotMatch(thereAre, /fairness|staleness|missing/)
    })
})

describe('the command line of a plan', () => {
  for (const [options, line] of FLAGS)
    test(line, async () => {
      const plan = planned(options)
      assert.equal(planCommandLine(plan), line)
      const { options: again } = await readOptionText(planFlags(plan).join(' '), ROTATE_RENDEZVOUS_OPTIONS)
      assert.deepEqual(planned(again), plan)
    })

  for (const [purpose, line] of scenarioNamed('rotation-rendezvous').command.examples)
    test(`the example "${purpose}" can be run`, async () => {
      const { options, words } = await readOptionText(
        line.replace(/\S+…/, TARGET),
        scenarioNamed('rotation-rendezvous').options
      )
      assert.deepEqual(words, ['rotate', 'rendezvous'])
      assert.equal(makePlanOf(SCENARIO, options).problems, undefined)
    })
})

/** @type {[Record<string, unknown>, string, RegExp][]} */
const REFUSED = [
  [{ rotateEvery: '5m' }, '--rotateEvery', /less than --duration 300s: nothing would rotate/],
  [{ rotateEvery: '100ms', duration: '4h' }, '--rotateEvery', /at least 1440ms.*10,000 peers are started/],
  [{ ephemeral: 1, downFor: '15s' }, '--downFor', /less than --rotateEvery × --ephemeral, 5s/],
  [{ ttl: '10s', refreshEvery: '10s' }, '--refreshEvery', /less than --ttl 10s.* would expire/],
  [{ discoverLimit: 41 }, '--discoverLimit', /at least 42, or --cookies/],
  [{ discoverLimit: 2000 }, '--discoverLimit', /cap of 1,000/],
  [{ maxPeerRegistrations: 10 }, '--maxPeerRegistrations', /^has no use here: the rendezvous scenario alone/],
  [{ workers: 31 }, '--workers', /at most --stable and --ephemeral, 30/],
  [{ threshold: 'UNREGISTER.p99 < 1s' }, '--threshold', /this run measures CONNECT, REGISTER, DISCOVER only/],
  [{ threshold: 'staleness < 1%' }, '--threshold', /no metric.*staleShare/],
  [{ threshold: 'cpu.avg < 50%', target: TARGET }, '--threshold', /needs --targetPid/],
  [{ server: 'process', target: TARGET }, '--server', /cannot be given with --target/],
  [{ nClients: 4 }, '--nClients', /^has no use here: .*--stable/],
  [{ fault: 'at=1s kill' }, '--fault', /^has no use here/]
]

describe('what cannot be run', () => {
  for (const [options, flag, allowed] of REFUSED)
    test(JSON.stringify(options), () => {
      const { problems = [] } = makePlanOf(SCENARIO, options, { cores: 2 })
      const found = problems.find(problem => problem.flag === flag)
      assert.ok(found, JSON.stringify(problems))
      assert.match(found.allowed, allowed)
    })
})

test('with cookies a page may be smaller than a namespace: the next one follows', () => {
  assert.equal(planned({ discoverLimit: 5, cookies: true }).discoverLimit, 5)
})
