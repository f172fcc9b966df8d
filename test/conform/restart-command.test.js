import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { Untestable } from '../../src/conformance/checks/verdict.js'
import { restartCommand } from '../../src/conformance/examination.js'

const never = new AbortController().signal

describe('the command that starts a target again', { skip: process.platform === 'win32' }, () => {
  test('may leave something running', async () => {
    await restartCommand('sleep 5 & exit 0')(never)
  })

  for (const [command, how] of [
    ['exit 3', '3'],
    ['kill -KILL $$', 'SIGKILL']
  ])
    test(`is not taken to have done so when it ends with ${how}`, () =>
      assert.rejects(restartCommand(command)(never), error => {
        assert.ok(error instanceof Untestable)
        assert.equal(error.message, `--restart ended with ${how}`)
        return true
      }))

  test('is ended when nobody waits for it any more', async () => {
    const ending = new AbortController()
    const restarted = restartCommand('sleep 60')(ending.signal)
    ending.abort()
    await assert.rejects(restarted, { name: 'AbortError' })
  })
})
