import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { before, describe, test } from 'node:test'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'

const PROGRAM = fileURLToPath(new URL('../scene-process.js', import.meta.url))

/** Bytes that links carry at once, at most, in one test of the network after the other. */
const MOST = [Number.MAX_SAFE_INTEGER, 10, 750]

describe('the self-test', () => {
  /** @type {string[]} */
  let told
  before(async () => {
    const scenes = MOST.map(most => ['tested', most])
    const { stdout } = await promisify(execFile)(process.execPath, [PROGRAM, JSON.stringify(scenes)])
    told = JSON.parse(stdout)
  })

  test('passes with the library as it is installed', () => assert.equal(told[0], 'passed'))

  for (const [place, what] of /** @type {[number, string][]} */ ([
    [1, 'what it waits for has not come within 1 s'],
    // nodes that connect pass, a message does not
    [2, 'a mesh peer receives a message after one latency']
  ]))
    test(`says so when nothing above ${MOST[place]} bytes comes through`, () =>
      assert.match(told[place], new RegExp(what)))
})
