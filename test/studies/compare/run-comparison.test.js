import '../../../src/kit/runtime.js'
import assert from 'node:assert/strict'
import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, test } from 'node:test'
import { formatResult } from '../../../src/report/result-folder.js'
import { loadScenario } from '../../../src/scenarios/index.js'
import { orderRuns, planOfPair, runComparison } from '../../../src/studies/compare/study.js'
import { sampleResult } from '../../report/sample-result.js'
import { temporaryFolder } from '../../temporary-folder.js'
import { studyComponents } from '../study-components.js'
import { comparisonSample } from './comparison-sample.js'

const base = temporaryFolder()
let folders = 0

const EMPTY = [null, null]

const baseline = join(base, 'baseline')
await mkdir(baseline)
await writeFile(join(baseline, 'result.json'), formatResult(sampleResult()))

/**
 * Runs what is left of two runs of each side.
 *
 * @param {{ runs?: (string | null)[][], baseline?: string }} parts - `runs`: of each side
 * @param {(place: number) => object} [resultOf] - of a run, from 1: parts of its result
 */
async function ran({ runs = [EMPTY, EMPTY], ...parts }, resultOf = () => ({})) {
  const { document: sample } = comparisonSample({ runs: 2, slower: [1.3, 1.5].slice(0, runs.length - 1) })
  const sides = sample.sides.map((side, place) => ({ ...side, runs: runs[place] }))
  const document = { ...sample, sides, ...parts }
  const folder = join(base, `ab-${folders++}`)
  await mkdir(folder)
  /** @type {string[]} */
  const begun = []
  const components = studyComponents(base, {
    findScenario: loadScenario,
    async *runScenario(/** @type {any} */ plan, /** @type {{ id: string }} */ { id }) {
      begun.push(id)
      yield/** @type {any} */ ({
        type: 'result',
        result: { ...sampleResult(), id, plan, ...resultOf(begun.length) }
      })
    },
    tellError: (/** @type {unknown} */ error) => assert.fail(String(error))
  })
  await runComparison(document, folder, components)
  return { document, begun: begun.map(id => id.replace(/^.*-(?=[abc]\d\d$)/, '')) }
}

test('plans take turns, so that what drifts meets both alike', () =>
  assert.deepEqual(
    orderRuns(3, ['a', 'b']).map(({ pair, arm }) => `${arm}${pair}`),
    ['a0', 'b0', 'b1', 'a1', 'a2', 'b2']
  ))

test('each pair of simulated runs has a seed of its own: with one seed all pairs would be the same', () => {
  const seeds = (/** @type {any} */ plan) => [0, 1, 2].map(pair => planOfPair(plan, pair).seed)
  assert.deepEqual(seeds({ network: 'simulated', seed: 5 }), [5, 6, 7])
  for (const real of [{ network: 'loopback', seed: 5 }, { seed: 5 }]) assert.deepEqual(seeds(real), [5, 5, 5])
})

describe('two plans that are run in turn', () => {
  test('fill their pairs, and say how the second stands against a baseline', async () => {
    const { document, begun } = await ran({ baseline })
    assert.deepEqual(begun, ['a01', 'b01', 'b02', 'a02'])
    assert.equal(document.status, 'complete')
    for (const place of [0, 1])
      assert.match(document.sides.map(({ runs }) => runs[place]).join(' '), /^a\/.*-a0\d b\/.*-b0\d$/)
    assert.equal(document.held?.baseline.label, baseline)
  })

  test('are held against nothing unless it was asked for', async () =>
    assert.equal((await ran({})).document.held, null))

  test('end at a run that did not come to its end, and are held against nothing without a whole pair', async () => {
    const partial = { status: 'partial', reason: { code: 'DIED', message: 'the server died' } }
    const { document, begun } = await ran({ baseline }, place => (place === 2 ? partial : {}))
    assert.deepEqual([begun, document.status, document.reason?.code], [['a01', 'b01'], 'partial', 'DIED'])
    assert.equal(document.sides[1].runs[0], null)
    assert.equal(document.held, null)
  })

  test('make a pair again that was broken off, and leave alone one that is whole', async () => {
    const { begun } = await ran({
      runs: [
        ['a/x-a01', null],
        ['b/x-b01', 'b/x-b02']
      ]
    })
    assert.deepEqual(begun, ['b02', 'a02'])
  })

  test('do not begin without the baseline that was named', async () =>
    assert.rejects(ran({ baseline: join(base, 'nowhere') }), /nowhere/))
})

test('three plans take turns too', async () => {
  const { begun, document } = await ran({ runs: [EMPTY, EMPTY, EMPTY] })
  assert.deepEqual(begun, ['a01', 'b01', 'c01', 'c02', 'b02', 'a02'])
  assert.equal(document.status, 'complete')
})

test('one plan is run as often as is left, and held against a baseline', async () => {
  const { begun, document } = await ran({ runs: [[null, null]], baseline })
  assert.deepEqual([begun, document.held?.baseline.label], [['a01', 'a02'], baseline])
  assert.deepEqual((await ran({ runs: [['runs/x-01', null]] })).begun, ['a02'])
})
