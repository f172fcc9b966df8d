import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { describeFailureBeforeLoad, isWithoutLoad } from '../../src/cli/scenario-command.js'
import { sampleResult } from './sample-result.js'

const LEFT = { code: 'LEFT_UNTIL_TTL', values: { count: 3, ttlSeconds: 4 } }
const WRONG = { code: 'REFUSED', message: 'nothing listens there' }

/** @param {{ phases: string[], warnings?: (typeof LEFT)[], reason?: { code: string, message: string }, status?: 'partial' | 'complete' }} how */
function ended({ phases, warnings = [], reason = WRONG, status = 'partial' }) {
  const all = phases.map(name => ({
    ...{ name, state: /** @type {const} */ ('failed'), startMs: 0, durationMs: 1, detail: null }
  }))
  const sample = sampleResult({ result: { status, reason } })
  return { ...sample, run: { ...sample.run, warnings, phases: all } }
}

describe('a run never began', () => {
  for (const phases of [['setup'], ['setup', 'teardown'], ['provision', 'peer'], ['setup', 'connect'], []])
    test(`when it failed after ${phases.join(', ') || 'no phase at all'}`, () => {
      assert.equal(isWithoutLoad(ended({ phases })), true)
    })

  /** @type {[string, Parameters<typeof ended>[0]][]} */
  const others = [
    ['registrations had been made', { phases: ['setup', 'preload'] }],
    ['a load had begun', { phases: ['setup', 'preload', 'connect', 'warmup', 'measure'] }],
    ['messages had been published', { phases: ['provision', 'peer', 'warmup', 'publish'] }],
    ['its user ended it', { phases: ['setup'], reason: { code: 'INTERRUPTED', message: 'interrupted' } }],
    ['registrations stay at a target', { phases: ['setup', 'connect'], warnings: [LEFT] }],
    ['it came to its end', { phases: ['setup'], status: 'complete' }]
  ]
  for (const [what, how] of others)
    test(`but not when ${what}`, () => {
      assert.equal(isWithoutLoad(ended(how)), false)
    })
})

test('why it never began is one line, its code at the end', () => {
  const message = 'the server ended; its last words:\n  no such file\n\n  bye\n'
  const result = ended({ phases: ['setup'], reason: { code: 'SERVER_NOT_STARTED', message } })
  assert.equal(
    describeFailureBeforeLoad(result),
    'the server ended; its last words: no such file bye (SERVER_NOT_STARTED)'
  )
})
