import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { isStopped } from '../../src/run/workers.js'
import { ON_LINUX } from '../acceptance/processes.js'

test(
  'a process is stopped after SIGSTOP, no more after SIGCONT, and nothing is known of one that is gone',
  ON_LINUX,
  async () => {
    const child = spawn('sleep', ['60'])
    const pid = Number(child.pid)
    const becomes = async (/** @type {boolean} */ stopped) => {
      for (let i = 0; i < 100 && isStopped(pid) !== stopped; i++) await sleep(20)
      return isStopped(pid)
    }
    assert.equal(isStopped(pid), false)
    child.kill('SIGSTOP')
    assert.equal(await becomes(true), true)
    child.kill('SIGCONT')
    assert.equal(await becomes(false), false)
    child.kill('SIGKILL')
    await once(child, 'exit')
    assert.equal(isStopped(pid), null)
  }
)
