import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { setImmediate as turn } from 'node:timers/promises'
import { ByteAccount } from '../../../src/server/admission/fair-share.js'

const KIB = 1024

describe('an account of all addresses that is full', () => {
  const all = new ByteAccount(1000 * KIB)
  const hostile = new ByteAccount(Infinity, all)
  hostile.add(1000 * KIB)

  it('has no room for who holds much, and does not drop what only just came', () => {
    assert.equal(hostile.hasRoom(), false)
    assert.equal(hostile.bytes, 1000 * KIB)
  })

  it('has room for who holds little, but not without end', () => {
    const others = Array.from({ length: 20 }, () => new ByteAccount(Infinity, all))
    const letIn = others.filter(other => {
      const room = other.hasRoom()
      if (room) other.add(60 * KIB)
      return room
    })
    assert.equal(letIn.length, 9)
    assert.equal(all.bytes, 1540 * KIB)
  })
})

describe('who waits because of a connection that is full', () => {
  it('is asked again when there is room, and not before', async t => {
    t.mock.timers.enable({ apis: ['setTimeout'] })
    const connection = new ByteAccount(10, new ByteAccount(Infinity))
    const stuck = new ByteAccount(Infinity, connection)
    stuck.add(10)
    let asked = 0
    void new ByteAccount(Infinity, connection).room()?.then(() => asked++)
    t.mock.timers.tick(60_000)
    await turn()
    assert.equal(asked, 0)
    stuck.remove(10)
    await turn()
    assert.equal(asked, 1)
  })
})
