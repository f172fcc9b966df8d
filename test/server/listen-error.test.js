import assert from 'node:assert/strict'
import { test } from 'node:test'
import { ListenError, listenError } from '../../src/server/options.js'

const inUse = (/** @type {number} */ port) => `listen EADDRINUSE: address already in use 127.0.0.1:${port}`

test('an address that cannot be listened on is named, with the flag to change', () => {
  const error = listenError(new Error(inUse(8003)), '--httpPort')
  assert.ok(error instanceof ListenError)
  assert.equal(
    error.message,
    'cannot listen: EADDRINUSE: address already in use 127.0.0.1:8003. Choose another address with --httpPort'
  )
})

test('all of them, without the stack traces of libp2p', () => {
  const thrown = new Error(
    `Some configured addresses failed to be listened on:\n\n  /ip4/127.0.0.1/tcp/80: Error: ${inUse(80)}\n      at Server.setupListenHandle\n\n  /ip4/127.0.0.1/tcp/81: Error: ${inUse(81)}\n      at doListen\n`
  )
  const { message } = /** @type {Error} */ (listenError(thrown, '--listen'))
  assert.equal(
    message,
    'cannot listen: EADDRINUSE: address already in use 127.0.0.1:80; EADDRINUSE: address already in use 127.0.0.1:81. Choose another address with --listen'
  )
})

test('what is about something else stays as it is', () => {
  const thrown = new Error('no transport')
  assert.equal(listenError(thrown, '--listen'), thrown)
  assert.equal(listenError('text', '--listen'), 'text')
})
