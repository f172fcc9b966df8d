import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { dialable, nodesSelected, placementOf, shareOut } from '../../src/load/network-script.js'

/** @type {import('../../src/scenarios/gossip/plan/network-file.js').NodeClass} */
const CLASS = {
  name: 'home',
  share: 0.8,
  upBytesPerSecond: null,
  downBytesPerSecond: null,
  zones: [0.5, 0.5],
  validation: null,
  dial: 'outbound'
}
const ZONES = {
  names: ['eu', 'us'],
  latencyMs: [
    [1, 2],
    [2, 1]
  ],
  jitter: null,
  lossShare: null,
  shares: null
}
const PLAN = {
  nodes: 26,
  seed: 7,
  networkFile: {
    zones: ZONES,
    classes: [
      CLASS,
      { ...CLASS, name: 'server', share: 0.2, zones: [0, 1], dial: /** @type {const} */ ('any') }
    ],
    placement: null
  }
}

/** @param {readonly number[]} list @param {number} value */
const count = (list, value) => list.filter(each => each === value).length

describe('shares of nodes', () => {
  it('are rounded by largest remainder, and add up', () => {
    // quotas 20.8 and 5.2; Hare's textbook case of 47, 16, 15.8, 12, 6.1, 3.1 thousand votes and 10 seats
    assert.deepEqual(shareOut(26, [0.8, 0.2]), [21, 5])
    assert.deepEqual(shareOut(10, [47, 16, 15.8, 12, 6.1, 3.1]), [5, 2, 1, 1, 1, 0])
    assert.deepEqual(shareOut(3, [1, 1, 1, 1]), [1, 1, 1, 0])
    assert.deepEqual(shareOut(10, [0.1, 0.2, 0.7]), [1, 2, 7])
  })

  it('give each class its zones, the same with the same seed and others with another', () => {
    const { classOf, zoneOf } = placementOf(PLAN) ?? assert.fail()
    assert.equal(count(classOf, 0), 21)
    const servers = zoneOf.filter((_, node) => classOf[node] === 1)
    assert.deepEqual(servers, [1, 1, 1, 1, 1])
    assert.equal(count(zoneOf, 0), 11, 'of 21 homes, the first of two equal halves has the one that is left')
    assert.deepEqual(placementOf(PLAN), { classOf, zoneOf })
    assert.notDeepEqual(placementOf({ ...PLAN, seed: 8 })?.classOf, classOf)
  })

  it('are not asked for where the placement is given', () => {
    const placement = Array.from({ length: 26 }, (_, node) => ({
      class: node < 3 ? 'server' : 'home',
      zone: 'us'
    }))
    const { classOf, zoneOf } =
      placementOf({ ...PLAN, networkFile: { ...PLAN.networkFile, placement } }) ?? assert.fail()
    assert.deepEqual([classOf.slice(0, 4), count(zoneOf, 1)], [[1, 1, 1, 0], 26])
  })
})

describe('a selector', () => {
  it('means nodes by number, class, zone, and a share of them', () => {
    const { classOf, zoneOf } = placementOf(PLAN) ?? assert.fail()
    const homes = nodesSelected({ class: 'home', zone: 'eu' }, PLAN)
    assert.equal(homes.length, 11)
    assert.ok(homes.every(node => classOf[node] === 0 && zoneOf[node] === 0))
    assert.deepEqual(nodesSelected({ nodes: [3, 5] }, PLAN), [3, 5])
    assert.equal(nodesSelected({ class: 'home', count: 2 }, PLAN, 'script', 0).length, 2)
    const half = nodesSelected({ class: 'home', share: 0.5 }, PLAN, 'script', 1)
    assert.equal(half.length, 11)
    assert.ok(half.every(node => classOf[node] === 0))
    assert.deepEqual(nodesSelected({ class: 'home', share: 0.5 }, PLAN, 'script', 1), half)
  })
})

describe('who accepts no connections', () => {
  it('is dialled by nobody: it dials, and another node instead of one of its kind', () => {
    const { classOf } = placementOf(PLAN) ?? assert.fail()
    const homes = nodesSelected({ class: 'home' }, PLAN)
    const [server] = nodesSelected({ class: 'server' }, PLAN)
    const edges = dialable(
      [
        [server, homes[0]],
        [homes[1], homes[2]]
      ],
      PLAN
    )
    assert.deepEqual(edges[0], [homes[0], server])
    assert.equal(edges[1][0], homes[1])
    assert.equal(classOf[edges[1][1]], 1)
  })

  it('changes nothing where all accept', () => {
    const edges = /** @type {[number, number][]} */ ([[0, 1]])
    assert.deepEqual(dialable(edges, { nodes: 2, seed: 1 }), edges)
  })
})
