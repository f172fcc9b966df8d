import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { WireWatch } from '../../src/measure/client-overhead.js'

/** A client whose bytes a test sends and receives; times in ms. */
function client({ waited = 0, sure = true } = {}) {
  const time = { ms: 0, coreWaitMs: 0 }
  const clock = () => BigInt(time.ms * 1e6)
  const turns = /** @type {import('../../src/measure/client-overhead.js').Turns} */ (
    /** @type {unknown} */ ({
      event: () => ({ total: waited * 1e6, most: (sure ? waited : 2 * waited) * 1e6 }),
      coreWaitNs: () => time.coreWaitMs * 1e6
    })
  )
  const wire = new WireWatch(turns, clock)
  return {
    wire,
    /** answered is an operation before, whose answer came so soon. @param {number} ms */
    answered: ms => {
      const stage = wire.begin(clock())
      wire.wrote(0)
      time.ms += ms
      wire.read()
      wire.end(stage, clock())
    },
    /** @param {number} ms */
    after: ms => {
      time.ms += ms
      return wire
    },
    begin: () => wire.begin(clock()),
    /** @param {import('../../src/measure/client-overhead.js').Stage} stage */
    end: stage => wire.end(stage, clock()) / 1e6,
    /** noCore: the thread waits for a core. @param {number} ms */
    noCore: ms => {
      time.ms += ms
      time.coreWaitMs += ms
    }
  }
}

describe('to an operation a client adds', () => {
  it('what it does before its bytes are handed to the system, and after they have come', () => {
    const one = client()
    const stage = one.begin()
    one.after(2).wrote(0)
    one.after(50).read()
    one.after(3)
    assert.equal(one.end(stage), 5)
  })

  it('no more of a send than twice the fastest took: the server had its core for the rest', () => {
    const one = client()
    one.after(1).wrote(1e6)
    const stage = one.begin()
    one.after(10).wrote(9e6)
    one.after(1).read()
    assert.equal(one.end(stage), 3, '1 ms before the send, and 2 ms of it')
  })

  it('what bytes that nobody asked for had waited when they are understood', () => {
    const one = client({ waited: 7 })
    assert.equal(one.wire.heard(0n), 0)
    one.after(50).read()
    one.after(2)
    one.noCore(1)
    assert.equal(one.wire.heard(53_000_000n), 8e6, '7 ms before they were read, and 1 ms for a core since')
  })

  it('what the bytes of the reply had waited for its event loop, and for a core', () => {
    const one = client({ waited: 7 })
    one.answered(20)
    const stage = one.begin()
    one.wire.wrote(0)
    one.after(50).read()
    assert.equal(one.end(stage), 7)
  })

  it('no more than the reply can have waited: none came sooner after it was asked for than the fastest', () => {
    const one = client({ waited: 70 })
    one.answered(4)
    const stage = one.begin()
    one.after(2).wrote(0)
    one.after(10).read()
    assert.equal(one.end(stage), 8)
  })

  it('half of the time in which the reply can have come, where that is all that is known', () => {
    const one = client({ waited: 15, sure: false })
    one.answered(4)
    const [soon, late] = [one.begin(), one.begin()]
    one.wire.wrote(0)
    one.after(10).read()
    assert.equal(one.end(soon), 3, 'it came within the last 6 ms')
    one.after(30).read()
    assert.equal(one.end(late), 15, 'it came within the last 30 ms')
  })

  it('nothing by bytes that were written later, as those of a window that is opened', () => {
    const one = client()
    const stage = one.begin()
    one.after(1).wrote(0)
    one.after(20).read()
    one.after(0).wrote(0)
    one.after(20).read()
    assert.equal(one.end(stage), 1)
  })

  it('as much to each of several that are under way', () => {
    const one = client()
    const [first, second] = [one.begin(), one.begin()]
    one.after(1).wrote(0)
    one.after(20).read()
    assert.deepEqual([one.end(first), one.end(second)], [1, 1])
  })

  it('what its event loop says, where its stack tells nothing of bytes', () => {
    const one = client({ waited: 7 })
    const stage = one.begin()
    one.after(50)
    assert.equal(one.end(stage), 7)
  })
})
