import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { JointTimePassing } from '../../../src/simulator/time/processes.js'
import { VirtualTime } from '../../../src/simulator/virtual-time.js'

const LOOKAHEAD_NS = 10

/** One process of a simulation. @param {(told: import('../../../src/simulator/time/processes.js').ProcessReport) => object} answer */
function passageOf(answer) {
  const time = new VirtualTime()
  /** @type {any[]} */
  const tells = []
  const passage = new JointTimePassing({
    driver: /** @type {any} */ ({
      pass: async (/** @type {number} */ ns) => {
        const untilNs = time.nowNs + ns
        while (time.runNext(untilNs));
        time.rest(untilNs)
      }
    }),
    time,
    lookaheadNs: LOOKAHEAD_NS,
    remote: /** @type {any} */ ({ size: 0, soonestNs: Infinity, take: () => [] }),
    meet: async told => {
      tells.push(told)
      return { boxes: [], nextNs: told.nextNs, settled: told.settled, ended: told.ended, ...answer(told) }
    },
    take: () => assert.fail('nothing came')
  })
  return { time, passage, tells }
}

describe('time that several processes share', () => {
  test('passes until a promise is settled at all of them', async () => {
    const { time, passage, tells } = passageOf(told => ({ settled: told.settled && tells.length > 2 }))
    for (let ns = 3; ns < 100; ns += 10) time.at(ns, 0, () => {})
    assert.equal(await passage.passUntil(Promise.resolve('come')), 'come')
    assert.ok(tells.length > 2)
    assert.equal(passage.meetings, tells.length)
  })

  test('is waited for in vain where nothing happens any more, or nothing in time', async () => {
    const never = new Promise(() => {})
    const message = { message: /^the simulation waits in vain: / }
    await assert.rejects(passageOf(() => ({})).passage.passUntil(never), message)
    const { time, passage } = passageOf(() => ({}))
    const tick = () => time.at(time.nowNs + 5, 0, tick)
    tick()
    await assert.rejects(passage.passUntil(never, 50), message)
    assert.ok(time.nowNs >= 50 && time.nowNs < 100, `${time.nowNs}`)
  })

  test('ends early at all of them where one was asked to', async () => {
    const { time, passage } = passageOf(() => ({ ended: true }))
    await passage.pass(1000)
    assert.ok(time.nowNs < 1000, `${time.nowNs}`)
    const other = passageOf(() => ({}))
    await other.passage.pass(1000)
    assert.equal(other.time.nowNs, 1000)
  })
})
