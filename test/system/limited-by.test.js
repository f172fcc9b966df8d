import assert from 'node:assert/strict'
import { test } from 'node:test'
import { assertComplete } from '../acceptance/consistent.js'
import { run, TIMEOUT } from '../acceptance/loadtest.js'

test('a load far below what everything could do is limited by what was offered', TIMEOUT, async () => {
  const ended = await run([
    ...['--benchmarkType', 'DISCOVER', '--rate', '20/s', '--duration', '2s', '--warmup', '50ms'],
    ...['--initialRegistrations', '10', '--jsonLines', '-']
  ])
  assertComplete(ended)
  const { by } = ended.result.outcome.limitedBy ?? {}
  assert.deepEqual(by, ['offered load'])
  const end = ended.stdout
    .split('\n')
    .flatMap(line => (line.startsWith('{') ? [JSON.parse(line)] : []))
    .find(({ type }) => type === 'end')
  assert.deepEqual(end.limitedBy.by, by)
  assert.match(ended.stderr, /^\| DISCOVER .*\| offered load \(100 % of what was due; server CPU \d+ %; /m)
})
