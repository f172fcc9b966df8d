import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { Stays } from '../../../../src/scenarios/gossip/measure/stays.js'

const SECOND = 1e9
const START_US = 7e6

const stays = new Stays(
  [
    [],
    [
      { leavesNs: 10 * SECOND, returnsNs: 20 * SECOND },
      { leavesNs: 23 * SECOND, returnsNs: 30 * SECOND }
    ]
  ],
  START_US
)

describe('a message published so many seconds after the start finds a node', () => {
  for (const [node, seconds, kind] of /** @type {[number, number, string][]} */ ([
    [0, 15, 'settled'],
    [1, -1, 'settled'],
    [1, 8.999, 'settled'],
    [1, 9, 'leaving'],
    [1, 9.999, 'leaving'],
    [1, 10, 'gone'],
    [1, 19.999, 'gone'],
    [1, 20, 'joining'],
    // it has not settled when it leaves again
    [1, 22.5, 'joining'],
    [1, 23, 'gone'],
    [1, 30, 'joining'],
    [1, 35, 'settled'],
    [2, 15, 'settled']
  ]))
    it(`${node}, ${seconds} s: ${kind}`, () => assert.equal(stays.of(node, START_US + seconds * 1e6), kind))
})
