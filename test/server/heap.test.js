import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { test } from 'node:test'
import { NODE_FLAGS, SEMI_SPACE_MB } from '../../src/server/server-process.js'
import { startServerProcess } from '../../src/target/process-target.js'

test('new objects of a Node with these flags have no more than is said, in either half', () => {
  // the median: while Node 24 collects, there may be some pages more for a moment
  const program = `
    const v8 = require('node:v8')
    const sizes = []
    for (let i = 0; i < 100; i++) {
      const kept = Array.from({ length: 50_000 }, (_, j) => [j])
      if (kept.length > 0) sizes.push(v8.getHeapSpaceStatistics().find(({ space_name }) => space_name === 'new_space').space_size)
    }
    console.log(sizes.sort((a, b) => a - b)[50])`
  const bytes = Number(execFileSync(process.execPath, [...NODE_FLAGS, '-e', program], { encoding: 'utf8' }))
  assert.ok(bytes > SEMI_SPACE_MB * 2 ** 20 && bytes <= 2 * SEMI_SPACE_MB * 2 ** 20, `${bytes} bytes`)
})

test('the server of a run has them', { skip: process.platform !== 'linux' }, async () => {
  const server = await startServerProcess({
    flags: ['--listen=/ip4/127.0.0.1/tcp/0', '--httpHost=127.0.0.1', '--httpPort=0', '--logLevel=warn'],
    signal: AbortSignal.timeout(30_000),
    onFailed: () => {}
  })
  try {
    const started = readFileSync(`/proc/${server.pid}/cmdline`, 'utf8').split('\0')
    assert.deepEqual(started.slice(1, 1 + NODE_FLAGS.length), NODE_FLAGS)
  } finally {
    await server.stop()
  }
})
