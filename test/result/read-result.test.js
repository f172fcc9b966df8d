import '../../src/kit/runtime.js'
import assert from 'node:assert/strict'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, test } from 'node:test'
import { migrated, ResultFileError, readComparedResult } from '../../src/report/read-result.js'
import { resultText } from '../../src/report/result-folder.js'
import { findScenario } from '../../src/scenarios/index.js'
import { sampleResult } from '../report/sample-result.js'
import { readResult, resultFromText } from '../scenarios.js'

const TEXT = resultText(sampleResult())

/** @param {any} parts */
const changed = parts => JSON.stringify({ ...JSON.parse(TEXT), ...parts })

/** @param {string} text */
function withHistogram(text) {
  const result = JSON.parse(TEXT)
  const [type] = Object.keys(result.outcome.operations)
  result.outcome.operations[type].histograms.OK = text
  return JSON.stringify(result)
}

test('what is written is read again', async () => {
  assert.deepEqual(await resultFromText(TEXT, 'x'), JSON.parse(TEXT))
})

describe('a file that is no result says what is wrong with it:', () => {
  /** @type {[string, string, RegExp][]} */
  const cases = [
    ['half of one', TEXT.slice(0, TEXT.length / 2), /^x is damaged: it is no whole JSON document$/],
    ['an empty file', '', /^x is damaged: it is no whole JSON/],
    ['nothing', 'null', /^x is no result of libp2p-loadtest: it has no schemaVersion and scenario$/],
    ['another document', '{"schemaVersion": 1, "tables": []}', /is no result of libp2p-loadtest/],
    ['a list', '[1]', /is no result of libp2p-loadtest/],
    [
      'a later version',
      changed({ schemaVersion: 3 }),
      /^x has version 3, and this program reads up to 2: use a later/
    ],
    [
      'a histogram that is no base64',
      withHistogram('no base64!'),
      /damaged or .*: outcome\..*histograms\.OK: is no histogram/
    ],
    ['half a histogram', withHistogram('HISTFAAAAB'), /histograms\.OK: is no histogram that can be read$/],
    ['no plan', changed({ plan: undefined }), /is damaged or was changed by hand: plan: /],
    [
      'many things',
      changed({ id: 7, status: 7, reason: 7, run: 7 }),
      /: id: .*; status: .*; reason: .*; 1 more$/
    ]
  ]
  for (const [what, text, message] of cases)
    test(what, () =>
      assert.rejects(
        () => resultFromText(text, 'x'),
        error => error instanceof ResultFileError && message.test(error.message)
      )
    )
})

describe('an older result', () => {
  test('of the same version gets what was added since, as the program was before', async () => {
    const old = JSON.parse(TEXT)
    for (const key of ['server', 'cpus', 'memoryBytes', 'targetContainer']) delete old.plan[key]
    for (const key of ['chosenBy', 'container']) delete old.outcome.target[key]
    delete old.outcome.server.memoryCountedAs
    const { plan, outcome } = /** @type {import('../../src/report/schema.js').Result} */ (
      await resultFromText(JSON.stringify(old), 'x')
    )
    assert.deepEqual([plan.server, plan.cpus], ['process', null])
    assert.equal(outcome.server?.memoryCountedAs, 'resident set')
  })

  test('of an older version goes through every version between', () => {
    const toNext = {
      1: (/** @type {any} */ { old, ...document }) => ({ ...document, newer: old }),
      2: (/** @type {any} */ { newer, ...document }) => ({ ...document, newest: newer * 2 })
    }
    assert.deepEqual(
      migrated({ schemaVersion: 1, old: 7 }, { version: 3, filled: document => document, toNext }),
      {
        schemaVersion: 3,
        newest: 14
      }
    )
  })
})

describe('on disk', () => {
  /** @type {string} */
  let base
  beforeEach(async () => {
    base = await mkdtemp(join(tmpdir(), 'loadtest-read-'))
  })
  afterEach(() => rm(base, { recursive: true }))

  test('a result is named by its folder or by its file', async () => {
    await writeFile(join(base, 'result.json'), TEXT)
    assert.deepEqual(await readResult(base), await readResult(join(base, 'result.json')))
  })

  test('a result with a byte order mark is read, and one that is not UTF-8 is refused with its line', async () => {
    await writeFile(join(base, 'result.json'), `\uFEFF${TEXT}`)
    assert.deepEqual(await readResult(base), JSON.parse(TEXT))
    await writeFile(join(base, 'result.json'), Buffer.from('{"a":\n "\u00E9"}', 'latin1'))
    await assert.rejects(readResult(base), { message: /result\.json is not UTF-8: line 2 has other bytes$/ })
  })

  test('a result is read for a comparison where its scenario has what is compared', async () => {
    await writeFile(join(base, 'result.json'), TEXT)
    const { result, scenario } = await readComparedResult(base, findScenario)
    assert.deepEqual([result, scenario.name], [await readResult(base), 'rendezvous'])
    /** @type {import('../../src/scenarios/index.js').FindScenario} */
    const uncompared = async name => ({
      .../** @type {any} */ (await findScenario(name)),
      compared: undefined
    })
    await assert.rejects(readComparedResult(base, uncompared), {
      code: 'BAD_RESULT',
      message: `${base} is a result of the rendezvous scenario, which cannot be compared yet`
    })
  })

  test('what is not there is said', async () => {
    await assert.rejects(readResult(base), { code: 'BAD_RESULT', message: /result\.json does not exist$/ })
    await assert.rejects(readResult(join(base, 'none')), { message: /none does not exist$/ })
  })
})
