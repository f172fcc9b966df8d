import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { WireWatch } from '../../src/measure/wire-watch.js'

/** A client whose bytes a test sends and receives; times in ms. */
function client({ waited = 0, sure = true, machine = 0, stretches = 0 } = {}) {
  const time = { ms: 0 }
  const clock = () => BigInt(time.ms * 1e6)
  const turns = /** @type {import('../../src/measure/turns.js').Turns} */ (
    /** @type {unknown} */ ({
      event: () => ({
        total: waited * 1e6,
        most: (sure ? waited : 2 * waited) * 1e6,
        machine: machine * 1e6
      }),
      stretch: () => stretches * 1e6
    })
  )
  const wire = new WireWatch(turns, clock)
  return {
    wire,
    /** answered is an operation before, whose answer came so soon. @param {number} ms */
    answered: ms => {
      const stage = wire.begin(clock())
      wire.wrote()
      time.ms += ms
      wire.read()
      wire.end(stage, clock(), { waitedNs: 0, machineNs: 0 })
    },
    /** @param {number} ms */
    after: ms => {
      time.ms += ms
      return wire
    },
    begin: () => wire.begin(clock()),
    /** @param {import('../../src/measure/wire-watch.js').Stage} stage */
    end: stage => {
      const added = { waitedNs: 0, machineNs: 0 }
      wire.end(stage, clock(), added)
      return [added.waitedNs / 1e6, added.machineNs / 1e6]
    }
  }
}

describe('to an operation a client adds', () => {
  it('what it does before its bytes are handed to the system, and after they have come', () => {
    const one = client()
    const stage = one.begin()
    one.after(2).wrote()
    one.after(50).read()
    one.after(3)
    assert.deepEqual(one.end(stage), [5, 0])
  })

  it('what bytes that nobody asked for had waited when they are understood', () => {
    // the core that the turn had to wait for 5 ms for: 4 of them before the bytes were read
    const one = client({ waited: 7, machine: 4, stretches: 5 })
    assert.deepEqual(one.wire.heard(0n), { total: 0, most: 0, machine: 0 })
    one.after(50).read()
    assert.deepEqual(one.wire.heard(52_000_000n), { total: 8e6, most: 8e6, machine: 5e6 })
  })

  it('what the bytes of the reply had waited for its event loop, and for a core', () => {
    const one = client({ waited: 7, machine: 4 })
    one.answered(20)
    const stage = one.begin()
    one.wire.wrote()
    one.after(50).read()
    assert.deepEqual(one.end(stage), [7, 4])
  })

  it('no more than the reply can have waited: none came sooner after it was asked for than the fastest', () => {
    const one = client({ waited: 70, machine: 60 })
    one.answered(4)
    const stage = one.begin()
    one.after(2).wrote()
    one.after(10).read()
    assert.deepEqual(one.end(stage), [8, 6])
  })

  it('half of the time in which the reply can have come, where that is all that is known', () => {
    const one = client({ waited: 15, sure: false })
    one.answered(4)
    const [soon, late] = [one.begin(), one.begin()]
    one.wire.wrote()
    one.after(10).read()
    assert.deepEqual(one.end(soon), [3, 0], 'it came within the last 6 ms')
    one.after(30).read()
    assert.deepEqual(one.end(late), [15, 0], 'it came within the last 30 ms')
  })

  it('waiting for a core in the midst of its work', () => {
    const one = client({ stretches: 1 })
    const stage = one.begin()
    one.after(4).wrote()
    one.after(10).read()
    one.after(4)
    assert.deepEqual(one.end(stage), [8, 2])
  })

  it('nothing by bytes that were written later, as those of a window that is opened', () => {
    const one = client()
    const stage = one.begin()
    one.after(1).wrote()
    one.after(20).read()
    one.after(0).wrote()
    one.after(20).read()
    assert.deepEqual(one.end(stage), [1, 0])
  })

  it('as much to each of several that are under way', () => {
    const one = client()
    const [first, second] = [one.begin(), one.begin()]
    one.after(1).wrote()
    one.after(20).read()
    assert.deepEqual(
      [one.end(first), one.end(second)],
      [
        [1, 0],
        [1, 0]
      ]
    )
  })

  it('what its event loop says, where its stack tells nothing of bytes', () => {
    const one = client({ waited: 7, machine: 4 })
    const stage = one.begin()
    one.after(50)
    assert.deepEqual(one.end(stage), [7, 4])
  })
})
