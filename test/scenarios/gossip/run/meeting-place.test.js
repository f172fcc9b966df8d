import assert from 'node:assert/strict'
import { test } from 'node:test'
import { SimulationBarrier } from '../../../../src/scenarios/gossip/run/pool.js'

/** @typedef {import('../../../../src/simulator/time/processes.js').ProcessMessages} ProcessMessages */

const box = (/** @type {string} */ name) => /** @type {ProcessMessages} */ (/** @type {unknown} */ ({ name }))

test('processes of a simulation hear of one another when all have told', async () => {
  const place = new SimulationBarrier(3)
  const nothing = { boxes: [null, null, null], settled: true, ended: false }
  const first = place.meet(2, { ...nothing, boxes: [box('2 to 0'), null, null], nextNs: 50 })
  const second = place.meet(0, { ...nothing, nextNs: 30, settled: false })
  let heard = 0
  void first.then(() => heard++)
  await new Promise(resolve => setImmediate(resolve))
  assert.equal(heard, 0, 'one of them has not told')
  const third = place.meet(1, {
    ...{ boxes: [box('1 to 0'), null, box('1 to 2')], nextNs: 40 },
    ...{ settled: true, ended: true }
  })
  const common = { nextNs: 30, settled: false, ended: true }
  assert.deepEqual(await Promise.all([first, second, third]), [
    { boxes: [box('1 to 2')], ...common },
    { boxes: [box('2 to 0'), box('1 to 0')], ...common },
    { boxes: [], ...common }
  ])
})
