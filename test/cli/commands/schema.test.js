import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { test } from 'node:test'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'

const INDEX = fileURLToPath(new URL('../../../index.js', import.meta.url))

/** What a shell is told that could follow. @param {string[]} typed */
async function following(typed) {
  const { stdout } = await promisify(execFile)(process.execPath, [
    INDEX,
    '--get-yargs-completions',
    'libp2p-loadtest',
    ...typed
  ])
  return stdout.trim().split('\n')
}

test('a shell completes the values of an option that has a few', async () => {
  const values = await following(['gossip', '--network', ''])
  for (const value of ['loopback', 'simulated', 'namespaces'])
    assert.ok(values.includes(value), String(values))
})
