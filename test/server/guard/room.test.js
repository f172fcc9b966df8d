import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { Room } from '../../../src/server/guard/room.js'

/** @param {number} each @param {number} all */
function roomFor(each, all) {
  /** @type {string[]} */
  const dropped = []
  const room = new Room({ each, all }, (/** @type {string} */ member) => dropped.push(member))
  return { room, dropped }
}

describe('a room', () => {
  it('holds so many of an address', () => {
    const { room, dropped } = roomFor(2, 10)
    assert.deepEqual(
      ['a1', 'a2', 'a3'].map(member => room.add('a', member)),
      [true, true, false]
    )
    assert.ok(room.add('b', 'b1'))
    room.remove('a', 'a1')
    room.remove('a', 'a1')
    assert.equal(room.size, 2)
    assert.ok(room.add('a', 'a4'))
    assert.deepEqual(dropped, [])
  })

  it('that is full takes one of who has most for one who has less', () => {
    const { room, dropped } = roomFor(5, 6)
    for (let i = 0; i < 5; i++) room.add('hostile', `h${i}`)
    room.add('b', 'b1')
    assert.ok(room.add('honest', 'first'))
    assert.ok(room.add('honest', 'second'))
    assert.deepEqual(dropped, ['h4', 'h3'])
    assert.equal(room.size, 6)
  })

  it('that is full refuses who has as much as anybody', () => {
    const { room, dropped } = roomFor(5, 4)
    for (const address of ['a', 'b']) for (const n of [1, 2]) room.add(address, `${address}${n}`)
    assert.equal(room.add('a', 'a3'), false)
    assert.equal(room.size, 4)
    assert.deepEqual(dropped, [])
  })
})
