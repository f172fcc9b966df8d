import '../../src/kit/runtime.js'
import assert from 'node:assert/strict'
import { readdirSync, readFileSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { describe, test } from 'node:test'
import { fileURLToPath } from 'node:url'
import { migrated } from '../../src/report/read-result.js'
import { readResult } from '../scenarios.js'

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
    return migrated(document, { version: 2, filled: document => document }).run.warnings
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
    const { schemaVersion, run } = migrated(
      { schemaVersion: 1, outcome: null },
      { version: 2, filled: document => document }
    )
    assert.deepEqual([schemaVersion, run], [2, undefined])
  })
})
