import assert from 'node:assert/strict'
import { test } from 'node:test'
import { namespaceTables, routerTimes } from '../../../src/scenarios/namespaces/describe-namespaces.js'
import { summary, time } from '../../report/sample-result.js'

/** @type {import('../../../src/scenarios/gossip/gossip-types.js').NamespaceFigures} */
const FIGURES = {
  step: 'router',
  netem: null,
  dropped: 4,
  lateAllowedMs: 1,
  ladder: [{ step: 'netem', lacks: 'no module', passedOver: null }],
  congestionControl: { asked: null, found: 'cubic' },
  links: [
    {
      ...{ what: 'every link', from: 0, to: 1 },
      roundTrip: { askedMs: 100, foundMs: 100.2, asAsked: true },
      loss: { asked: 0.25, found: 0.5, packets: 2000, asAsked: true },
      rate: { asked: 5e6, found: null, asAsked: false }
    }
  ],
  router: {
    ...{ packets: 5000, bytes: 1e6, lost: 12, cut: 3, overflowed: 1, packetsPerSecond: 1234.4 },
    ...{ cpuMicrosPerPacket: 15.5, lateness: summary(5000, { p99: time(0.5) }) }
  }
}

test('without namespaces there is nothing to describe', () => {
  assert.deepEqual(namespaceTables(null), [])
  assert.deepEqual(routerTimes(undefined), [])
})

test('links have what was asked for and what was measured', () => {
  const [links] = namespaceTables(FIGURES)
  assert.deepEqual(links.rows, [['every link', '0 – 1', 100, 100.2, 25, 50, 2000, 5]])
  // no bandwidth was measured
  assert.equal(links.columns.length, 8)
})

test('the router has its figures, and its lateness is a distribution of times', () => {
  const [, router, methods] = namespaceTables(FIGURES)
  assert.deepEqual(router.rows.find(([name]) => name === 'Packets per second')?.[1], {
    value: 1234.4,
    kind: 'number'
  })
  assert.deepEqual(methods.rows, [['netem', 'no module']])
  assert.equal(routerTimes(FIGURES)[0][1].count, 5000)
})
