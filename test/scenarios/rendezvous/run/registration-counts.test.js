import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { setImmediate as turn } from 'node:timers/promises'
import { countRegistrations } from '../../../../src/scenarios/rendezvous/run/load-phases.js'

/** @param {import('node:test').TestContext} t @param {{ durationMs?: number, state?: (() => Promise<any>) | null }} [how] */
function counting(
  t,
  { durationMs = 60_000, state = async () => ({ registrations: 7, namespaces: 1 }) } = {}
) {
  t.mock.timers.enable({ apis: ['setInterval'] })
  /** @type {[number, number | null][]} */
  const counts = []
  let nowNs = 0
  const counter = countRegistrations({
    control: state === null ? null : { state },
    durationMs,
    onCount: (atNs, registrations) => counts.push([atNs, registrations]),
    clock: () => (nowNs += 100)
  })
  const pass = async (/** @type {number} */ ms) => {
    t.mock.timers.tick(ms)
    await turn()
  }
  return { counts, counter, pass }
}

describe('the registrations of a server are counted', () => {
  test('once a second, at a moment between question and answer', async t => {
    const { counts, counter, pass } = counting(t)
    await pass(1000)
    await pass(1000)
    assert.deepEqual(counts, [
      [150, 7],
      [350, 7]
    ])
    counter.stop()
    await pass(5000)
    assert.equal(counts.length, 2)
  })

  test('less often in a long run', async t => {
    const { counts, pass } = counting(t, { durationMs: 36_000_000 })
    await pass(9999)
    assert.equal(counts.length, 0)
    await pass(1)
    assert.equal(counts.length, 1)
  })

  test('not of a server of others, nor of one that is gone: the time line goes on', async t => {
    const foreign = counting(t, { state: null })
    await foreign.pass(1000)
    assert.deepEqual(foreign.counts, [[150, null]])
    t.mock.timers.reset()
    const gone = counting(t, { state: () => Promise.reject(new Error('gone')) })
    await gone.pass(1000)
    const actual = gone.counts.map(([, registrations]) => registrations)
    assert.deepEqual(actual, [null])
  })
})
