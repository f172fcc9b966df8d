import '../../src/kit/runtime.js'
import assert from 'node:assert/strict'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, test } from 'node:test'
import { until } from '../until.js'
import { assertInterrupted, FEW, HOW, LONG } from './interrupted-run.js'
import { PAIRS, start, TIMEOUT } from './loadtest.js'
import { ON_LINUX } from './processes.js'

// the other phases, and what else interrupts a run, are in test/broken; what comes of it with one worker comes of it with two
describe('an interrupted run ends with exit code 130, keeps its partial result, leaves no process', {
  ...TIMEOUT,
  ...ON_LINUX,
  ...PAIRS
}, () => {
  test('Ctrl-C in a terminal, to all its processes, in the phase measure: it has its views at once', () =>
    assertInterrupted('measure', HOW['Ctrl-C in a terminal, to all its processes'], {
      workers: 1,
      look: async ({ folder }) =>
        assert.match(await readFile(join(folder, 'report.md'), 'utf8'), /^- ⚠ Partial result: interrupted/m)
    }))

  test('SIGTERM while a worker does not start is not kept waiting for it', async () => {
    const hang =
      "if(process.argv[1].includes('worker/entry.js'))await(new(Promise)(()=>setInterval(()=>0,1e6)))"
    const loadtest = start([...LONG, '--workers', '1'], {
      env: { NODE_OPTIONS: `--import=data:text/javascript,${hang}` }
    })
    await until(async () => (await loadtest.workers()).length === 1)
    const beganMs = performance.now()
    loadtest.signal('SIGTERM')
    const { code, result } = await loadtest.ended
    assert.deepEqual([code, result.status, result.reason?.code], [130, 'partial', 'INTERRUPTED'])
    // it would be given two minutes
    assert.ok(performance.now() - beganMs < 60_000)
    assert.deepEqual(await loadtest.leftAfter(), [])
  })

  test('a second Ctrl-C ends at once, and still no process stays', async () => {
    const loadtest = start([...LONG, ...FEW, '--workers', '1'], { ownGroup: true })
    await loadtest.measuring()
    loadtest.ctrlC()
    await loadtest.line(/Ctrl-C again ends at once/)
    loadtest.ctrlC()
    assert.equal((await loadtest.ended).code, 130)
    assert.deepEqual(await loadtest.leftAfter(), [])
  })
})
