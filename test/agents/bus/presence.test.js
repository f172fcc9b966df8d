import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { BUS_KEY, SilenceDetector } from '../../../src/agents/presence.js'

function watched() {
  let nowMs = 0
  /** @type {string[]} */
  const told = []
  const silence = new SilenceDetector({
    now: () => nowMs,
    tell: ({ kind, key }) => void told.push(`${kind} ${key} ${nowMs}`)
  })
  /** @param {number} ms @param {string} [beats] - who says twice a second that it is there */
  const pass = (ms, beats) => {
    for (const end = nowMs + ms; nowMs < end; ) {
      nowMs += 100
      if (beats !== undefined && nowMs % 500 === 0) silence.heard(beats)
      silence.look()
    }
  }
  const stop = (/** @type {number} */ ms) => {
    nowMs += ms
  }
  return { silence, told, pass, stop }
}

describe('heartbeats', () => {
  it('that stop are noticed within 3 s, once', () => {
    const { silence, told, pass } = watched()
    silence.expect('a')
    pass(4000, 'a')
    assert.equal(told.length, 0)
    pass(6000)
    assert.equal(told.length, 1)
    const [, , atMs] = told[0].split(' ')
    assert.ok(Number(atMs) > 6000 && Number(atMs) <= 7000, atMs)
  })

  it('that come again are told of', () => {
    const { silence, told, pass } = watched()
    silence.expect('a')
    pass(4000)
    pass(1000, 'a')
    const found = told.map(text => text.split(' ')[0])
    assert.deepEqual(found, ['lost', 'back'])
  })

  it('that a stopped listener could not hear do not count', () => {
    const { silence, told, pass, stop } = watched()
    silence.expect('a')
    pass(1000, 'a')
    stop(9000)
    pass(2000, 'a')
    assert.deepEqual(told, [])
  })

  it('say nothing of others while the bus itself does not answer', () => {
    const { silence, told, pass } = watched()
    silence.expect(BUS_KEY)
    silence.expect('a')
    pass(1000, BUS_KEY)
    pass(9000)
    assert.equal(told.length, 0)
    pass(2000)
    const found = told.map(text => text.split(' ').slice(0, 2).join(' '))
    assert.deepEqual(found, ['lost bus'])
    silence.heard('a')
    pass(500, BUS_KEY)
    pass(1500, BUS_KEY)
    assert.equal(told.filter(text => text.startsWith('lost a')).length, 0)
    pass(3000, BUS_KEY)
    assert.equal(told.filter(text => text.startsWith('lost a')).length, 1)
  })

  it('count from when the bus is back to which the link was cut, for however short', () => {
    const { silence, told, pass } = watched()
    silence.expect(BUS_KEY)
    silence.expect('a')
    pass(1500, BUS_KEY)
    silence.cut()
    pass(1100)
    pass(2000, BUS_KEY)
    assert.deepEqual(told, [])
    pass(2000, BUS_KEY)
    assert.match(told.join(), /^lost a /)
  })

  it('of who was not expected, or is forgotten, are of no interest', () => {
    const { silence, told, pass } = watched()
    silence.heard('b')
    silence.expect('a')
    silence.forget('a')
    pass(9000)
    assert.deepEqual(told, [])
  })
})
