import '../../src/node-shim.js'
import assert from 'node:assert/strict'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, test } from 'node:test'
import { run, TIMEOUT } from './loadtest.js'

const LOAD = Object.freeze(['--rate', '20/s', '--benchmarkType', 'DISCOVER', '--probeRate', '0'])

describe('a run', () => {
  test('that is short says nothing of what changes over hours', TIMEOUT, async () => {
    const { result, stdout, folder } = await run([...LOAD, '--duration', '1s', '--warmup', '50ms'])
    assert.deepEqual([result.outcome.soak, result.outcome.secondsPerPoint], [null, 1])
    assert.doesNotMatch(stdout, /Over the run/)
    assert.doesNotMatch(await readFile(join(folder, 'report.html'), 'utf8'), /Over the run/)
  })
})
