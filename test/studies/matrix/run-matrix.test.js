import '../../../src/kit/runtime.js'
import assert from 'node:assert/strict'
import { mkdir, readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, test } from 'node:test'
import { listMatrixRows } from '../../../src/cli/commands/matrix.js'
import { describeMissingPackages } from '../../../src/libp2p/stacks.js'
import { loadScenario } from '../../../src/scenarios/index.js'
import { MATRIX_DOCUMENT, makeMatrixDocument } from '../../../src/studies/matrix/matrix-document.js'
import { MATRIX_STUDY, runMatrix } from '../../../src/studies/matrix/study.js'
import { sampleResult, summary } from '../../report/sample-result.js'
import { viewOf } from '../../report/shown.js'
import { expandMatrices, readMatrixFile } from '../../scenarios.js'
import { temporaryFolder } from '../../temporary-folder.js'
import { columnIn } from '../described-summary.js'
import { studyComponents } from '../study-components.js'

const base = temporaryFolder()

const QUIET = { pressurePercent: 2, stealPercent: 0 }
/** Of attempts of which no two agree, since the load does not make it. */
const PRESSURES = [20, 30, 45, 70, 28, 50]

const FILE = {
  title: 'Several runs',
  runs: 3,
  rows: [
    { name: 'a', nClients: 1 },
    { name: 'b', nClients: 2 },
    { name: 'c', nClients: 3 }
  ]
}

/** @param {object} [line] @param {Record<string, unknown>} [file] */
function tables(line, file = FILE) {
  const { matrix, problems } = readMatrixFile('t.yaml', file)
  assert.equal(problems, undefined)
  const read = { id: 't', file: 't.yaml', matrix: /** @type {any} */ (matrix) }
  return expandMatrices([read], { cores: 2, ...line }).tables
}

/** @param {any} document @param {ReadonlyMap<string, any>} loaded - results of its rows */
const keptOf = (document, loaded) =>
  new Map(
    document.tables[0].rows.flatMap((/** @type {any} */ record) =>
      loaded.has(record.id) ? [[record.id, { record, result: loaded.get(record.id), results: loaded }]] : []
    )
  )

/**
 * Runs what is left of a matrix. Results are made up: so many operations a second as runs were begun, on a machine in a state.
 *
 * @param {import('../../../src/studies/matrix/matrix-document.js').MatrixDocument} document
 * @param {(name: string, begun: number) => { pressurePercent: number, stealPercent: number }} stateOf - of a row's next run
 * @param {{ folder: string, results?: Map<string, any>, breakAt?: number }} more
 */
async function runMadeUp(document, stateOf, { folder, results = new Map(), breakAt = Infinity }) {
  /** @type {string[]} */
  const order = []
  await mkdir(folder, { recursive: true })
  const controller = new AbortController()
  const components = studyComponents(base, {
    async *runScenario(/** @type {any} */ plan, /** @type {{ id: string }} */ { id }) {
      const name = 'abc'[plan.nClients - 1]
      order.push(name)
      if (order.length === breakAt) controller.abort(new Error('interrupted by a test'))
      const status = controller.signal.aborted ? 'partial' : 'complete'
      const made = sampleResult()
      const lateness = { hiccups: summary(100), processes: [], series: [], ...stateOf(name, order.length) }
      const [[type, operation]] = Object.entries(made.outcome.operations)
      const operations = { [type]: { ...operation, throughputPerSecond: 100 * order.length } }
      const run = { ...made.run, lateness }
      yield/** @type {any} */ ({
        type: 'result',
        result: { ...made, id, status, plan, run, outcome: { ...made.outcome, operations } }
      })
    },
    signal: controller.signal,
    hurried: () => true,
    results
  })
  await runMatrix(document, folder, components)
  return { order, results, folder }
}

/** @param {object} [parts] */
const aDocument = (parts = {}) =>
  makeMatrixDocument({
    id: 'a-matrix',
    startedAt: '2026-11-20T07:12:00.000Z',
    request: { files: [], flags: {}, only: [], scale: 1 },
    tables: tables(),
    chosen: () => true,
    ...parts
  })

/** What its report is written from. @param {any} document @param {string} folder */
async function describedIn(document, folder) {
  const results = /** @type {any} */ (await MATRIX_STUDY.load(folder, document, loadScenario))
  return MATRIX_STUDY.describe(document, results, viewOf)
}

/** @param {ReturnType<typeof aDocument>} document */
const attemptsIn = ({ tables: [{ rows }] }) =>
  rows.map(
    ({ name, status, attempts = [] }) => `${name} ${status} ${attempts.map(({ run }) => run).join('')}`
  )

describe('a matrix of rows of three runs', () => {
  test('runs all rows once, then again, in an order of its own each time, which the seed decides', async () => {
    const [one, two] = [
      await runMadeUp(aDocument(), () => QUIET, { folder: join(base, 'one') }),
      await runMadeUp(aDocument(), () => QUIET, { folder: join(base, 'two') })
    ]
    const blocks = [0, 3, 6].map(from => one.order.slice(from, from + 3))
    for (const block of blocks) assert.deepEqual([...block].sort(), ['a', 'b', 'c'])
    assert.ok(new Set(blocks.map(block => block.join(''))).size > 1, 'in the same order each time')
    assert.deepEqual(one.order, two.order)
  })

  test('repeats a run under pressure, keeps all attempts, and says which counts', async () => {
    const document = aDocument()
    const pressures = [...PRESSURES]
    const stateOf = (/** @type {string} */ name) => ({
      ...QUIET,
      ...(name === 'b' && pressures.length > 0 && { pressurePercent: Number(pressures.shift()) })
    })
    const { folder } = await runMadeUp(document, stateOf, { folder: join(base, 'pressed') })
    // the first four of b were under pressure, and of the next two
    assert.deepEqual(attemptsIn(document), ['a complete 123', 'b complete 11112223', 'c complete 123'])
    assert.equal((await readdir(join(folder, 't'))).length, 14)
    const described = await describedIn(document, folder)
    assert.deepEqual(columnIn(described, 't', 'Runs'), [3, 3, 3])
    const [rows, waited, counts] = ['Row', 'Waited for a core %', 'Counts'].map(heading =>
      columnIn(described, 'attempts', heading)
    )
    const ofB = (/** @type {unknown[]} */ column) => column.filter((_, i) => rows[i] === 't/b')
    assert.deepEqual(ofB(waited), [...PRESSURES, 2, 2])
    assert.deepEqual(ofB(counts).join(' '), 'yes no no no no no yes yes')
  })

  test('repeats no run for pressure that its load makes itself, once a repeat had no less', async () => {
    const document = aDocument()
    await runMadeUp(document, () => ({ ...QUIET, pressurePercent: 24 }), { folder: join(base, 'own') })
    assert.deepEqual(attemptsIn(document), ['a complete 1123', 'b complete 1123', 'c complete 1123'])
  })

  test('has what all runs have together, the least and the greatest of every column', async () => {
    const document = aDocument()
    const { folder, results, order } = await runMadeUp(document, () => QUIET, {
      folder: join(base, 'spread')
    })
    const described = await describedIn(document, folder)
    const rates = order.flatMap((name, i) => (name === 'a' ? [100 * (i + 1)] : []))
    const together = (rates[0] + rates[1] + rates[2]) / 3
    assert.equal(columnIn(described, 't', 'Op/s')[0], together)
    assert.deepEqual(columnIn(described, 't-spread', 'Op/s').slice(0, 3), rates)
    const { outcome } = results.get('t/a')
    assert.deepEqual(
      Object.values(outcome.operations).map(({ count, throughputPerSecond }) => [count, throughputPerSecond]),
      [[1500, together]]
    )
  })

  test('that was broken off goes on with the runs that are left', async () => {
    const document = aDocument()
    const { folder } = await runMadeUp(document, () => QUIET, { folder: join(base, 'broken'), breakAt: 5 })
    assert.equal(document.status, 'partial')
    assert.equal(attemptsIn(document).filter(row => row.includes('complete')).length, 0)
    const before = /** @type {any} */ (await MATRIX_DOCUMENT.read(folder))
    const loaded = /** @type {Map<string, any>} */ (await MATRIX_STUDY.load(folder, before, loadScenario))
    const resumed = aDocument({ previousRows: keptOf(before, loaded) })
    const { order } = await runMadeUp(resumed, () => QUIET, { folder, results: loaded })
    assert.equal(order.length, 5, 'four were complete')
    assert.match(attemptsIn(resumed).join(), /^a complete \d+,b complete \d+,c complete \d+$/)
    assert.equal(resumed.status, 'complete')
  })
})

describe('a row of two runs beside one of one', () => {
  const file = {
    title: 'Merged',
    rows: [
      { name: 'a', nClients: 1, runs: 2 },
      { name: 'b', nClients: 2 }
    ]
  }
  const request = { files: [], flags: {}, vary: {}, only: [], scale: 1 }
  const aMatrix = (/** @type {any} */ kept = new Map()) =>
    aDocument({ tables: tables({}, file), request, previousRows: kept })
  /** How often each row was run, and what of it the table shows. @param {any} document @param {string} folder */
  const shown = async (document, folder) => {
    const described = await describedIn(document, folder)
    const { columns, rows } = described.tables[0]
    const [ops, status] = ['Ops', 'Status'].map(
      heading => rows[0][columns.findIndex(([name]) => name === heading)]
    )
    return { attempts: attemptsIn(document), ops, status, described }
  }

  test('is listed with the time of both', () => {
    const [once, twice] = [{ name: 'a', nClients: 1 }, file.rows[0]].map(row => {
      const listed = aDocument({ tables: tables({}, { title: 'T', rows: [row] }) })
      const [[, about]] = listMatrixRows(listed, viewOf).table.rows
      return Number.parseFloat(String(about))
    })
    assert.ok(Math.abs(twice - 2 * once) <= 0.1, `${once} and ${twice} s`)
  })

  test('has one line, of both, and no run is repeated under pressure', async () => {
    const document = aMatrix()
    const pressed = () => ({ ...QUIET, pressurePercent: 60 })
    const { folder } = await runMadeUp(document, pressed, { folder: join(base, 'merged') })
    const { attempts, ops, described } = await shown(document, folder)
    assert.deepEqual(attempts, ['a complete 12', 'b complete '])
    assert.equal(ops, 1000)
    assert.ok(!described.tables.some(({ id }) => id === 't-spread'))
  })

  test('keeps the run that was whole where the other was broken off, says so, and goes on with that one', async () => {
    const document = aMatrix()
    const { folder, order } = await runMadeUp(document, () => QUIET, {
      folder: join(base, 'merged-broken'),
      breakAt: 3
    })
    assert.equal(order.at(-1), 'a')
    const before = await shown(document, folder)
    assert.equal(before.attempts[0], 'a interrupted 12')
    assert.deepEqual([before.ops, before.status], [500, 'interrupted'])

    const stored = /** @type {any} */ (await MATRIX_DOCUMENT.read(folder))
    const loaded = /** @type {Map<string, any>} */ (await MATRIX_STUDY.load(folder, stored, loadScenario))
    const resumed = aMatrix(keptOf(stored, loaded))
    const more = await runMadeUp(resumed, () => QUIET, { folder, results: loaded })
    assert.deepEqual(more.order, ['a'])
    assert.equal((await shown(resumed, folder)).ops, 1000)
    const last = /** @type {any} */ (await MATRIX_DOCUMENT.read(folder))
    const again = await MATRIX_STUDY.load(folder, last, loadScenario)
    assert.equal(/** @type {any} */ (again).get('t/a').outcome.operations.REGISTER.count, 1000)
  })
})

test('--runs goes before what files say; a row that was run once has its first run', () => {
  assert.deepEqual(
    tables({ runs: 5 })[0].rows.map(({ runs }) => runs),
    [5, 5, 5]
  )
  const { problems } = readMatrixFile('t.yaml', { ...FILE, scenario: 'gossip', runs: 2 })
  assert.deepEqual(
    problems?.map(({ flag, value, allowed }) => [flag, value, allowed]),
    [['t.yaml: runs', '2', 'must be an odd whole number from 1 to 15, such as 3']]
  )
  const [row] = tables()[0].rows
  const result = /** @type {any} */ ({ ...sampleResult(), plan: row.plan })
  const done = { runs: undefined, status: 'complete', result: 't/a/result.json', tookMs: 7 }
  const kept = new Map([[row.id, { record: { ...row, ...done }, result, results: new Map() }]])
  const [gone] = aDocument({ previousRows: kept }).tables[0].rows
  assert.deepEqual(
    [gone.status, gone.attempts?.map(({ run, result, tookMs }) => [run, result, tookMs])],
    ['pending', [[1, 't/a/result.json', 7]]]
  )
})

describe('rows that differ in the generation of libp2p', {
  skip: describeMissingPackages('libp2p-2') ?? false
}, () => {
  /** @param {Record<string, unknown>[]} rows @param {Record<string, unknown>} [flags] */
  function stockOf(rows, flags = {}) {
    const [{ rows: made }] = tables({ flags }, { title: 'Stacks', rows })
    return made.map(({ plan }) => /** @type {any} */ (plan).stock)
  }

  const rows = [{ stack: 'libp2p-3' }, { stack: 'libp2p-2' }]

  test('are all stock, unless something else is said', () => {
    assert.deepEqual(stockOf(rows), [true, true])
    assert.deepEqual(stockOf(rows, { stock: false }), [false, false])
    assert.deepEqual(stockOf([rows[0], { ...rows[1], stock: false }]), [true, false])
    assert.deepEqual(stockOf([{ nClients: 1 }, { nClients: 2 }]), [false, false])
  })
})
