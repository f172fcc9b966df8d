import '../../../src/kit/runtime.js'
import assert from 'node:assert/strict'
import { rmSync } from 'node:fs'
import { cp, readdir, readFile } from 'node:fs/promises'
import { basename, join } from 'node:path'
import { before, describe, test } from 'node:test'
import { aChurnedResult } from '../../scenarios/rendezvous/a-churned-result.js'
import { temporaryFolder } from '../../temporary-folder.js'
import { failedRun, modelledRun } from '../modelled-server.js'
import { runCommand } from '../run-command.js'

/**
 * @typedef {import('../../../src/scenarios/rendezvous/options.js').Plan} Plan
 * @typedef {import('../../../src/cli/index.js').RunScenario} RunScenario
 */

const base = temporaryFolder()

/** @param {number} capacity @param {Plan[]} [plans] - that are run @returns {RunScenario} */
const serverOf = (capacity, plans = []) =>
  async function* (plan, { id }) {
    plans.push(plan)
    const result =
      plan.churn != null ? { ...aChurnedResult(), id, plan } : modelledRun(plan, id, { capacity })
    yield { type: 'result', result }
  }

/** @param {string[]} argv @param {string} name - of the folder of results @param {RunScenario} scenario */
const call = (argv, name, scenario) =>
  runCommand([...argv, '--outputDir', join(base, name)], { base, scenarioOf: () => scenario })

/** @param {string[]} argv */
const show = argv => runCommand(argv, { base, scenarioOf: () => serverOf(1) })

/** @param {string} name */
async function kept(name) {
  const [folder] = (await readdir(join(base, name))).map(each => join(base, name, each))
  return { folder, document: JSON.parse(await readFile(join(folder, 'qa.json'), 'utf8')) }
}

const QUICK = ['qa', 'rendezvous', '--quick']

/** Each run has pages to be made: where nobody looks at the grid, it has the cells that decide. */
const FEW_CELLS = [...QUICK, '--connections', '4', '--rates']

describe('qa rendezvous', () => {
  /** @type {Plan[]} */
  const plans = []
  /** @type {Awaited<ReturnType<typeof call>>} */
  let ended
  before(async () => {
    ended = await call(QUICK, 'first', serverOf(5000, plans))
  })

  test('raises the rates until some are not carried, then examines, holds half, and lets some come and go', () => {
    assert.equal(ended.exitCode, 0, ended.stderr)
    const ran = plans.map(({ scenario, ratePerSecond, nClients, durationMs }) =>
      [scenario.replace('rendezvous', 'r'), ratePerSecond, nClients, (durationMs ?? 0) / 1000].join(' ')
    )
    assert.deepEqual(ran, [
      // as long as a p99 needs
      ...['r 50 1 20', 'r 200 1 5', 'r 800 1 2', 'r 200 4 5', 'r 800 4 2', 'r 3200 4 2'],
      ...['r 1600 1 2', 'r 6400 4 2'],
      ...Array(3).fill('r 3200 4 2'),
      'r 1600 4 8',
      'r 30 15 12'
    ])
  })

  test('says it in tables, in a page and in markdown', async () => {
    const { folder, document } = await kept('first')
    assert.deepEqual(document.status, 'complete')
    assert.deepEqual(document.examined.cell, { ratePerSecond: 800, size: 4 })
    assert.deepEqual(document.on.machine.cores, 2)
    assert.match(
      ended.stdout,
      /^Quality of rendezvous, no baseline: sustained 3,200\/s \(r=800, c=4\), not /m
    )
    assert.match(ended.stdout, /^\| Examined +\| +3200 \| +4 \| +3 \| +2 \| +100 \|/m)
    assert.match(ended.stdout, /^\| Steady +\| +1600 \| +4 \| +1 \| +8 \|/m)
    const [page, text] = await Promise.all(
      ['report.html', 'report.md'].map(file => readFile(join(folder, file), 'utf8'))
    )
    assert.match(text, /^\| +1600 \| +100 \| +78\.13 \|$/m)
    for (const id of ['steps', 'grid', 'trials', 'machine']) assert.match(page, new RegExp(`id="${id}"`), id)
    const ids = [...page.matchAll(/ id="([^"]+)"/g)].map(([, id]) => id)
    assert.deepEqual([...new Set(ids)].length, ids.length, 'nothing has the name of another thing')
    assert.match(text, /node index\.js qa rendezvous --quick --connections 1,4 --duration 2s --runs 3/)
    const listed = await show(['list', join(base, 'first'), '--json'])
    assert.match(listed.stdout, /"qa rendezvous, quick"/)
    assert.equal((await show(['report', folder, '--no-runs'])).exitCode, 0)
    assert.equal(await readFile(join(folder, 'report.html'), 'utf8'), page, 'the same to the byte')
  })

  test('against a baseline fails what carries less', async () => {
    const { folder } = await kept('first')
    const few = [...FEW_CELLS, '200,800', '--runs', '2']
    const slower = await call([...few, '--baseline', folder], 'slower', serverOf(2500))
    assert.equal(slower.exitCode, 3)
    assert.match(
      slower.stdout,
      /^\| Sustained load +\| FAIL +\| +0 \| \(r=800, c=4\) was carried then, and is not now/m
    )
    assert.match(slower.stdout, /^\| Response times +\| UNDECIDED +\| +0 \| the plans differ in/m)
  })

  test('compare lays two over one another, with a page', async () => {
    const { folder } = await kept('first')
    const page = join(base, 'overlay.html')
    const { exitCode, stdout, stderr } = await show(['compare', folder, folder, '--page', page])
    assert.equal(exitCode, 0, stderr)
    assert.match(stdout, /^\| Connections \| Offered \/s \| p50 ms A \| p50 ms B \| Change % B /m)
    assert.match(stdout, /^\| +4 \| +3200 \|/m)
    assert.match(await readFile(page, 'utf8'), /id="loads-p50"/)
    const beside = await show(['compare', join(folder, 'runs', 'examined-1'), folder])
    assert.equal(beside.exitCode, 0, 'beside a run it stands for those of the examined cell')
    const runs = await show(['compare', folder, join(folder, 'runs', 'steady'), '--page', page])
    assert.match(runs.stderr, /^written: /)
    assert.match(await readFile(page, 'utf8'), /id="comparison"/)
  })

  test('without anything carried fails: there is no cell to examine', async () => {
    const argv = [...QUICK, '--rates', '50', '--connections', '1']
    const { exitCode, stderr } = await call(argv, 'nothing', serverOf(20))
    assert.equal(exitCode, 1)
    assert.match(stderr, /no cell met the objective/)
  })

  test('goes on where it was broken off, and takes a baseline then; a cell that failed beyond what is carried is an answer', async () => {
    const { folder } = await kept('first')
    /** @type {Plan[]} */
    const ran = []
    const stopping = /** @type {RunScenario} */ (
      async function* (plan, how) {
        ran.push(plan)
        if (ran.length > 1) yield { type: 'result', result: failedRun(plan, how.id, 'the server is gone') }
        else yield* serverOf(5000)(plan, how)
      }
    )
    // the first cell is carried, the second fails, and the first run of what is examined ends it
    assert.equal((await call([...FEW_CELLS, '800,3200'], 'broken', stopping)).exitCode, 1)
    assert.deepEqual(ran.length, 3)
    /** @type {Plan[]} */
    const left = []
    const again = ['qa', 'rendezvous', '--resume', '--baseline', folder]
    const { exitCode, stdout } = await call(again, 'broken', serverOf(5000, left))
    assert.equal(exitCode, 0, stdout)
    assert.deepEqual(left.length, 5)
    assert.match(stdout, /^Quality of rendezvous, PASS against /m)
    assert.match(stdout, /the server is gone/)
  })

  test('held against a baseline that goes meanwhile ends as not complete, and is refused when it is gone on with', async () => {
    const { folder } = await kept('first')
    const baseline = join(base, 'going')
    await cp(folder, baseline, { recursive: true })
    await cp(folder, join(base, 'later', basename(folder)), { recursive: true })
    const again = ['qa', 'rendezvous', '--resume', '--outputDir', join(base, 'later')]
    const ended = await runCommand([...again, '--baseline', baseline], {
      base,
      // it has been read by now, and is read again at the end
      scenarioOf: () => {
        rmSync(baseline, { recursive: true })
        return serverOf(5000)
      }
    })
    assert.equal(ended.exitCode, 1)
    assert.match(ended.stderr, /not complete: .* can no longer be read: compare this report with it/)
    const refusal = await runCommand(again, { base, scenarioOf: () => serverOf(5000) })
    assert.deepEqual([refusal.exitCode, refusal.loaded], [2, 0])
    assert.match(refusal.stderr, /--baseline .* contains no qa\.json that can be read/)
  })
})
