import '../../../src/kit/runtime.js'
import assert from 'node:assert/strict'
import { mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, test } from 'node:test'
import { loadScenario } from '../../../src/scenarios/index.js'
import { listPlansAhead, runQa } from '../../../src/studies/qa/study.js'
import { failedRun, modelledRun } from '../../cli/modelled-server.js'
import { aChurnedResult } from '../../scenarios/rendezvous/a-churned-result.js'
import { temporaryFolder } from '../../temporary-folder.js'
import { studyComponents } from '../study-components.js'
import { aQaDocument, aTrial } from './a-qa-document.js'

const base = temporaryFolder()
let folders = 0

/** A quality report of which nothing but the given was run. @param {Parameters<typeof aQaDocument>[0]} [parts] */
const early = parts => {
  const { rotation } = aQaDocument()
  return aQaDocument({
    watched: /** @type {any} */ ({ host: {}, hiccups: {} }),
    examined: { cell: null, trials: [], runs: 2 },
    ...{ steady: null, steadySeconds: 2, on: null },
    rotation: { ...rotation, plan: null, why: 'it is left out', run: null, came: null },
    ...parts
  })
}

/** Runs what is left of it on a server that carries 60/s. @param {ReturnType<typeof aQaDocument>} document @param {(name: string) => boolean} [fails] */
async function ran(document, fails = () => false) {
  /** @type {string[]} */
  const begun = []
  const components = studyComponents(base, {
    findScenario: loadScenario,
    async *runScenario(/** @type {any} */ plan, /** @type {{ id: string }} */ { id }) {
      begun.push(id)
      const rotates = plan.churn != null
      const result = fails(id)
        ? failedRun(plan, id, 'out of memory')
        : rotates
          ? { ...aChurnedResult(), id, plan }
          : modelledRun(plan, id, { capacity: 60 })
      yield/** @type {any} */ ({ type: 'result', result })
    }
  })
  const folder = join(base, String(folders++))
  await mkdir(folder)
  await runQa(document, folder, components)
  return { document, begun }
}

const pending = (/** @type {number} */ rate) =>
  aTrial(rate, null, { status: 'pending', run: null, name: `r${rate}` })

describe('a quality report that is run', () => {
  test('is complete where all was run, and a cell that failed beyond what is carried is an answer', async () => {
    const document = early({ grid: { cells: [pending(50), pending(100)], chosen: null } })
    const { begun } = await ran(document, name => name === 'r100')
    assert.deepEqual([document.status, document.reason], ['complete', null])
    assert.deepEqual(document.examined.cell, { ratePerSecond: 50, size: 1 })
    assert.equal(begun.length, 5)
    assert.equal(document.steady?.perSecond, 25)
  })

  test('runs a cell that failed beyond what is carried once, whatever is added and however often it is gone on with', async () => {
    const document = early({ grid: { rates: [90, 100], cells: [pending(90), pending(100)], chosen: null } })
    document.growth = { factor: 2, rows: 2 }
    const { begun } = await ran(document, name => name === 'r100')
    assert.deepEqual([document.grid.rates, document.status], [[22.5, 90, 100], 'complete'])
    assert.deepEqual(
      begun.filter(name => name === 'r100'),
      ['r100']
    )
    const kept = early({ grid: { cells: [aTrial(50), aTrial(100, null)] } })
    const again = await ran(kept)
    assert.ok(!again.begun.includes('r100'), again.begun.join())
    assert.equal(kept.status, 'complete')
  })

  test('is partial where a cell failed at a load that is carried elsewhere', async () => {
    const document = early({ grid: { cells: [pending(50), pending(25)], chosen: null } })
    await ran(document, name => name === 'r25')
    assert.deepEqual(
      [document.status, document.reason],
      ['partial', { code: 'RUNS_FAILED', message: '1 of 5 runs are not complete' }]
    )
  })

  test('ends at a run after the grid that fails, with what ended it', async () => {
    const document = early({ grid: { cells: [pending(50), pending(100)], chosen: null } })
    await ran(document, name => /steady/.test(name))
    assert.deepEqual([document.status, document.reason?.code], ['partial', 'SERVER_EXITED'])
  })

  test('has ahead what was not run', () => {
    const plans = listPlansAhead(early({ grid: { cells: [pending(50), aTrial(100)] } }))
    assert.deepEqual(
      plans.map(plan => /** @type {any} */ (plan).ratePerSecond),
      [50, 100, 100, 100]
    )
  })
})
