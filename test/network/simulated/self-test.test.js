import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { describe, test } from 'node:test'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'

const PROGRAM = fileURLToPath(new URL('./scene-process.js', import.meta.url))

/** @param {number} most - bytes that links carry at once */
async function toldOfLinksUpTo(most) {
  const { stdout } = await promisify(execFile)(process.execPath, [PROGRAM, '"tested"', String(most)])
  return JSON.parse(stdout)
}

describe('the self-test', () => {
  test('passes with the library as it is installed', async () =>
    assert.equal(await toldOfLinksUpTo(Number.MAX_SAFE_INTEGER), 'passed'))

  for (const [most, what] of /** @type {[number, string][]} */ ([
    [10, 'what it waits for has not come within 1 s'],
    // nodes that connect pass, a message does not
    [750, 'a mesh peer receives a message after one latency']
  ]))
    test(`says so when nothing above ${most} bytes comes through`, async () => {
      const told = await toldOfLinksUpTo(most)
      assert.match(told, new RegExp(what))
    })
})
