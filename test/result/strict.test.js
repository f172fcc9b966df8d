import '../../src/kit/runtime.js'
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { failsStrict, strictWarnings, WARNING_CODES } from '../../src/report/warnings.js'
import { sampleResult } from '../report/sample-result.js'

const FAIL_STRICT = [
  'GENERATOR_LIMITED',
  'THROTTLED',
  'DROPPED',
  'LOCAL_PORTS_EXHAUSTED',
  'AGENT_LOST',
  'STORE_AWAY',
  'HOSTILE_NOT_SENT',
  'HOSTILE_DISTURBED',
  'SERVER_LIMITED',
  'REPLY_CHECK_FAILED',
  'REGISTRATIONS_MISSING',
  'NOTHING_LOOKED_UP',
  'NOTHING_SUCCEEDED',
  'STORE_NOT_RESTORED',
  'CLOCK_ANOMALY',
  'PUBLISH_LATE',
  'NOT_PUBLISHED',
  'NOTHING_PUBLISHED',
  'MEMORY_CEILING',
  'ROTATION_LATE',
  'ACTIONS_FAILED',
  'SCRIPT_LATE',
  'PEERS_LATE',
  'NETWORK_NOT_AS_ASKED',
  'CONGESTION_CONTROL_NOT_SET',
  'ROUTER_LATE',
  'ROUTER_OVERFLOWED'
]

describe('--strict fails for a result', () => {
  for (const code of WARNING_CODES)
    test(`${FAIL_STRICT.includes(code) ? 'with' : 'not with'} ${code}`, () => {
      assert.equal(
        failsStrict(sampleResult({ warnings: [{ code, values: {} }] })),
        FAIL_STRICT.includes(code)
      )
    })
})

test('it says why: those warnings, in their order', () => {
  const codes = ['DROPPED', 'NOT_STATIONARY', 'GENERATOR_LIMITED']
  const why = strictWarnings(sampleResult({ warnings: codes.map(code => ({ code, values: {} })) }))
  assert.deepEqual(
    why.map(({ code }) => code),
    ['DROPPED', 'GENERATOR_LIMITED']
  )
})
