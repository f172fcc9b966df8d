import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { estimateMs, expandMatrices, makePlanOf, readMatrixFile, scalePlan } from '../../scenarios.js'

/**
 * @typedef {Omit<import('../../../src/studies/matrix/matrix-file.js').CommandLine, 'scenarios'>} CommandLine
 * @typedef {import('../../../src/scenarios/gossip/options.js').GossipPlan} GossipPlan
 */

/** @param {Record<string, unknown>} document @param {CommandLine} [line] */
function expanded(document, line = {}) {
  const { matrix, problems } = readMatrixFile('series.yaml', { scenario: 'gossip', title: 'T', ...document })
  if (matrix === undefined) throw new Error(JSON.stringify(problems))
  const made = expandMatrices([{ id: 'series', file: 'series.yaml', matrix }], { cores: 2, ...line })
  return { rows: made.tables[0].rows, problems: made.problems }
}

/** @param {Record<string, unknown>} document @param {CommandLine} [line] */
function rowsOf(document, line) {
  const { rows, problems } = expanded(document, line)
  assert.deepEqual(problems, [])
  return rows
}

/** @param {{ plan: object }} row */
const planOf = ({ plan }) => /** @type {GossipPlan} */ (plan)

/** @param {Record<string, unknown>} options @returns {GossipPlan} */
function planned(options) {
  const { plan, problems } = makePlanOf('gossip', options, { cores: 2 })
  if (plan === undefined) throw new Error(JSON.stringify(problems))
  return /** @type {GossipPlan} */ (plan)
}

const REFERENCE = { disseminationMs: 65, lost: [22, 36_000] }
const CASE = {
  nodes: 30,
  rate: '200/s',
  duration: '180s',
  topology: 'barabasi-albert:m=2,seed=42',
  linkLatency: '0'
}

describe('the rows of a gossip matrix', () => {
  test('are plans of the gossip scenario', () => {
    const [row] = rowsOf({ defaults: CASE, rows: [{ linkLatency: '50ms' }] })
    const { scenario, nodes, ratePerSecond, durationMs, linkLatencyMs } = planOf(row)
    assert.deepEqual(
      [scenario, nodes, ratePerSecond, durationMs, linkLatencyMs],
      ['gossip', 30, 200, 180_000, 50]
    )
  })

  /** @type {[Record<string, unknown>, string][]} */
  const names = [
    [{ name: '1a' }, '1a'],
    [{ topology: 'full' }, 'n30-full-rate200-180000ms'],
    [{ topology: 'full', linkLatency: '50ms', D: 8 }, 'n30-full-rate200-180000ms-D=8-linkLatency=50ms'],
    [{ topology: 'full', publishers: 'node:3,7' }, 'n30-full-node_3_7-rate200-180000ms'],
    [{ topology: 'full', publishers: 'every', interval: '100ms-300ms' }, 'n30-full-each100-300ms-180000ms']
  ]
  for (const [row, name] of names)
    test(`are called after their case: ${JSON.stringify(row)}`, () => {
      const { rate, ...defaults } = CASE
      const own = row.publishers === 'every' ? defaults : CASE
      assert.equal(rowsOf({ defaults: own, rows: [row] })[0].name, name)
    })

  test('that give a number of messages put the duration of the defaults out of force', () => {
    const [row] = rowsOf({ defaults: CASE, rows: [{ topology: 'full', messages: 50 }] })
    assert.deepEqual(
      [row.name, planOf(row).durationMs, planOf(row).messages],
      ['n30-full-rate200-msgs50', null, 50]
    )
  })

  test('are multiplied by lists, also by parameters of gossipsub', () => {
    const rows = rowsOf({ defaults: CASE, vary: { D: ['6', '8'] }, rows: [{ name: 'a' }] })
    assert.deepEqual(
      rows.map(({ name, plan }) => [name, /** @type {GossipPlan} */ (plan).gossipsub.D]),
      [
        ['a-D=6', 6],
        ['a-D=8', 8]
      ]
    )
  })

  test('keep the same name when they are scaled', () => {
    const document = { defaults: CASE, rows: [{}] }
    const [whole, part] = [{}, { scaleRate: 0.04, scaleTime: 0.1 }].map(scales =>
      rowsOf(document, { scales })
    )
    assert.equal(part[0].id, whole[0].id)
  })
})

describe('published figures of a gossip row', () => {
  const document = { defaults: CASE, rows: [{ name: 'a', reference: REFERENCE, note: 'a note' }] }
  const beside = { reference: REFERENCE, atAnotherRate: null, note: 'a note' }
  const atAnotherRate = { reference: REFERENCE, ratePerSecond: 200, intervalMs: planned({}).intervalMs }
  const apart = { reference: null, atAnotherRate, note: 'a note' }
  const OTHERWISE = { scales: { scaleTime: 0.1 }, flags: { workers: '1', seed: '9' } }
  const OTHER_CASES = [
    ...[{ nodes: '20' }, { topology: 'full' }, { linkLatency: '5ms' }],
    ...[{ messageBytes: '10' }, { D: '8' }, { nodes: '20', rate: '8' }]
  ]
  /** @type {[string, CommandLine, object][]} */
  const cases = [
    ['stand beside their case', {}, beside],
    ['stay beside it for less time, other workers and another seed', OTHERWISE, beside],
    ['stand apart with --scaleRate', { scales: { scaleRate: 0.04 } }, apart],
    ['stand apart with another --rate', { flags: { rate: '8/s' } }, apart],
    [
      'stand beside it at the published --rate',
      { flags: { rate: '200/s' }, scales: { scaleRate: 0.04 } },
      beside
    ],
    ...OTHER_CASES.map(
      flags =>
        /** @type {[string, CommandLine, object]} */ ([
          `are taken away from another case: ${JSON.stringify(flags)}`,
          { flags },
          { reference: null, atAnotherRate: null, note: null }
        ])
    )
  ]
  for (const [what, line, expected] of cases)
    test(what, () => {
      const [{ reference, atAnotherRate, note }] = rowsOf(document, line)
      assert.deepEqual({ reference, atAnotherRate, note }, expected)
    })
})

describe('a row that needs the simulated network', () => {
  const row = { name: 'lossy', linkLoss: '0.1%', needs: 'simulated', reference: REFERENCE }
  const flags = { network: 'loopback' }

  test('has its plan on another one, and why it cannot be run', () => {
    const [lossy, other] = rowsOf({ defaults: CASE, rows: [row, { name: 'b' }] }, { flags })
    assert.equal(planOf(lossy).linkLossShare, 0.001)
    assert.equal(
      lossy.blocked,
      'linkLoss 0.1% needs --network simulated, namespaces or docker: none is made on loopback'
    )
    assert.deepEqual(lossy.reference, REFERENCE)
    assert.equal(other.blocked, null)
  })

  test('can be run where it does not need it after all', () => {
    const [{ blocked }] = rowsOf({ defaults: CASE, rows: [row] }, { flags: { ...flags, linkLoss: '0' } })
    assert.equal(blocked, null)
  })

  test('is a problem where the file does not mark it', () => {
    const { needs, ...unmarked } = row
    const { problems } = expanded({ defaults: CASE, rows: [unmarked] })
    assert.deepEqual(problems, [
      {
        flag: 'series.yaml row 1: linkLoss',
        value: '0.1%',
        allowed: 'needs --network simulated, namespaces or docker: none is made on loopback'
      }
    ])
  })

  test('is refused for whatever else is wrong with it', () => {
    const { problems } = expanded({ defaults: CASE, rows: [{ ...row, nodes: 0 }] })
    assert.deepEqual(
      problems.map(({ flag }) => flag),
      ['series.yaml row 1: nodes']
    )
  })
})

test('a profile without an end is refused', () => {
  const { problems } = expanded({
    scenario: 'gossip',
    defaults: { publishers: 'every', profile: 'cpu' },
    rows: [{ duration: '5s' }, {}]
  })
  assert.deepEqual(problems, [
    {
      flag: 'series.yaml defaults: duration',
      value: '',
      allowed: 'is needed: the row would have no end (series.yaml row 2)'
    }
  ])
})

describe('a gossip plan is scaled', () => {
  const plan = planned({ nodes: '30', rate: '200/s', duration: '180s', cooldown: '10m' })

  test('in its rate alone', () =>
    assert.deepEqual(scalePlan(plan, { scaleRate: 0.04 }), { ...plan, ratePerSecond: 8 }))

  test('in its time alone, but not in the time the mesh may take', () =>
    assert.deepEqual(scalePlan(plan, { scaleTime: 0.1 }), {
      ...plan,
      durationMs: 18_000,
      cooldownMs: 60_000
    }))

  test('in the times of its partitions, unless the command line gives them', () => {
    const cut = planned({ network: 'simulated', duration: '20s', partition: 'hold@5s-10s:0-3|rest' })
    const timesOf = (/** @type {GossipPlan} */ { partitions }) =>
      partitions.map(({ fromMs, toMs }) => [fromMs, toMs])
    assert.deepEqual(timesOf(scalePlan(cut, { scaleTime: 0.1 })), [[500, 1000]])
    assert.deepEqual(timesOf(scalePlan(cut, { scaleTime: 0.1 }, new Set(['partition']))), [[5000, 10_000]])
  })

  test('in its messages, where it has a number of them', () =>
    assert.equal(scalePlan(planned({ messages: '500' }), { scaleTime: 0.1 }).messages, 50))

  test('down to a message, and a wait of 10 s', () => {
    const least = scalePlan(planned({ messages: '5', cooldown: '30s' }), { scaleTime: 0.001 })
    assert.deepEqual([least.messages, least.cooldownMs], [1, 10_000])
    assert.equal(scalePlan(planned({ cooldown: '2s' }), { scaleTime: 0.1 }).cooldownMs, 2000)
  })

  test('in the intervals of its nodes, which grow', () => {
    const every = planned({ publishers: 'every', interval: '100ms-300ms', duration: '10s' })
    assert.deepEqual(scalePlan(every, { scaleRate: 0.1 }).intervalMs, { min: 1000, max: 3000 })
  })

  test('but not in what the command line gives', () => {
    const kept = new Set(['rate', 'duration', 'cooldown'])
    assert.deepEqual(scalePlan(plan, { scaleRate: 0.1, scaleTime: 0.1 }, kept), plan)
  })
})

describe('the estimate of a gossip plan', () => {
  const seconds = (/** @type {Record<string, unknown>} */ options) => estimateMs(planned(options)) / 1000

  test('is the time of the messages and what it takes to start', () => {
    const estimate = seconds({ nodes: '20', rate: '5/s', duration: '60s' })
    assert.ok(estimate > 65 && estimate < 90, `${estimate} s`)
  })

  test('has the cool-down of a rate that is not carried, up to its limit', () => {
    const options = { nodes: '95', rate: '200/s', duration: '60s' }
    assert.ok(seconds({ ...options, cooldown: '10m' }) > seconds({ ...options, cooldown: '30s' }) + 300)
  })

  // results/reference/gossip-scale and gossip-10000 took 4 to 9 minutes
  test('has heartbeats of many simulated nodes, and deliveries that cost more the more nodes there are', () => {
    const simulated = { network: 'simulated', topology: 'barabasi-albert:m=6', signing: 'off' }
    for (const options of [
      { nodes: '1000', rate: '10/s', duration: '60s' },
      { nodes: '5000', rate: '1/s', duration: '30s' },
      { nodes: '10000', rate: '1/s', duration: '10s', workers: '2' }
    ]) {
      const estimate = seconds({ ...simulated, ...options })
      assert.ok(estimate > 150 && estimate < 600, `${options.nodes} nodes: ${estimate} s`)
    }
    const few = { ...simulated, nodes: '95', rate: '200/s', duration: '9s' }
    assert.ok(seconds({ ...few, signing: 'on' }) > 2 * seconds(few))
  })
})
