import '../../src/kit/runtime.js'
import assert from 'node:assert/strict'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { test } from 'node:test'
import { assertComplete } from '../acceptance/consistent.js'
import { start } from '../acceptance/loadtest.js'

const LOAD = Object.freeze(['--rate', '20/s', '--benchmarkType', 'DISCOVER'])

test('a run of five minutes tells slopes of memory and times, with intervals', {
  timeout: 420_000
}, async () => {
  const soaked = start([...LOAD, '--duration', '301s', '--warmup', '1s'], { hangsAfterMs: 400_000 })
  const ended = await soaked.ended
  assertComplete(ended)
  const { soak } = ended.result.outcome
  assert.ok(soak !== null)
  assert.ok(soak.serverBytes !== null && soak.serverBytes.points >= 10)
  assert.deepEqual(
    soak.ownBytes.map(({ process, trend }) => [process, trend !== null]),
    [
      ['main process', true],
      ['worker 0', true]
    ]
  )
  assert.ok(soak.p50Ms[0].trend !== null)
  const report = await readFile(join(ended.folder, 'report.md'), 'utf8')
  assert.match(report, /^\| Server memory, MB +\| +[\d.]+ \| +[-+\d.e]+ \| +[-+\d.e]+ \| +[-+\d.e]+ \|/m)
})
