import '../../../src/kit/runtime.js'
import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { computeNetworkLoad, computeNetworkNeeds } from '../../../src/studies/saturate/capacity.js'
import { aLoadPoint } from '../../scenarios/rendezvous/load-point.js'

const NETWORK = { peers: 1_000_000, requestsPerDay: 8, peakFactor: 2, ttlSeconds: 7200 }

describe('the load of a network', () => {
  it('of a million peers with 8 requests a day is 92.6 requests a second, and twice that in the busiest hour', () => {
    const { meanPerSecond, peakPerSecond } = computeNetworkLoad(NETWORK)
    assert.equal(Math.floor(meanPerSecond), 92)
    assert.equal(peakPerSecond, 2 * meanPerSecond)
  })

  it('holds what the busiest hour sends within a time to live, and never more than there are peers', () => {
    assert.equal(computeNetworkLoad(NETWORK).held, 1_000_000)
    assert.equal(computeNetworkLoad({ ...NETWORK, ttlSeconds: 720 }).held, 133_333)
  })
})

/** @param {object | null} found @param {object} [plan] @param {object} [network] */
const needs = (found, plan = {}, network = {}) =>
  computeNetworkNeeds(
    /** @type {any} */ ({
      network: { ...NETWORK, ...network },
      search: {
        found,
        trials: [
          {
            plan: { initialRegistrations: 1_000_000, connectionPerOperation: true, ...plan },
            point: aLoadPoint({ serverMemoryBytes: 456e6 })
          }
        ]
      }
    })
  )

/** @param {number} perSecond @param {object} [parts] */
const found = (perSecond, parts) => ({
  ...{ below: { perSecond }, above: { perSecond: 1.05 * perSecond }, generatorBound: false, estimate: null },
  ...parts
})

describe('what a network needs', () => {
  it('is its load, and servers by the rate that one sustains', () => {
    const { held, heldByServer, memoryBytes, connectionPerRequest, servers, isBound } =
      needs(found(308)) ?? {}
    assert.deepEqual([held, heldByServer, memoryBytes], [1_000_000, 1_000_000, 456e6])
    assert.deepEqual([connectionPerRequest, servers, isBound], [true, 2, false])
  })

  it('is without connections for each request where they are refused', () =>
    assert.equal(needs(found(308), { connectionPerOperation: false })?.connectionPerRequest, false))

  it('is a bound where the load generator was used up, or all rates were sustained', () => {
    for (const parts of [{ generatorBound: true }, { above: null }])
      assert.equal(needs(found(308, parts))?.isBound, true)
  })

  it('goes by the rate that is sustained in 9 of 10 trials, where that is known', () => {
    const estimate = { rates: [{ perSecond: 150 }] }
    const { sustainedPerSecond, servers } = needs(found(308, { estimate })) ?? {}
    assert.deepEqual([sustainedPerSecond, servers], [150, 3])
  })

  it('is not known where nothing was sustained, or the search did not end', () => {
    for (const none of [null, { ...found(1), below: null }]) assert.equal(needs(none)?.servers, null)
  })

  /** @type {[number, number, number][]} */
  const rows = [
    [185, 1000, 1],
    [185, 308, 2],
    [185, 309, 1],
    [60, 100, 1],
    [60.1, 100, 2],
    [0.001, 5000, 1]
  ]
  for (const [peak, sustained, servers] of rows)
    it(`is ${servers} for ${peak}/s where one sustains ${sustained}/s`, () => {
      const network = { peers: 86_400, requestsPerDay: peak, peakFactor: 1 }
      assert.equal(needs(found(sustained), {}, network)?.servers, servers)
    })

  it('is nothing where no network was asked for', () => {
    assert.equal(computeNetworkNeeds(/** @type {any} */ ({ search: { found: null, trials: [] } })), null)
  })
})
