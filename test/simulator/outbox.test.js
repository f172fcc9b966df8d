import '../../src/kit/runtime.js'
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { MESSAGE_KIND, makeDataMessage, makeStreamMessage } from '../../src/simulator/network/connection.js'
import { Outbox, readProcessMessages } from '../../src/simulator/time/processes.js'

const WAY = { from: 3, to: 800, connection: 5 }
const BACK = { from: 800, to: 3, connection: 5 }

/** Everything in a box. @param {import('../../src/simulator/time/processes.js').ProcessMessages} box */
function opened(box) {
  /** @type {unknown[]} */
  const seen = []
  readProcessMessages(box, {
    kept: bytes => new Uint8Array(bytes),
    load: (...load) => void seen.push(load),
    flight: (...flight) => void seen.push(flight),
    answer: (...answer) => void seen.push(answer)
  })
  return seen
}

test('what is handed over comes out as it went in, and then there is nothing more', () => {
  const outbox = new Outbox()
  assert.equal(outbox.take(), null)
  const data = Uint8Array.of(1, 2, 3)
  const other = Uint8Array.of(9)
  const loads = [makeDataMessage(4, data), makeDataMessage(6, other), makeDataMessage(8, data)]
  const asked = makeStreamMessage(MESSAGE_KIND.OPEN, 2, ['/a/1', '/b/1'])
  const flight = { place: 7, places: 3, end: 4000, bytes: 1500, firstNs: 90, lastNs: 95 }
  const answer = { place: 7, places: 3, next: 10, atNs: 120 }
  for (const [index, load] of loads.entries()) outbox.brings(WAY, load, 100 + index)
  outbox.written(WAY, asked, 4000)
  outbox.flies(WAY, flight)
  outbox.answers(BACK, answer)
  assert.deepEqual([outbox.size, outbox.soonestNs], [6, 90])
  const box = /** @type {import('../../src/simulator/time/processes.js').ProcessMessages} */ (outbox.take())
  assert.equal(box.bytes.length, 4, 'the same bytes are there once')
  assert.deepEqual(opened(box), [
    [WAY, loads[0], 100],
    [WAY, loads[1], 101],
    [WAY, loads[2], 102],
    [WAY, asked, 4000],
    [WAY, flight],
    [BACK, answer]
  ])
  assert.deepEqual([outbox.take(), outbox.size, outbox.soonestNs], [null, 0, Infinity])
})
