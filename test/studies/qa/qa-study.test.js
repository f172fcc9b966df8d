import '../../../src/kit/runtime.js'
import assert from 'node:assert/strict'
import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, test } from 'node:test'
import { formatResult } from '../../../src/report/result-folder.js'
import { loadScenario } from '../../../src/scenarios/index.js'
import { judgeParts } from '../../../src/studies/qa/baseline.js'
import { QA_STUDY } from '../../../src/studies/qa/study.js'
import { sampleResult } from '../../report/sample-result.js'
import { temporaryFolder } from '../../temporary-folder.js'
import { aQaDocument, aTrial } from './a-qa-document.js'

const base = temporaryFolder()

const HELD = judgeParts(aQaDocument({ id: 'old' }), aQaDocument(), [])

/** @param {Parameters<typeof aQaDocument>[0]} [parts] */
const verdictOf = parts => QA_STUDY.verdict(aQaDocument(parts), null)

describe('a quality report as a study', () => {
  test('has runs of its cells, of the examined one, the steady one, and the one in which some come and go', () => {
    assert.deepEqual(QA_STUDY.runs(aQaDocument()), [
      ...['runs/r50', 'runs/r100', 'runs/examined-1', 'runs/examined-2', 'runs/examined-3'],
      ...['runs/steady', 'runs/rotation']
    ])
    const without = aQaDocument({
      grid: { cells: [aTrial(50, null, { run: null })] },
      examined: { trials: [] },
      ...{ steady: null, rotation: { run: null } }
    })
    assert.deepEqual(QA_STUDY.runs(without), [])
  })

  test('loads the runs that can be read, by their folders', async () => {
    await mkdir(join(base, 'runs/r50'), { recursive: true })
    await mkdir(join(base, 'runs/r100'), { recursive: true })
    await writeFile(join(base, 'runs/r50/result.json'), formatResult({ ...sampleResult(), id: 'r50' }))
    await writeFile(join(base, 'runs/r100/result.json'), '{')
    const results = await QA_STUDY.load(base, aQaDocument(), loadScenario)
    assert.deepEqual(
      [...results].map(([run, { id }]) => [run, id]),
      [['runs/r50', 'r50']]
    )
  })

  test('is not met where a part fails, and undecided where one is open', () => {
    const asked = (/** @type {any} */ verdict) => {
      const { notMet, undecided } = verdictOf({ held: { ...HELD, verdict } })
      return [notMet, undecided]
    }
    assert.deepEqual(asked('FAIL'), [true, false])
    assert.deepEqual(asked('UNDECIDED'), [false, true])
    assert.deepEqual(asked('PASS'), [false, false])
    const { notMet, undecided } = verdictOf()
    assert.deepEqual([notMet, undecided], [false, false])
  })

  test('is generator-limited where a run of the examined cell is', () => {
    assert.equal(verdictOf().generatorLimited, false)
    const trials = [aTrial(50), aTrial(50, { generatorLimited: true }), aTrial(50, null)]
    assert.equal(verdictOf({ examined: { trials } }).generatorLimited, true)
  })

  test('is told in a line by what it was held against, else by what was carried', () => {
    assert.deepEqual(QA_STUDY.inLine(aQaDocument({ held: { ...HELD, verdict: 'FAIL' } })), [
      'qa rendezvous',
      'FAIL against old'
    ])
    const [what, answer] = QA_STUDY.inLine(aQaDocument({ quick: true }))
    assert.equal(what, 'qa rendezvous, quick')
    assert.match(answer, /50/)
    assert.equal(QA_STUDY.shown(aQaDocument()).length, 1)
  })
})
