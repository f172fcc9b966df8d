import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import os from 'node:os'
import { after, describe, test } from 'node:test'
import { setLowestPriority } from '../../src/run/workers.js'

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
    setLowestPriority(pid)
    assert.match(groupOf(pid), /nice 19$/m)
  })

  test('changes nobody else who is in the same session', () => {
    const before = groupOf(process.pid)
    setLowestPriority(sleeping(false))
    assert.equal(groupOf(process.pid), before)
  })
})

describe('the priority that a process gets', () => {
  /** @param {import('node:test').TestContext} t @param {string} platform */
  function pretendToBe(t, platform) {
    const real = /** @type {PropertyDescriptor} */ (Object.getOwnPropertyDescriptor(process, 'platform'))
    Object.defineProperty(process, 'platform', { ...real, value: platform })
    t.after(() => Object.defineProperty(process, 'platform', real))
  }

  test('is that of all where it cannot be changed, as of one that is gone', () => {
    assert.equal(setLowestPriority(2 ** 31 - 1), 'as all')
  })

  test('is the lowest there is on systems that know no idle ones', t => {
    const pid = sleeping(true)
    pretendToBe(t, 'darwin')
    assert.equal(setLowestPriority(pid), 'lowest')
    assert.equal(os.getPriority(pid), os.constants.priority.PRIORITY_LOW)
  })

  test('is nice 19 on Linux where no chrt can make it idle', { skip: process.platform !== 'linux' }, t => {
    const pid = sleeping(true)
    const { PATH } = process.env
    process.env.PATH = '/nowhere'
    t.after(() => {
      process.env.PATH = PATH
    })
    assert.equal(setLowestPriority(pid), 'nice 19')
    assert.equal(os.getPriority(pid), os.constants.priority.PRIORITY_LOW)
  })
})
