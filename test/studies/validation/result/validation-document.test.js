import '../../../../src/node-shim.js'
import assert from 'node:assert/strict'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, describe, test } from 'node:test'
import { judgeFigures } from '../../../../src/studies/validation/result/judge-measures.js'
import { VALIDATION_DOCUMENT } from '../../../../src/studies/validation/result/validation-document.js'

const base = await mkdtemp(join(tmpdir(), 'validation-document-'))
after(() => rm(base, { recursive: true }))

/** @param {object} document */
async function readBack(document) {
  await writeFile(join(base, VALIDATION_DOCUMENT.file), JSON.stringify(document))
  return VALIDATION_DOCUMENT.read(base)
}

const LINK_MS = 400
const REAL = Array.from({ length: 10 }, (_, i) => 2 + i / 1000)

/** A verdict of before there were counter-checks. @param {number} ratio @param {boolean} [passed] @returns {any} */
const earlier = (ratio, passed = true) => ({
  schemaVersion: 1,
  runs: { real: [{ plan: { linkLatencyMs: LINK_MS } }], simulated: [] },
  verdict: {
    passed,
    conditions: [],
    measures: [
      { name: 'median', real: REAL, simulated: REAL.map((x, i) => ratio * x * (1 + (i % 3) / 1000)) },
      { name: 'distance', real: [0.1], simulated: [0.1] }
    ]
  }
})

describe('the document of an earlier validation', () => {
  test('is judged anew by the figures that stand in it, as far as they still are measures', async () => {
    const read = await readBack(earlier(1))
    assert.deepEqual(read?.runs.slower, [])
    const { measures = [], counter, passed } = read?.verdict ?? {}
    assert.deepEqual([counter, passed], [[], true])
    assert.deepEqual(
      measures.map(({ name, verdict, real }) => [name, verdict, real]),
      [['p50', 'agrees', REAL]]
    )
    const [{ name, real, simulated, margin }] = measures
    assert.deepEqual(measures, [judgeFigures({ name, real, simulated }, margin)])
  })

  test('does not pass where a measure differs now, nor where it did not pass then', async () => {
    const read = await readBack(earlier(1.5))
    assert.deepEqual([read?.verdict?.passed, read?.verdict?.measures[0].verdict], [false, 'differs'])
    assert.equal((await readBack(earlier(1, false)))?.verdict?.passed, false)
  })

  test('stays without a verdict where it had none', async () => {
    assert.equal((await readBack({ ...earlier(1), verdict: null }))?.verdict, null)
  })
})

test('the document of a later validation is read as it was written, anything else not at all', async () => {
  const document = earlier(1)
  document.runs.slower = [{ run: 'x' }]
  document.verdict.counter = [{ what: 'latency', verdict: 'differs' }]
  assert.deepEqual(await readBack(document), document)
  assert.equal(await readBack({ schemaVersion: 1, runs: {} }), null)
})
