import '../../src/kit/runtime.js'
import assert from 'node:assert/strict'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { test } from 'node:test'
import { assertPartial, breakInMidMeasure, LONG, THINKING } from './broken-run.js'
import { call, start, TIMEOUT } from './loadtest.js'
import { ON_LINUX, send } from './processes.js'

// what else breaks a run is in test/broken
test('a run whose server is killed ends with exit code 1, says why, keeps what was measured, leaves no process', {
  ...TIMEOUT,
  ...ON_LINUX
}, async () => {
  const ended = await breakInMidMeasure(THINKING, async loadtest => send(await loadtest.server(), 'SIGKILL'))
  assertPartial(ended, 'SERVER_DIED', /the server \(pid \d+\) ended with signal SIGKILL/)
})

test('when the program itself is killed, workers and server end by themselves; what was known stays, and is rendered as partial', {
  ...TIMEOUT,
  ...ON_LINUX
}, async () => {
  const loadtest = start([...LONG, ...THINKING])
  await loadtest.kept('DISCOVER')
  const before = await loadtest.leftAfter(0)
  assert.ok(before.length >= 3, 'itself, server, worker')
  loadtest.signal('SIGKILL')
  const { signal, result, folder } = await loadtest.ended
  assert.equal(signal, 'SIGKILL')
  assert.deepEqual(await loadtest.leftAfter(), [])
  assert.deepEqual([result.status, result.reason?.code], ['partial', 'UNFINISHED'])
  const { code, stdout } = await call(['report', folder])
  assert.equal(code, 0)
  assert.match(stdout, /^\| DISCOVER /m)
  assert.match(stdout, /^⚠ Partial result: the run had not ended when this was written/m)
  assert.match(await readFile(join(folder, 'report.md'), 'utf8'), / · its end was not written · /m)
  assert.match(await readFile(join(folder, 'report.html'), 'utf8'), /had not ended when this was written/)
})
