import '../../../src/kit/runtime.js'
import assert from 'node:assert/strict'
import { describe, it, test } from 'node:test'
import { parseOptionText } from '../../../src/plan/options.js'
import { assignTopics, publishesMessages } from '../../../src/scenarios/rendezvous/peer-options.js'
import { makeServerSettings } from '../../../src/scenarios/rendezvous/run/server-run.js'
import { LIMITS } from '../../../src/server/limits.js'
import { planned as plannedFullPeers } from '../../plan/planned.js'
import { planCommandLine } from '../../report/shown.js'
import { makePlanOf, planFlags, scenarioNamed, validPlanOf } from '../../scenarios.js'

/** @typedef {import('../../../src/scenarios/rendezvous/options.js').Plan} Plan */

const CHURNED = {
  ...{ nClients: 30, churn: '10,every=5s,away=2s', duration: '5m', benchmarkType: 'DISCOVER', rate: '30/s' },
  ...{ ttl: '1m', nNamespaces: 1, initialRegistrations: 0, discoverLimit: 1000 }
}

/** @param {Record<string, unknown>} options @returns {Plan} */
const planned = options => validPlanOf('rendezvous', { ...CHURNED, ...options }, { cores: 2 })

test('10 ephemeral clients among 20 stable ones are replaced, and all refresh their registrations in time', () => {
  const plan = planned({})
  assert.deepEqual(plan.churn, { peers: 10, everyMs: 5000, atRandom: false, awayMs: 2000, asNew: true })
  assert.deepEqual([plan.refreshEveryMs, plan.cookies], [30_000, false])
  assert.equal(planned({ refreshEvery: '10s' }).refreshEveryMs, 10_000)
})

test('a plan without churn says nothing of it', () => {
  const { plan } = makePlanOf('rendezvous', {})
  const actual = ['churn', 'cookies', 'refreshEveryMs'].filter(key => key in (plan ?? {}))
  assert.deepEqual(actual, [])
})

test('a time to live below the minimum of the specification lowers that of our server, which the result records', () => {
  assert.equal(makeServerSettings(planned({ ttl: '10s' }), LIMITS).minTtl, '10s')
  assert.equal(makeServerSettings(planned({ ttl: '3h' }), LIMITS).minTtl, undefined)
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
      const { options: again } = await parseOptionText(
        planFlags(plan).join(' '),
        scenarioNamed('rendezvous').options
      )
      assert.deepEqual(makePlanOf('rendezvous', again, { cores: 2 }).plan, plan)
    })
})

test('with cookies a page may be smaller than a namespace: the next one follows', () =>
  assert.equal(planned({ discoverLimit: 5, cookies: true }).discoverLimit, 5))

const MIX = 'register=1,discover=8,publish=4'

describe('a plan whose mix has publish', () => {
  test('is of full peers, in one topic, that sign 1,000 bytes', () => {
    const plan = plannedFullPeers({ mix: MIX })
    assert.ok(publishesMessages(plan))
    const { benchmarkType, topics, messageBytes, signing } = plan
    const actual = { benchmarkType, topics, messageBytes, signing }
    assert.deepEqual(actual, {
      ...{ benchmarkType: 'MIXED', topics: [{ name: 'topic-0', chance: 1 }] },
      ...{ messageBytes: { min: 1000, max: 1000 }, signing: true }
    })
    assert.deepEqual([assignTopics(plan).all, assignTopics(plan).of(3)], [1, [0]])
  })

  test('has every client in one topic at least, whatever the chances', () => {
    const { all, of } = assignTopics(plannedFullPeers({ mix: MIX, nClients: '50', topics: 'a=0.1,b=0.1' }))
    const subscribed = Array.from({ length: 50 }, (_, client) => of(client))
    assert.equal(all, 2)
    assert.ok(subscribed.every(own => own.length >= 1 && own.every(topic => topic < 2)))
    assert.ok(subscribed.some(own => own[0] === 1))
  })
})

test('a plan without it says nothing of publishing', () => {
  const plan = plannedFullPeers({ mix: 'register=1,discover=8', benchmarkType: 'MIXED' })
  assert.equal(publishesMessages(plan), false)
  for (const key of ['topics', 'messageBytes', 'signing']) assert.equal(key in plan, false, key)
  assert.deepEqual(plan.mix, { register: 1 / 9, discover: 8 / 9, unregister: 0 })
  assert.deepEqual([assignTopics(plan).all, assignTopics(plan).of(0)], [0, []])
})

const PEER = '12D3KooWGRUwZ7dZ2W2LsPLxxVgj8rsyZ6Bqr1PEzGJHzRZ1D2yB'

/** @param {Record<string, unknown>} options */
const planOf = options => validPlanOf('rendezvous', options)

describe('hostile peers of a plan', () => {
  it('are kinds with times their usual rate', () => {
    const plan = planOf({ hostile: 'frames=2, Slow', duration: '30s' })
    assert.deepEqual([plan.hostile, plan.hostileEveryMs], [{ frames: 2, slow: 1 }, 10_000])
    assert.equal(planOf({ hostile: 'slow' }).durationMs, 156_000, 'six pairs')
  })

  it('are in no plan that does not ask for them', () =>
    assert.deepEqual(
      Object.keys(planOf({})).filter(key => key.startsWith('hostile')),
      []
    ))

  it('go to a target on another host that is said to be owned', () => {
    const target = `/ip4/192.168.1.5/tcp/8000/p2p/${PEER}`
    assert.equal(planOf({ hostile: 'slow', duration: '30s', target, iOwnTheTarget: true }).target, target)
  })
})
