import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { makeNamespaceWarnings, makeRouterFigures } from '../../src/scenarios/router-figures.js'
import { summary, time } from '../report/sample-result.js'

/** @param {number} of @param {Record<string, unknown>} [parts] */
const network = (of, parts) => ({
  router: {
    ...{ packets: 100 * of, packetsPerSecond: 1000 * of, cpuMicrosPerPacket: 10 - of },
    lateness: summary(100, { p99: time(of) }),
    ...parts
  }
})

/** @param {unknown[]} networks */
const read = networks =>
  Object.fromEntries(
    makeRouterFigures(outcome => outcome.networks).map(({ name, read }) => [
      name,
      read(/** @type {any} */ ({ networks }))
    ])
  )

test('of several networks in turn the largest figure counts, with as many packets as the busiest router had', () =>
  assert.deepEqual(read([network(1), network(3), null, undefined, { router: null }]), {
    routerPackets: { value: 3000, samples: 300 },
    'routerLateness.p99': { value: 3, samples: 300 },
    routerCpuPerPacket: { value: 9, samples: 300 }
  }))

test('without a router, or where it has no such figure, there is none, and why', () => {
  for (const each of Object.values(read([null, { router: null }])))
    assert.match(JSON.stringify(each), /there was no router between network namespaces/)
  const few = read([network(1, { cpuMicrosPerPacket: null, lateness: summary(1, { p99: null }) })])
  assert.deepEqual(few.routerPackets, { value: 1000, samples: 100 })
  assert.equal(few.routerCpuPerPacket.value ?? null, null)
  assert.equal(few['routerLateness.p99'].value ?? null, null)
})

const NO_TIMES = summary(3, { avg: null, p50: null, p90: null, p95: null, p99: null, max: null })

/** @param {Record<string, unknown>} parts */
const warned = parts =>
  makeNamespaceWarnings(
    /** @type {any} */ ({
      ...{ links: [], router: null, lateAllowedMs: 1, dropped: 0 },
      congestionControl: { asked: null, found: 'cubic' },
      ...parts
    })
  )

/** @param {Record<string, unknown>} figures */
const late = figures => warned({ router: { overflowed: 0, lateness: { ...NO_TIMES, ...figures } } })

describe('warnings of a network of namespaces', () => {
  test('are none without one, and none of a sound one', () => {
    assert.deepEqual([makeNamespaceWarnings(null), makeNamespaceWarnings(undefined)], [[], []])
    assert.deepEqual([warned({}), late({ p99: time(1) })], [[], []])
  })

  test('name the links that were not as asked, in any respect', () => {
    const sound = { what: 'near', roundTrip: { asAsked: true }, loss: null, rate: null }
    const lossy = { what: 'far', roundTrip: { asAsked: true }, loss: { asAsked: false }, rate: null }
    const { what, ...found } = lossy
    assert.deepEqual(warned({ links: [sound, lossy] }), [
      { code: 'NETWORK_NOT_AS_ASKED', values: { what, ...found } }
    ])
  })

  test('tell of a congestion control that was asked for and is another', () => {
    const of = (/** @type {string | null} */ asked) =>
      warned({ congestionControl: { asked, found: 'cubic' } }).map(({ code }) => code)
    assert.deepEqual(of('reno'), ['CONGESTION_CONTROL_NOT_SET'])
    for (const asked of [null, 'host', 'cubic']) assert.deepEqual(of(asked), [])
  })

  test('tell of a router that was late, of few packets by the highest percentile there is', () => {
    const told = (/** @type {number} */ p99Ms) => [{ code: 'ROUTER_LATE', values: { p99Ms, allowedMs: 1 } }]
    assert.deepEqual(late({ p99: time(5), p50: time(0) }), told(5))
    assert.deepEqual(late({ p95: time(4), p90: time(3) }), told(4))
    assert.deepEqual([late({ p90: time(3), p50: time(2) }), late({ p50: time(2) })], [told(3), told(2)])
    assert.deepEqual(late({}), [])
  })

  test('count what there was no room for, at the router and in front of it', () => {
    const count = (/** @type {Record<string, unknown>} */ parts) => warned(parts)[0]?.values.count
    assert.equal(count({ dropped: 3 }), 3)
    assert.equal(count({ dropped: 3, router: { overflowed: 4, lateness: NO_TIMES } }), 7)
    assert.equal(count({ router: { overflowed: 0, lateness: NO_TIMES } }), undefined)
  })
})
