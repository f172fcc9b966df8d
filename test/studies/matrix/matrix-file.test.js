import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { matchesRow } from '../../../src/studies/matrix/plan.js'
import { planned, planOf } from '../../plan/planned.js'
import { isAsRecorded } from '../../recorded.js'
import { estimateMs, expandMatrices, readMatrixFile, scalePlan } from '../../scenarios.js'

/** @typedef {Omit<import('../../../src/studies/matrix/matrix-file.js').CommandLine, 'scenarios'>} CommandLine */

/**
 * @param {Record<string, unknown>} document
 * @param {string} [id]
 * @returns {import('../../../src/studies/matrix/matrix-file.js').NamedMatrix}
 */
function matrixOf(document, id = 'load') {
  const { matrix, problems } = readMatrixFile(`${id}.yaml`, { title: 'T', ...document })
  if (matrix === undefined) throw new Error(JSON.stringify(problems))
  return { id, file: `${id}.yaml`, matrix }
}

/** @param {Record<string, unknown>} document @param {CommandLine} [line] */
function rowsOf(document, line = {}) {
  const { tables, problems } = expandMatrices([matrixOf(document)], { cores: 4, ...line })
  assert.deepEqual(problems, [])
  return tables[0].rows
}

/** @param {Record<string, unknown>} document @param {CommandLine} [line] */
const idsOf = (document, line) => rowsOf(document, line).map(({ id }) => id)

const FIGURES = { rtMs: [1, 2, 3] }

describe('the rows of a matrix', () => {
  test('are its rows over its defaults', () => {
    const rows = rowsOf({
      defaults: { benchmarkType: 'DISCOVER', nClients: 7 },
      rows: [{ initialRegistrations: 9 }, { 'n-clients': 8 }]
    })
    assert.deepEqual(
      rows.map(planOf).map(plan => [plan.benchmarkType, plan.nClients, plan.initialRegistrations]),
      [
        ['DISCOVER', 7, 9],
        ['DISCOVER', 8, 100]
      ]
    )
  })

  test('are one of defaults alone where there are none', () => {
    assert.deepEqual(idsOf({ defaults: { nClients: 7 } }), ['load/c7-r100-ns5-10000ms'])
  })

  test('are multiplied by the lists of the file and of the row, the last one fastest', () => {
    const vary = { nClients: [1, 2] }
    assert.deepEqual(idsOf({ vary, rows: [{ vary: { discoverLimit: [5, 6] } }] }), [
      'load/c1-r100-ns5-10000ms-discoverLimit=5',
      'load/c1-r100-ns5-10000ms-discoverLimit=6',
      'load/c2-r100-ns5-10000ms-discoverLimit=5',
      'load/c2-r100-ns5-10000ms-discoverLimit=6'
    ])
  })

  test('say more than a list of their file', () => {
    const vary = { nClients: [1, 2] }
    assert.deepEqual(idsOf({ vary, rows: [{ nClients: 3 }, { vary: { 'n-clients': [4] } }] }), [
      'load/c3-r100-ns5-10000ms',
      'load/c4-r100-ns5-10000ms'
    ])
  })

  test('that give a duration end with what comes first, that or the benchmarkRuns of the defaults', () => {
    const [plan] = rowsOf({ defaults: { benchmarkRuns: 9 }, rows: [{ duration: '2s' }] }).map(planOf)
    assert.deepEqual([plan.benchmarkRuns, plan.durationMs], [9, 2000])
  })

  test('that come out the same are run once, with the published figures of either', () => {
    const rows = rowsOf({ rows: [{ nClients: 3 }, { nClients: 3, reference: FIGURES }, { nClients: 4 }] })
    assert.deepEqual(
      rows.map(({ id, reference }) => [id, reference]),
      [
        ['load/c3-r100-ns5-10000ms', FIGURES],
        ['load/c4-r100-ns5-10000ms', null]
      ]
    )
  })
})

describe('the command line', () => {
  const rows = [{ nClients: 3, reference: FIGURES, note: 'a note' }, { nClients: 5 }]

  test('goes before rows and defaults', () => {
    const [row] = rowsOf({ defaults: { seed: 3, workers: 2 }, rows }, { flags: { workers: '1', seed: '9' } })
    assert.deepEqual([row.plan.workers, row.plan.seed], [1, 9])
  })

  test('can make rows of other cases, and equal cases are run once', () => {
    const varied = rowsOf({
      rows: [{ nClients: 3, reference: FIGURES, note: 'a note' }, { nClients: 3 }, { nClients: 10 }]
    })
    assert.deepEqual(
      varied.map(({ id, reference, note }) => [id, reference, note]),
      [
        ['load/c3-r100-ns5-10000ms', FIGURES, 'a note'],
        ['load/c10-r100-ns5-10000ms', null, null]
      ]
    )
  })

  test('leaves published figures beside a case that it does not change', () => {
    const [row] = rowsOf({ rows }, { flags: { workers: '1', warmup: '1s', seed: '5' } })
    assert.deepEqual(row.reference, FIGURES)
  })

  for (const flags of [{ nClients: '9' }, { rate: '5' }, { duration: '5s' }, { discoverLimit: '7' }])
    test(`takes them away from another case: ${JSON.stringify(flags)}`, () => {
      assert.ok(
        rowsOf({ rows }, { flags }).every(({ reference, note }) => reference === null && note === null)
      )
    })
})

describe('the id of a row', () => {
  /** @type {[string, Record<string, unknown>, CommandLine, string][]} */
  const cases = [
    ['has what every case has', {}, {}, 'c4-r100-ns5-10000ms'],
    ['has the type that the row gives', { benchmarkType: 'discover' }, {}, 'discover-c4-r100-ns5-10000ms'],
    ['has a duration for operations', { duration: '2s' }, {}, 'c4-r100-ns5-2000ms'],
    ['has both', { duration: '2s', benchmarkRuns: '9' }, {}, 'c4-r100-ns5-ops9-2000ms'],
    [
      'has further options of the row in the order of the alphabet, as the plan has them',
      { ttl: '3h', rate: '30000/min' },
      {},
      'c4-r100-ns5-10000ms-rate=500-ttl=10800'
    ],
    [
      'has no letters that folders cannot have',
      { benchmarkType: 'MIXED', mix: 'register=1, discover=3' },
      {},
      'mixed-c4-r100-ns5-10000ms-mix=register=1_discover=3'
    ],
    ['is the name of the row where it has one', { name: 'large', nClients: 9 }, {}, 'large'],
    ['has the values of lists behind the name', { name: 'a', vary: { nClients: [9] } }, {}, 'a-nClients=9'],
    ['has no flags that are for all', {}, { flags: { workers: '2', seed: '7' } }, 'c4-r100-ns5-10000ms']
  ]
  for (const [what, row, line, name] of cases)
    test(what, () => assert.deepEqual(idsOf({ rows: [row] }, line), [`load/${name}`]))

  test('is the same wherever the row stands and however it is written', () => {
    const [first] = idsOf({ defaults: { nNamespaces: 9 }, rows: [{ nClients: 8 }] })
    const [, second] = idsOf({ rows: [{}, { 'n-clients': '8', nNamespaces: 9 }] })
    assert.equal(first, second)
  })
})

describe('problems', () => {
  /** @param {Parameters<typeof expandMatrices>[0]} matrices @param {CommandLine} [line] */
  const problemsOf = (matrices, line = {}) =>
    expandMatrices(matrices, { cores: 4, ...line }).problems.map(
      ({ flag, value, allowed }) => `${flag} ${value} | ${allowed}`
    )

  test('are named with what they stand in, as recorded', () => {
    const one = matrixOf({ rows: [{ nClients: 0 }, { nClints: 3 }, {}] }, 'one')
    const two = matrixOf(
      { rows: [{}, { benchmarkType: 'REGISTER', discoverInexistentNamespaces: true }] },
      'two'
    )
    const varied = { defaults: { rate: 'fast' }, vary: { ttl: ['1h', 'x'] }, rows: [{}, { nClients: 5 }] }
    const seeds = [1, 2, 3, 4, 5, 6].map(seed => ({ seed, nClients: seed < 6 ? 2 : 9 }))
    const fresh = { benchmarkRuns: 5000, registerMode: 'new' }
    const flags = { workers: '8' }
    isAsRecorded('matrix-problems.json', {
      'of all rows of all files': problemsOf([one, two]),
      'of defaults, lists and flags, once': problemsOf([matrixOf(varied)], {
        flags: { workers: '0', seed: '-1' }
      }),
      'of a flag with some rows': problemsOf(
        [matrixOf({ vary: { nClients: [1, 2, 3, 4, 8] }, rows: [{}, { nClients: 9 }] })],
        { flags }
      ),
      'of a flag with many rows': problemsOf([matrixOf({ rows: seeds })], { flags }),
      'of defaults with some rows': problemsOf([
        matrixOf({ defaults: fresh, rows: [{ nClients: 5 }, { nClients: 4 }] })
      ]),
      'two rows with one name': problemsOf([
        matrixOf({ rows: [1, 2].map(nClients => ({ name: 'a', nClients })) })
      ]),
      'options of the output': problemsOf([
        matrixOf({ defaults: { quiet: true }, rows: [{ outputFile: 'x.md' }] })
      ])
    })
  })
})

test('what has not the shape of a matrix file has one problem, as recorded', () => {
  const row = (/** @type {unknown} */ own) => ({ title: 'T', rows: [own] })
  const gossip = { scenario: 'gossip', title: 'T' }
  const documents = [
    ...[{}, { title: 'T', rows: 3 }, { title: 'T', rows: [] }, { title: 'T', rows: [{}, 'x'] }],
    ...[
      { title: 'T', axes: [] },
      { title: 'T', row: [] },
      { title: 'T', differences: 'x' }
    ],
    ...[
      { title: 'T', vary: { nClients: 4 } },
      { title: 'T', vary: { nClients: [] } }
    ],
    ...[row({ reference: { rtMs: [1, 2] } }), row({ reference: { rtMs: [1, 2, 'x'] } })],
    ...[row({ reference: { rt: [] } }), row({ name: 'a/b' })],
    ...[
      { title: 'T', scenario: 'gosip' },
      { title: 'T', scenario: 'constructor' }
    ],
    { ...gossip, rows: [{ needs: 'docker' }] },
    ...[{ rtMs: [1, 2, 3] }, { lost: 3 }].map(reference => ({ ...gossip, rows: [{ reference }] }))
  ]
  const found = documents.map(document => {
    const { problems = [] } = readMatrixFile('m.yaml', document)
    return [
      JSON.stringify(document),
      problems.map(({ flag, value, allowed }) => `${flag} ${value} | ${allowed}`)
    ]
  })
  isAsRecorded('matrix-shapes.json', Object.fromEntries(found))
})

describe('a row is meant by', () => {
  const [row] = rowsOf({ rows: [{ nClients: 100, initialRegistrations: 100_000 }] })
  /** @type {[string, boolean][]} */
  const cases = [
    ['load/c100-r100000-ns5-10000ms', true],
    ['c100-r100000-ns5-10000ms', true],
    ['load', true],
    ['lo*', true],
    ['load/*', true],
    ['*-r100000-*', true],
    ['c{5,100}-*', true],
    ['**/c100-*', true],
    ['c10-*', false],
    ['*r1000-*', false],
    ['loads/*', false]
  ]
  for (const [pattern, meant] of cases)
    test(`${pattern}: ${meant}`, () => assert.equal(matchesRow(row, pattern), meant))
})

describe('--scale', () => {
  const plan = planned({ nClients: '10', benchmarkRuns: '1000', minDuration: '10s', warmup: '2s' })

  test('takes operations and time, and leaves all else', () => {
    assert.deepEqual(scalePlan(plan, { scale: 0.5 }), { ...plan, benchmarkRuns: 500, minDurationMs: 5000 })
    const short = { benchmarkRuns: 100, minDurationMs: 1000 }
    assert.deepEqual(scalePlan(plan, { scale: 0.1 }), { ...plan, ...short })
  })

  test('leaves each client an operation, so that the concurrency is the same', () => {
    assert.equal(scalePlan(plan, { scale: 0.001 }).benchmarkRuns, 10)
    assert.equal(scalePlan(planned({ nClients: '10', benchmarkRuns: '7' }), { scale: 0.5 }).benchmarkRuns, 7)
  })

  test('takes from a duration, down to what can be measured', () => {
    const timed = planned({ duration: '10s' })
    assert.deepEqual(
      [scalePlan(timed, { scale: 0.25 }).durationMs, scalePlan(timed, { scale: 0.001 }).durationMs],
      [2500, 100]
    )
    assert.equal(scalePlan(timed, { scale: 0.25 }).benchmarkRuns, null)
  })

  /** @type {[Record<string, string>, object][]} */
  const shapes = [
    [{ arrivals: 'ramp:to=100/s', rate: '50/s' }, { toPerSecond: 10 }],
    [{ arrivals: 'steps:10/s,20/s' }, { ratesPerSecond: [1, 2] }],
    [{ arrivals: 'sine:amplitude=0.5,period=20s', rate: '50/s' }, { periodMs: 2000 }]
  ]
  for (const [options, expected] of shapes)
    test(`takes from the rates and times of ${options.arrivals}`, () => {
      const shaped = planned({ duration: '20s', ...options })
      const scaled = scalePlan(shaped, { scaleRate: 0.1, scaleTime: 0.1 })
      assert.deepEqual(scaled.arrivals, { .../** @type {object} */ (shaped.arrivals), ...expected })
      assert.equal(scaled.durationMs, 2000)
    })

  test('leaves what the command line gives', () => {
    const kept = scalePlan(plan, { scale: 0.1 }, new Set(['minDuration', 'benchmarkRuns']))
    assert.deepEqual(kept, plan)
  })

  test('gives a plan that cannot be changed', () =>
    assert.ok(Object.isFrozen(scalePlan(plan, { scale: 0.5 }))))
})

describe('the time that is left', () => {
  test('grows with clients, registrations and what is measured', () => {
    const base = estimateMs(planned({}))
    for (const options of [
      { nClients: '100' },
      { initialRegistrations: '100000' },
      { duration: '1m' },
      { warmup: '1m' }
    ])
      assert.ok(estimateMs(planned(options)) > base, JSON.stringify(options))
    assert.ok(estimateMs(planned({ duration: '1h' })) > 3_600_000)
  })
})
