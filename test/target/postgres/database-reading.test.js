import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { test } from 'node:test'
import { makeDatabaseReader } from '../../../src/target/run-store.js'

const LINUX = { skip: process.platform !== 'linux' }

test(
  'the CPU time and memory of a database are those of its processes, and never fall while they run',
  LINUX,
  async t => {
    const child = spawn('sleep', ['60'])
    t.after(() => child.kill('SIGKILL'))
    await once(child, 'spawn')
    const read = makeDatabaseReader(process.pid)
    const first = await read()
    const end = performance.now() + 40
    while (performance.now() < end);
    const second = await read()
    for (const { rssBytes } of [first, second]) assert.ok(rssBytes > 10e6, `${rssBytes}`)
    assert.ok(second.cpuMs >= first.cpuMs && first.cpuMs > 0, `${first.cpuMs}, ${second.cpuMs}`)
    assert.ok(second.atMs > first.atMs)
  }
)

test('a database that has ended is told so', LINUX, async () => {
  const child = spawn('true')
  await once(child, 'exit')
  await assert.rejects(makeDatabaseReader(/** @type {number} */ (child.pid))(), {
    message: 'the database has ended'
  })
})
