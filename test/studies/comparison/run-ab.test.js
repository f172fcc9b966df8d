import '../../../src/node-shim.js'
import assert from 'node:assert/strict'
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, describe, test } from 'node:test'
import { resultText } from '../../../src/result/folder.js'
import { findScenario } from '../../../src/scenarios/index.js'
import { runAb, turns } from '../../../src/studies/comparison/run-ab.js'
import { sampleResult } from '../../report/sample-result.js'
import { viewOf } from '../../report/shown.js'
import { abSample } from './ab-sample.js'

const base = await mkdtemp(join(tmpdir(), 'run-ab-'))
after(() => rm(base, { recursive: true }))
let folders = 0

const baseline = join(base, 'baseline')
await mkdir(baseline)
await writeFile(join(baseline, 'result.json'), resultText(sampleResult()))

/**
 * Runs what is left of two pairs.
 *
 * @param {Partial<import('../../../src/studies/comparison/ab-folder.js').AbDocument>} parts
 * @param {(place: number) => object} [resultOf] - of a run, from 1: parts of its result
 */
async function ran(parts, resultOf = () => ({})) {
  const pairs = [0, 1].map(() => ({ a: null, b: null }))
  const document = { ...abSample({ pairs: 2 }).document, pairs, ...parts }
  const folder = join(base, `ab-${folders++}`)
  await mkdir(folder)
  /** @type {string[]} */
  const begun = []
  const components = {
    findScenario,
    async *runScenario(/** @type {any} */ plan, /** @type {{ id: string }} */ { id }) {
      begun.push(id)
      yield/** @type {any} */ ({
        type: 'result',
        result: { ...sampleResult(), id, plan, ...resultOf(begun.length) }
      })
    },
    viewOf,
    signal: new AbortController().signal,
    cacheDir: base,
    progress: { begin() {}, add() {}, end() {}, notice() {}, close() {} },
    complain() {},
    tellError: (/** @type {unknown} */ error) => assert.fail(String(error)),
    output: { csv: false, outputFile: null },
    now: () => new Date(1000)
  }
  await runAb(document, folder, /** @type {any} */ (components))
  return { document, begun: begun.map(id => id.replace(/^.*-(?=[ab]\d\d$)/, '')) }
}

test('plans take turns, so that what drifts meets both alike', () =>
  assert.deepEqual(
    turns(3).map(({ pair, arm }) => `${arm}${pair}`),
    ['a0', 'b0', 'b1', 'a1', 'a2', 'b2']
  ))

describe('two plans that are run in turn', () => {
  test('fill their pairs, and say how the second stands against a baseline', async () => {
    const { document, begun } = await ran({ baseline })
    assert.deepEqual(begun, ['a01', 'b01', 'b02', 'a02'])
    assert.equal(document.status, 'complete')
    for (const { a, b } of document.pairs) assert.match(`${a} ${b}`, /^a\/.*-a0\d b\/.*-b0\d$/)
    assert.equal(document.held?.baseline.label, baseline)
  })

  test('are held against nothing unless it was asked for', async () =>
    assert.equal((await ran({})).document.held, null))

  test('end at a run that did not come to its end, and are held against nothing without a whole pair', async () => {
    const partial = { status: 'partial', reason: { code: 'DIED', message: 'the server died' } }
    const { document, begun } = await ran({ baseline }, place => (place === 2 ? partial : {}))
    assert.deepEqual([begun, document.status, document.reason?.code], [['a01', 'b01'], 'partial', 'DIED'])
    assert.equal(document.pairs[0].b, null)
    assert.equal(document.held, null)
  })

  test('make a pair again that was broken off, and leave alone one that is whole', async () => {
    const whole = { a: 'a/x-a01', b: 'b/x-b01' }
    const { begun } = await ran({ pairs: [whole, { a: null, b: 'b/x-b02' }] })
    assert.deepEqual(begun, ['b02', 'a02'])
  })

  test('do not begin without the baseline that was named', async () =>
    assert.rejects(ran({ baseline: join(base, 'nowhere') }), /nowhere/))
})
