import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { test } from 'node:test'
import { fileURLToPath } from 'node:url'

const MAIN = fileURLToPath(new URL('../../src/server/main.js', import.meta.url))

/** @param {string[]} flags */
async function startServer(flags) {
  const child = spawn(process.execPath, [MAIN, '--listen=/ip4/127.0.0.1/tcp/0', '--httpPort=0', ...flags], {
    stdio: ['pipe', 'pipe', 'ignore']
  })
  const [line] = await once(child.stdout, 'data')
  assert.match(String(line), /^ready /)
  return child
}

test('a server stops when its input ends, where that is asked for', async () => {
  const child = await startServer(['--stopWithInput'])
  child.stdin.end()
  assert.deepEqual(await once(child, 'exit'), [0, null])
})

test('a server goes on without input otherwise, and ends with 0 on SIGINT', async () => {
  const child = await startServer([])
  child.stdin.end()
  await new Promise(resolve => setTimeout(resolve, 300))
  assert.equal(child.exitCode, null)
  child.kill('SIGINT')
  assert.deepEqual(await once(child, 'exit'), [0, null])
})
