import '../../../../src/node-shim.js'
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { namespacesLack } from '../../../../src/network/namespaces/requirements.js'
import { GOSSIP } from '../../../../src/scenarios/gossip/scenario.js'
import { planValidation } from '../../../../src/studies/validation/plan/plan-validation.js'
import { SIDES } from '../../../../src/studies/validation/result/validation-document.js'

/** @param {Record<string, unknown>} options @returns {Promise<any>} */
const made = options =>
  planValidation(
    { options: { validate: true, ...options }, words: [] },
    /** @type {any} */ ({ now: () => new Date(0) })
  )

/** @param {Record<string, unknown>} options @returns {Promise<any[]>} the first plan of each side */
async function firstPlans(options) {
  const { planned, problems } = await made(options)
  assert.equal(problems, undefined, JSON.stringify(problems))
  return SIDES.map(side => planned.document.runs[side][0].plan)
}

/** @type {[string, Record<string, unknown>, Record<string, unknown>][]} */
const USUAL = [
  ['nothing else', {}, { nodes: 30, messages: 30, ratePerSecond: 1 }],
  ['a publisher that is named', { publishers: 'node:3' }, { messages: 30, ratePerSecond: 1 }],
  ['arrivals by chance', { arrivals: 'poisson' }, { messages: 30, ratePerSecond: 1 }],
  ['a time', { duration: '20s' }, { messages: null, durationMs: 20_000, ratePerSecond: 1 }],
  [
    'nodes in their own time',
    { publishers: 'every', duration: '5s' },
    { messages: null, ratePerSecond: null }
  ],
  [
    'a rate that rises',
    { arrivals: 'ramp:to=3/s', rate: '1/s', duration: '9s' },
    { messages: null, durationMs: 9000 }
  ]
]

describe('what is validated', () => {
  for (const [what, options, expected] of USUAL)
    test(`where ${what} is asked for, the rest is usual on all sides`, async () => {
      for (const plan of await firstPlans(options))
        assert.deepEqual(Object.fromEntries(Object.keys(expected).map(key => [key, plan[key]])), expected)
    })

  test('is real on loopback, and not where that is to be a simulation', async () => {
    const [{ network }] = await firstPlans({})
    assert.equal(network, 'loopback')
    const { problems } = await made({ network: 'simulated' })
    assert.deepEqual(
      problems.map((/** @type {any} */ { flag, value }) => `${flag} ${value}`),
      ['--network simulated']
    )
    assert.match(problems[0].allowed, /^must be loopback or namespaces with --validate/)
  })

  test('chooses cases of a list alone', async () => {
    const [{ flag, allowed }, ...more] = (await made({ only: 'a*' })).problems
    assert.deepEqual([flag, more], ['--only', []])
    assert.match(allowed, /^needs --cases/)
  })
})

const LIST = 'benchmarks/validation-cases.yaml'
const HOURS = 3_600_000

describe('the cases of a list', { skip: namespacesLack() ?? false }, () => {
  test('between namespaces have every impairment on both networks, with Reno where TCP is the kernel’s', async () => {
    const options = { network: 'namespaces', linkLoss: '1%', linkJitter: '5ms', nodes: '5', topology: 'full' }
    const [real, simulated] = await firstPlans(options)
    assert.deepEqual([real.network, simulated.network], ['namespaces', 'simulated'])
    assert.deepEqual([real.congestionControl, simulated.congestionControl], ['reno', null])
    for (const key of ['linkLossShare', 'linkJitter', 'linkLatencyMs', 'seed', 'ratePerSecond'])
      assert.deepEqual(real[key], simulated[key], key)
    assert.deepEqual([real.workers, simulated.workers], [5, 1])
  })

  test('hold every pair of what networks differ in, of ten seeds each, in seven hours', async () => {
    const { cases } = await made({ cases: LIST })
    assert.ok(cases.chosen.length >= 18)
    const plans = [...cases.validations.values()].map(({ runs }) => runs.real[0].plan)
    const factors = plans.map(plan => ({
      topology: plan.topology.kind,
      nodes: plan.nodes,
      signing: plan.signing,
      impairment: impairmentOf(plan)
    }))
    assert.deepEqual(missingPairs(factors), [])
    const all = [...cases.validations.values()].flatMap(({ runs }) => SIDES.flatMap(side => runs[side]))
    assert.equal(all.length, plans.length * 30)
    const hours = all.reduce((sum, { plan }) => sum + GOSSIP.estimateMs(plan), 0) / HOURS
    assert.ok(hours > 1 && hours <= 7, `${hours}`)
  })

  test('are named by what is asked for', async () => {
    const { cases } = await made({ cases: LIST, only: ['ba-30-*', '11a'], validateSeeds: '2' })
    assert.deepEqual(
      cases.chosen.filter((/** @type {string} */ name) => !name.startsWith('ba-30-')),
      ['11a']
    )
    assert.ok(cases.validations.size >= 18, 'those for later are kept')
    const [{ flag, value, allowed }] = (await made({ cases: LIST, only: 'nobody', validateSeeds: '2' }))
      .problems
    assert.deepEqual([flag, value], ['--only', 'nobody'])
    assert.match(allowed, /^matches no case: there are 11a, /)
  })

  test('that cannot be read are refused', async () => {
    const [{ flag }] = (await made({ cases: 'benchmarks/none.yaml' })).problems
    assert.equal(flag, 'benchmarks/none.yaml')
  })
})

/** What the links of a case do beside taking time. @param {any} plan */
function impairmentOf({ linkLossShare, upBandwidthBytesPerSecond, partitions, linkJitter }) {
  const [cut] = partitions
  if (cut !== undefined) return `partition of ${(cut.toMs - cut.fromMs) / 1000} s`
  if (upBandwidthBytesPerSecond !== null) return `${upBandwidthBytesPerSecond / 1e6} MB/s`
  if (linkLossShare > 0) return `loss of ${linkLossShare}`
  return linkJitter.share > 0.01 ? 'jitter' : 'latency'
}

/** @type {Record<string, unknown[]>} */
const LEVELS = {
  topology: ['full', 'barabasi-albert', 'small-world'],
  nodes: [30, 95],
  impairment: ['latency', 'jitter', 'loss of 0.01', 'loss of 0.05', '1 MB/s', 'partition of 10 s'],
  signing: [true, false]
}

/** @param {Record<string, unknown>[]} factors @returns {string[]} */
const missingPairs = factors =>
  Object.keys(LEVELS).flatMap((one, place) =>
    Object.keys(LEVELS)
      .slice(place + 1)
      .flatMap(other =>
        LEVELS[one].flatMap(a =>
          LEVELS[other].flatMap(b =>
            factors.some(row => row[one] === a && row[other] === b) ? [] : [`${a} with ${b}`]
          )
        )
      )
  )
