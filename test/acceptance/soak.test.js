import '../../src/node-shim.js'
import assert from 'node:assert/strict'
import { appendFileSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, test } from 'node:test'
import { assertComplete } from './consistent.js'
import { run, TIMEOUT } from './loadtest.js'

const LOAD = Object.freeze(['--rate', '20/s', '--benchmarkType', 'DISCOVER', '--probeRate', '0'])

/** A soak takes five minutes at least: it is run where somebody has the time. */
const LONG = Object.freeze({ skip: process.env.SOAK ? false : 'takes 5 minutes: set SOAK=1' })

if (LONG.skip && process.env.SKIPPED_LOG)
  appendFileSync(process.env.SKIPPED_LOG, `a soak of 5 minutes: ${LONG.skip}\n`)

describe('a run', () => {
  test('that is short says nothing of what changes over hours', TIMEOUT, async () => {
    const { result, stdout, folder } = await run([...LOAD, '--duration', '1s', '--warmup', '50ms'])
    assert.deepEqual([result.outcome.soak, result.outcome.secondsPerPoint], [null, 1])
    assert.doesNotMatch(stdout, /Over the run/)
    assert.doesNotMatch(await readFile(join(folder, 'report.html'), 'utf8'), /Over the run/)
  })

  test('of five minutes tells slopes of memory and times, with intervals', {
    ...LONG,
    timeout: 420_000
  }, async () => {
    const ended = await run([...LOAD, '--duration', '301s', '--warmup', '1s'], { hangsAfterMs: 400_000 })
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
    assert.match(
      ended.stdout,
      /^Over the run, in stretches of .* Server memory .* MB an hour \(95 % interval /m
    )
    assert.match(await readFile(join(ended.folder, 'report.html'), 'utf8'), /<h2>Over the run<\/h2>/)
  })
})
