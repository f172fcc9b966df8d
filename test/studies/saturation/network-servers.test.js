import '../../../src/node-shim.js'
import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { networkLoad, networkSentences } from '../../../src/studies/saturation/network-servers.js'
import { aLoadPoint } from '../../scenarios/rendezvous/saturation/load-point.js'

const NETWORK = { peers: 1_000_000, requestsPerDay: 8, peakFactor: 2, ttlSeconds: 7200 }

describe('the load of a network', () => {
  it('of a million peers with 8 requests a day is 92.6 requests a second, and twice that in the busiest hour', () => {
    const { meanPerSecond, peakPerSecond } = networkLoad(NETWORK)
    assert.equal(Math.floor(meanPerSecond), 92)
    assert.equal(peakPerSecond, 2 * meanPerSecond)
  })

  it('holds what the busiest hour sends within a time to live, and never more than there are peers', () => {
    assert.equal(networkLoad(NETWORK).held, 1_000_000)
    assert.equal(networkLoad({ ...NETWORK, ttlSeconds: 720 }).held, 133_333)
  })
})

/** @param {object | null} found @param {object} [plan] @param {object} [network] */
const said = (found, plan = {}, network = {}) =>
  networkSentences(
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
  it('is said with its rates, registrations, the memory that these took, and assumptions', () => {
    const [rates, held, servers, assumed] = said(found(308))
    assert.match(
      rates,
      /^1,000,000 peers with 8.* send 92\.6\/s on average .* and 185\/s in the busiest hour/
    )
    assert.match(rates, /each request connects, is answered and disconnects\.$/)
    assert.match(held, /^They hold 1,000,000 registrations: min\(peers, 185\/s × TTL of 7,200 s\)/)
    assert.match(held, /The server held 1,000,000, with 456 MB of memory at most\.$/)
    assert.equal(servers, '2 servers: ceil(185/s ÷ (0.6 × 308/s)).')
    assert.match(assumed, /^It assumes that .* add one for that\.$/)
  })

  it('is without connections for each request where they are refused', () => {
    assert.match(said(found(308), { connectionPerOperation: false })[0], /; connections stay\.$/)
  })

  it('is a bound where the load generator was used up, or all rates were sustained', () => {
    assert.match(said(found(308, { generatorBound: true }))[2], /^At most 2 servers/)
    assert.match(said(found(308, { above: null }))[2], /^At most 2 servers/)
  })

  it('goes by the rate that is sustained in 9 of 10 trials, where that is known', () => {
    const estimate = { rates: [{ perSecond: 150 }] }
    assert.match(said(found(308, { estimate }))[2], /^3 servers: .*0\.6 × 150\/s/)
  })

  it('is not known where nothing was sustained, or the search did not end', () => {
    for (const none of [null, { ...found(1), below: null }])
      assert.match(said(none)[2], /^No number of servers can be given/)
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
      assert.match(said(found(sustained), {}, network)[2], new RegExp(`^${servers} server`))
    })

  it('is nothing where no network was asked for', () => {
    assert.deepEqual(networkSentences(/** @type {any} */ ({ search: { found: null, trials: [] } })), [])
  })
})
