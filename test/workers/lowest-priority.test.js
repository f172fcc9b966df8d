import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import { after, describe, test } from 'node:test'
import { lowestPriority } from '../../src/workers/lowest-priority.js'

const NO_GROUPS = existsSync('/proc/self/autogroup') ? false : 'sessions do not share cores here'

/** @param {number | undefined} pid */
const groupOf = pid => readFileSync(`/proc/${pid}/autogroup`, 'utf8')

/** @param {boolean} detached - into a session of its own */
function sleeping(detached) {
  const child = spawn('sleep', ['60'], { stdio: 'ignore', detached })
  after(() => child.kill('SIGKILL'))
  return /** @type {number} */ (child.pid)
}

describe('the lowest priority', { skip: NO_GROUPS }, () => {
  test('holds against processes of other sessions, too', () => {
    const pid = sleeping(true)
    lowestPriority(pid)
    assert.match(groupOf(pid), /nice 19$/m)
  })

  test('changes nobody else who is in the same session', () => {
    const before = groupOf(process.pid)
    lowestPriority(sleeping(false))
    assert.equal(groupOf(process.pid), before)
  })
})
