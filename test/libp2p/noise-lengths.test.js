import assert from 'node:assert/strict'
import { it } from 'node:test'
import { LengthPrefixedDecoder } from '@libp2p/utils'
import { lengthsWithoutExceptions } from '../../src/libp2p/noise-lengths.js'

/** As Noise makes it. */
function connection() {
  const seen = { exceptions: 0 }
  const lengthDecoder = (/** @type {any} */ bytes) => {
    if (bytes.byteLength < 2) {
      seen.exceptions++
      throw new RangeError('too short')
    }
    return bytes.getUint16(0)
  }
  return { seen, decoder: new LengthPrefixedDecoder({ lengthDecoder, encodingLength: () => 2 }) }
}

const WIRE = [0, 3, 1, 2, 3, 0, 1, 9, 0, 2, 7, 8]
const MESSAGES = [[1, 2, 3], [9], [7, 8]]

/** @param {ReturnType<typeof connection>} at @param {number} pieceBytes */
function read({ decoder }, pieceBytes) {
  const messages = []
  for (let place = 0; place < WIRE.length; place += pieceBytes) {
    const piece = Uint8Array.from(WIRE.slice(place, place + pieceBytes))
    for (const message of decoder.decode(piece)) messages.push([...message.subarray()])
  }
  return messages
}

for (const pieceBytes of [1, 2, 3, 5, WIRE.length]) {
  it(`messages that come in pieces of ${pieceBytes} bytes are read without exceptions`, () => {
    const [usual, changed] = [connection(), connection()]
    lengthsWithoutExceptions(changed)
    assert.deepEqual(read(usual, pieceBytes), MESSAGES)
    assert.deepEqual(read(changed, pieceBytes), MESSAGES)
    assert.ok(usual.seen.exceptions > 0)
    assert.equal(changed.seen.exceptions, 0)
  })
}
