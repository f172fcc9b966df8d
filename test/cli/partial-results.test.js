import '../../src/kit/runtime.js'
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { setImmediate as turn } from 'node:timers/promises'
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { deliverRecords } from '../../src/report/result-folder.js'
import { sampleResult } from '../report/sample-result.js'
import { terminalReport, viewsOfRun } from '../report/shown.js'

setFlagsFromString('--expose-gc')
const collect = runInNewContext('gc')

/** @typedef {import('../../src/report/schema.js').RunRecord} RunRecord */

test('what plots need of a run under way is in memory only while it is handed on', async () => {
  /** @type {WeakRef<object>[]} */
  const held = []
  function partial() {
    const perSecond = [{ second: 0, type: /** @type {const} */ ('REGISTER'), outcome: 'OK', histogram: [] }]
    held.push(new WeakRef(perSecond))
    return sampleResult({ result: { status: 'partial' }, outcome: { perSecond } })
  }
  /** @returns {AsyncGenerator<RunRecord>} */
  async function* records() {
    yield { type: 'partial', result: partial() }
    yield { type: 'progress', phase: 'measure', done: 1, total: null, unit: 'operations' }
    for (let turns = 0; turns < 20 && held[0].deref() !== undefined; turns++) {
      await turn()
      collect()
    }
  }
  const stream = /** @type {any} */ ({ write: () => true })
  const { result } = await deliverRecords(records(), [
    viewsOfRun('/dev/null/none', { csv: false }, () => {}),
    await terminalReport({
      ...{ stdout: stream, stderr: stream, version: '0', folder: null },
      output: { json: false, quiet: true }
    })
  ])
  assert.equal(held[0].deref(), undefined)
  assert.equal(result?.status, 'partial', 'all else is still told')
})
