import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { setImmediate as turn } from 'node:timers/promises'
import { Waiting } from '../../src/server/admission/fair-share.js'

/** @param {Waiting} waiting @param {string[]} names */
function asked(waiting, names) {
  /** @type {string[]} */
  const woken = []
  for (const name of names) waiting.add().then(() => woken.push(name))
  return woken
}

describe('those who wait', () => {
  it('are woken in the order they came, as many as are told', async () => {
    const waiting = new Waiting()
    const woken = asked(waiting, ['a', 'b', 'c'])
    waiting.wake(2)
    await turn()
    assert.deepEqual(woken, ['a', 'b'])
    waiting.wake()
    await turn()
    assert.deepEqual(woken, ['a', 'b', 'c'])
    assert.equal(waiting.size, 0)
  })

  it('wait no longer when they close', async () => {
    const waiting = new Waiting()
    const who = new EventTarget()
    const gone = waiting.add(who)
    const woken = asked(waiting, ['a'])
    who.dispatchEvent(new Event('close'))
    await gone
    assert.equal(waiting.size, 1)
    waiting.wake(1)
    await turn()
    assert.deepEqual(woken, ['a'])
  })
})
