import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { ClientError, ClientErrorCode, outcomeOf } from '../../src/client/errors.js'
import { isCensored } from '../../src/load/registrations.js'

describe('what became of an operation', () => {
  /** @type {[unknown, string, boolean][]} */
  const cases = [
    [ClientErrorCode.TIMEOUT, 'TIMEOUT', true],
    [ClientErrorCode.RESET, 'RESET', true],
    [ClientErrorCode.ENDED, 'RESET', true],
    [ClientErrorCode.LOST, 'LOST', true],
    [ClientErrorCode.CLOSED, 'LOST', true],
    [ClientErrorCode.STREAM_FAILED, 'LOST', true],
    [ClientErrorCode.CONNECT_FAILED, 'LOST', true],
    [ClientErrorCode.CONNECTION_DROPPED, 'LOST', true],
    [ClientErrorCode.WRONG_PEER, 'LOST', true],
    [ClientErrorCode.UNSUPPORTED, 'LOST', true],
    [ClientErrorCode.LOCAL_ADDRESS_UNAVAILABLE, 'LOST', true],
    [ClientErrorCode.ABANDONED, 'ABANDONED', true],
    [ClientErrorCode.REFUSED, 'REFUSED', true],
    [ClientErrorCode.LOCAL_PORTS_EXHAUSTED, 'LOCAL_PORTS_EXHAUSTED', true],
    [ClientErrorCode.ABORTED, 'INTERRUPTED', true],
    [ClientErrorCode.MALFORMED, 'BAD_REPLY', false],
    [ClientErrorCode.UNEXPECTED_REPLY, 'BAD_REPLY', false],
    [ClientErrorCode.TOO_MUCH, 'BAD_REPLY', false]
  ]
  for (const [code, outcome, censored] of cases) {
    it(`is ${outcome} after ${code}, ${censored ? 'without' : 'with'} a reply`, () => {
      assert.equal(outcomeOf(new ClientError(`${code}`, 'x')), outcome)
      assert.equal(isCensored(outcome), censored)
    })
  }

  it('is named for every way in which it can fail', () => {
    // a call with a bad argument is no operation
    const { BAD_ARGUMENT, ...ofOperations } = ClientErrorCode
    assert.deepEqual(new Set(cases.map(([code]) => code)), new Set(Object.values(ofOperations)))
  })

  for (const error of [
    new Error('x'),
    Object.assign(new Error('x'), { code: 'EPIPE' }),
    undefined,
    null,
    'x'
  ]) {
    it(`is LOST after ${error}, whatever that was`, () => assert.equal(outcomeOf(error), 'LOST'))
  }
})

describe('the time of an operation', () => {
  for (const [outcome, censored] of /** @type {[string, boolean][]} */ ([
    ['OK', false],
    ['E_UNAVAILABLE', false],
    ['E_INVALID_NAMESPACE', false],
    ['BAD_REPLY', false],
    ['DROPPED', true],
    ['TIMEOUT', true]
  ])) {
    it(`is ${censored ? 'only known to be longer' : 'known'} when its outcome is ${outcome}`, () =>
      assert.equal(isCensored(outcome), censored))
  }
})
