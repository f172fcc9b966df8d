import assert from 'node:assert/strict'
import { test } from 'node:test'
import { setImmediate as nextTurn } from 'node:timers/promises'
import { dialInTurn } from '../../../src/network/node-host.js'

test('a node dials one peer after the other in the given order, and waits for no other node', async () => {
  const dials = [
    [0, 5],
    [1, 5],
    [0, 6],
    [0, 7],
    [1, 6]
  ].map(([from, to]) => ({ from, to }))
  /** @type {string[]} */
  const log = []
  const dialled = await dialInTurn(dials, async dial => {
    const name = `${dial.from}>${dial.to}`
    log.push(name)
    // node 0 waits longer than node 1
    for (let turns = dial.from === 0 ? 3 : 1; turns > 0; turns--) await nextTurn()
    log.push(`${name} done`)
    return { ...dial, ms: 1, error: dial.to === 6 ? 'refused' : null }
  })
  assert.deepEqual(
    dialled,
    [0, 2, 3, 1, 4].map(i => ({ ...dials[i], ms: 1, error: dials[i].to === 6 ? 'refused' : null }))
  )
  assert.deepEqual(
    log.filter(line => line.startsWith('0')),
    ['0>5', '0>5 done', '0>6', '0>6 done', '0>7', '0>7 done']
  )
  assert.ok(log.indexOf('1>5') < log.indexOf('0>5 done'))
  assert.ok(log.indexOf('1>6') < log.indexOf('0>5 done'))
})
