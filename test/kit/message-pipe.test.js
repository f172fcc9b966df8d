import assert from 'node:assert/strict'
import { PassThrough } from 'node:stream'
import { test } from 'node:test'
import { MessagePipe } from '../../src/kit/message-pipe.js'

/** @param {PassThrough} input */
function received(input) {
  const pipe = new MessagePipe({ input, output: new PassThrough() })
  /** @type {unknown[]} */
  const messages = []
  pipe.on('message', message => messages.push(message))
  return { pipe, messages }
}

const MESSAGES = [
  { id: 1, method: 'setup', args: [12n, null, undefined] },
  new Uint16Array([1, 2, 65535]),
  'x'.repeat(100_000),
  ''
]

/** All of them as they go over the wire. */
function wire() {
  const output = new PassThrough()
  const pipe = new MessagePipe({ input: new PassThrough(), output })
  for (const message of MESSAGES) pipe.send(message)
  return /** @type {Buffer} */ (output.read())
}

for (const bytes of [1, 3, 4, 5, 4096, 1e6])
  test(`messages come whole and in order, in pieces of ${bytes} bytes`, async () => {
    const input = new PassThrough()
    const { pipe, messages } = received(input)
    const all = wire()
    for (let at = 0; at < all.length; at += bytes) input.write(all.subarray(at, at + bytes))
    input.end()
    if (pipe.connected) await new Promise(resolve => pipe.once('disconnect', () => resolve(null)))
    assert.deepEqual(messages, MESSAGES)
    assert.equal(pipe.connected, false)
  })

test('what was cut off in the middle is no message', async () => {
  const input = new PassThrough()
  const { pipe, messages } = received(input)
  input.end(wire().subarray(0, -2))
  await new Promise(resolve => pipe.once('disconnect', () => resolve(null)))
  assert.equal(messages.length, MESSAGES.length - 1)
})
