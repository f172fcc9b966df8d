import '../../src/kit/runtime.js'
import assert from 'node:assert/strict'
import { readdirSync, readFileSync } from 'node:fs'
import { writeFile } from 'node:fs/promises'
import { basename, dirname, join } from 'node:path'
import { describe, test } from 'node:test'
import { fileURLToPath } from 'node:url'
import { migrateResult, ResultFileError, readComparedResult } from '../../src/report/read-result.js'
import { formatResult } from '../../src/report/result-folder.js'
import { loadScenario } from '../../src/scenarios/index.js'
import { readResult, resultFromText } from '../scenarios.js'
import { emptyBeforeEach, temporaryFolder } from '../temporary-folder.js'
import { sampleResult } from './sample-result.js'

const TEXT = formatResult(sampleResult())

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
      migrateResult({ schemaVersion: 1, old: 7 }, { version: 3, filled: document => document, toNext }),
      { schemaVersion: 3, newest: 14 }
    )
  })
})

describe('on disk', () => {
  const base = temporaryFolder()
  emptyBeforeEach(base)

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
    const { result, scenario } = await readComparedResult(base, loadScenario)
    assert.deepEqual([result, scenario.name], [await readResult(base), 'rendezvous'])
    /** @type {import('../../src/scenarios/index.js').LoadScenario} */
    const uncompared = async name => ({
      .../** @type {any} */ (await loadScenario(name)),
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

/** What version 0.1.0 left, all of it of schema version 1. */
const KEPT = fileURLToPath(new URL('../../fixtures/results-0.1.0', import.meta.url))

const FOLDERS = readdirSync(KEPT, { recursive: true, encoding: 'utf8' })
  // those of abuse are not read any more
  .filter(path => basename(path) === 'result.json' && !path.startsWith('abuse'))
  .map(dirname)
  .sort()

const WENT = ['doubtful', 'lowMs', 'cause', 'throughputIsLowerBound']
const RENAMED = new Map([
  ['added', 'overhead'],
  ['addedMs', 'overheadMs'],
  // peers that come and go had a scenario of their own
  ['rotation', 'churn']
])

/** @param {string} folder @returns {any} */
const stored = folder => JSON.parse(readFileSync(join(KEPT, folder, 'result.json'), 'utf8'))

/**
 * Everything that is no object, by its path; warnings are looked at apart.
 *
 * @param {any} part
 * @param {string} [path]
 * @returns {[path: string, value: unknown][]}
 */
function leavesOf(part, path = '') {
  if (part === null || typeof part !== 'object') return [[path, part]]
  return Object.entries(part).flatMap(([key, value]) =>
    path === '.run' && key === 'warnings' ? [] : leavesOf(value, `${path}.${key}`)
  )
}

/** @param {string} path */
const keysOf = path => path.split('.').slice(1)

describe('a result of schema version 1', () => {
  for (const folder of FOLDERS)
    test(`is read as one of version 2, with the same values and no marks: ${folder}`, async () => {
      const [before, after] = [stored(folder), await readResult(join(KEPT, folder))]
      assert.deepEqual([before.schemaVersion, after.schemaVersion], [1, 2])
      const values = new Map(leavesOf(after))
      for (const path of values.keys())
        assert.ok(!keysOf(path).some(key => WENT.includes(key) || RENAMED.has(key)), path)
      for (const [path, value] of leavesOf(before)) {
        const keys = keysOf(path)
        if (!['outcome', 'run'].includes(keys[0]) || keys.some(key => WENT.includes(key))) continue
        const renamed = ['', ...keys.map(key => RENAMED.get(key) ?? key)]
          .join('.')
          .replace('.churn.apart.gone', '.churn.apart.away')
          .replace('.churn.duplicates.observations', '.churn.receipts')
          .replace('.churn.duplicates.', '.churn.')
        assert.deepEqual(values.get(renamed), value, renamed)
      }
      for (const { code } of after.run.warnings)
        assert.ok(
          before.run.warnings.some((/** @type {any} */ warning) => warning.code === code),
          code
        )
      for (const { code } of before.run.warnings)
        assert.equal(
          after.run.warnings.some(warning => warning.code === code),
          !['PERCENTILES_DOUBTFUL', 'NODES_WAITED'].includes(code),
          code
        )
    })

  /** @param {{ code: string, values: Record<string, any> }[]} warnings */
  const warningsAfter = warnings => {
    const document = { schemaVersion: 1, outcome: {}, run: { warnings } }
    return migrateResult(document, { version: 2, filled: document => document }).run.warnings
  }
  const missing = {
    code: 'REGISTRATIONS_MISSING',
    values: { missing: 1, lookedUp: 9, cause: 'it lost them' }
  }

  for (const code of ['GENERATOR_BUSY', 'NODES_BUSY'])
    test(`whose workers were busy (${code}) was generator-limited, by the busiest`, () => {
      const busy = [0.93, 0.98, 0.95].map((utilization, worker) => ({
        code,
        values: { worker, utilization }
      }))
      assert.deepEqual(warningsAfter([missing, ...busy, { code: 'PERCENTILES_DOUBTFUL', values: {} }]), [
        { code: 'GENERATOR_LIMITED', values: { busy: { worker: 1, utilization: 0.98 }, overheads: [] } },
        missing
      ])
    })

  test('keeps its other warnings as they were, whatever values they have', () =>
    assert.deepEqual(warningsAfter([missing]), [missing]))

  test('that was broken off before it had an outcome can be read', () => {
    const { schemaVersion, run } = migrateResult(
      { schemaVersion: 1, outcome: null },
      { version: 2, filled: document => document }
    )
    assert.deepEqual([schemaVersion, run], [2, undefined])
  })
})
