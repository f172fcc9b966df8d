import assert from 'node:assert/strict'
import { test } from 'node:test'
import { routerFigures } from '../../../src/scenarios/router-figures.js'
import { summary, time } from '../../report/sample-result.js'

/** @param {number} of @param {Record<string, unknown>} [parts] */
const network = (of, parts) => ({
  router: {
    packets: 100 * of,
    packetsPerSecond: 1000 * of,
    cpuMicrosPerPacket: 10 - of,
    lateness: summary(100, { p99: time(of) }),
    ...parts
  }
})

/** @param {unknown[]} networks */
const read = networks =>
  Object.fromEntries(
    routerFigures(outcome => outcome.networks).map(({ name, read }) => [
      name,
      read(/** @type {any} */ ({ networks }))
    ])
  )

test('of several networks in turn the largest figure counts, with as many packets as the busiest router had', () => {
  assert.deepEqual(read([network(1), network(3), null, undefined, { router: null }]), {
    routerPackets: { value: 3000, samples: 300 },
    'routerLateness.p99': { value: 3, samples: 300 },
    routerCpuPerPacket: { value: 9, samples: 300 }
  })
})

test('without a router, or where it has no such figure, there is none, and why', () => {
  for (const each of Object.values(read([null, { router: null }])))
    assert.match(JSON.stringify(each), /there was no router between network namespaces/)
  const few = read([network(1, { cpuMicrosPerPacket: null, lateness: summary(1, { p99: null }) })])
  assert.deepEqual(few.routerPackets, { value: 1000, samples: 100 })
  assert.equal(few.routerCpuPerPacket.value ?? null, null)
  assert.equal(few['routerLateness.p99'].value ?? null, null)
})
