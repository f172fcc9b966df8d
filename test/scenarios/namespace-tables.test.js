import '../../src/kit/runtime.js'
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { makeNamespaceTables } from '../../src/scenarios/namespace-tables.js'
import { digestOf, valid } from '../description-digest.js'

const late = (/** @type {number} */ ms) => ({ ms, censored: false })

const FIGURES = /** @type {any} */ ({
  step: 'router',
  ladder: [{ step: 'netem', lacks: 'Error: no such file.', passedOver: null }],
  netem: 'no such file',
  congestionControl: { asked: null, found: 'cubic' },
  links: [
    {
      ...{ what: 'every link', from: 0, to: 1 },
      roundTrip: { askedMs: 20, foundMs: 20.4, asAsked: true },
      loss: { asked: 0.001, found: 0.0012, packets: 5000, asAsked: true },
      rate: { asked: 1e7, found: null, asAsked: false }
    }
  ],
  router: {
    ...{ packets: 1000, bytes: 1e6, lost: 1, cut: 2, overflowed: 3 },
    ...{ packetsPerSecond: 100, cpuMicrosPerPacket: 12, waitedShare: 0.01 },
    lateness: { count: 1000, p50: late(0.1), p99: late(0.5), max: late(2) }
  },
  lateAllowedMs: 1,
  dropped: 4
})

const rowsOf = (/** @type {Parameters<typeof makeNamespaceTables>[0]} */ networks) =>
  digestOf(
    valid({
      ...{ title: '', headline: '', tiles: [], tables: makeNamespaceTables(networks), plots: [] },
      warnings: []
    })
  ).tables.map(({ id, rows }) => /** @type {[string, string[]]} */ ([id, rows]))

test('links as planned and measured, the router, and what emulates the links', () =>
  assert.deepEqual(rowsOf([{ figures: FIGURES }]), [
    ['links', ['every link (0 – 1) | 20.0 | 20.4 | 0.100 | 0.120 | 5,000 | 10.0']],
    ['router', ['cubic | 100 | 1,000 | 1.00 | 12.0 | 0.100 | 0.500 | 2.00 | 1.00 | 1.00 | 1 | 2 | 7']],
    ['link-emulation', ['netem | no such file', 'router | –']]
  ]))

test('several networks in turn are told apart', () => {
  const [[, links], [, routers]] = rowsOf([
    { label: '10 ms', figures: FIGURES },
    { label: '50 ms', figures: { ...FIGURES, router: null } }
  ])
  const actual = links.map(row => row.split(' | ')[0])
  assert.deepEqual([actual, routers.length], [['10 ms', '50 ms'], 1])
})

test('nothing where nothing ran in namespaces', () =>
  assert.deepEqual(makeNamespaceTables([{ figures: undefined }]), []))
