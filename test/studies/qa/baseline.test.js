import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { judgeParts } from '../../../src/studies/qa/baseline.js'
import { findMissedConditions } from '../../../src/studies/saturate/objective.js'
import { aGossipPoint } from '../../scenarios/gossip/a-gossip-point.js'
import { times } from '../../scenarios/rendezvous/load-point.js'
import { makePlanOf } from '../../scenarios.js'
import { aQaDocument, aTrial } from './a-qa-document.js'

/**
 * @typedef {import('../../../src/studies/qa/baseline.js').PartName} PartName
 * @typedef {Parameters<typeof aQaDocument>[0]} Parts
 */

/** @type {any[]} */
const ROTATING = [
  { name: 'stale', title: 'Stale', quantity: 'share', better: 'lower' },
  { name: 'seen', title: 'Seen', quantity: 'share', better: 'higher' },
  { name: 'delay', title: 'Delay, ms', quantity: 'time', better: 'lower' },
  { name: 'peers', title: 'Peers', quantity: 'count', better: null }
]

/** @param {PartName} part @param {Parts} now @param {Parts} [before] */
function partOf(part, now, before) {
  const found = judgeParts(aQaDocument(before), aQaDocument(now), ROTATING).parts.find(
    each => each.part === part
  )
  assert.ok(found !== undefined)
  return found
}

/** @param {Parameters<typeof partOf>} args */
function told(...args) {
  const { verdict, why } = partOf(...args)
  return `${verdict}: ${why}`
}

/** @param {number[]} ms */
const examined = ms => ({ trials: ms.map(each => aTrial(50, { rt: times(each) })) })

describe('a quality report held against an earlier one', () => {
  test('passes where nothing became worse, and says what it was held against', () => {
    const { verdict, baseline, parts } = judgeParts(aQaDocument(), aQaDocument(), ROTATING)
    const { id, startedAt } = aQaDocument()
    assert.deepEqual(baseline, { id, startedAt, version: '0.1.0' })
    assert.equal(parts.map(({ part }) => part).join(' '), 'saturation times resources steady rotation')
    assert.deepEqual([verdict, parts[0].verdict, parts[1].verdict], ['PASS', 'PASS', 'PASS'])
  })

  test('fails as a whole where one part fails, and is open where one is', () => {
    const failing = judgeParts(aQaDocument(), aQaDocument({ examined: examined([9, 9.1, 8.9]) }), ROTATING)
    assert.equal(failing.verdict, 'FAIL')
    const open = judgeParts(aQaDocument(), aQaDocument({ steady: null }), ROTATING)
    assert.equal(open.verdict, 'UNDECIDED')
  })

  test('is undecided in all parts on another machine, or where one measured nothing', () => {
    const on = /** @type {any} */ (aQaDocument().on)
    const other = { ...on, machine: { ...on.machine, cores: 64 } }
    const parts = /** @type {PartName[]} */ ('saturation times resources steady rotation'.split(' '))
    for (const part of parts) {
      assert.equal(told(part, { on: other }), 'UNDECIDED: the machines differ in cores', part)
      assert.equal(partOf(part, { on: null }).why, 'one of them measured nothing')
    }
  })

  test('tells versions that were not kept apart from those that were', () => {
    const on = /** @type {any} */ (aQaDocument().on)
    const before = aQaDocument({ on: { ...on, versions: {} } })
    assert.equal(judgeParts(before, aQaDocument(), ROTATING).baseline.version, null)
    assert.equal(judgeParts(aQaDocument({ on: null }), aQaDocument(), ROTATING).baseline.version, null)
  })
})

describe('what was carried then', () => {
  const carried = (/** @type {any[]} */ ...cells) => ({ grid: { cells } })
  /** @param {number} share - of what was due at 50/s now @param {object} [point] */
  const now = (share, point) => carried(aTrial(50, { achieved: 300 * share, ...point }))
  const then = carried(aTrial(25), aTrial(50))
  const CARRIED = 'PASS: all 1 cells that were carried then are carried now'
  const LOST = 'FAIL: (r=50, c=1) was carried then, and is not now'
  const NO_PLAN = 'UNDECIDED: no cell that was carried then was run with the same plan now'
  const BUSY = '(r=50, c=1) was not carried now, because of the load generator'

  /** @type {[what: string, told: string, expected: string | RegExp][]} */
  const CASES = [
    ['is carried now', told('saturation', now(1)), CARRIED],
    ['and is not now is a failure', told('saturation', now(0.5)), LOST],
    [
      'and barely misses the objective',
      told('saturation', now(0.92)),
      /^UNDECIDED: \(r=50, c=1\) barely misses the objective/
    ],
    [
      'and is not now for want of the load generator',
      told('saturation', now(0.5, { utilization: 0.97 })),
      `UNDECIDED: ${BUSY}`
    ],
    [
      'and fails outright, whatever else is carried',
      told('saturation', carried(aTrial(25), aTrial(50, null)), then),
      LOST
    ],
    [
      'and was not run now',
      told('saturation', carried(aTrial(25), aTrial(50, null, { status: 'pending' })), then),
      CARRIED
    ],
    [
      'and is left open for two reasons',
      told(
        'saturation',
        carried(aTrial(25, { achieved: 138 }), aTrial(50, { achieved: 150, utilization: 0.97 })),
        then
      ),
      /^UNDECIDED: \(r=25, c=1\) barely misses .*; \(r=50, c=1\) was not carried now, because of the load generator$/
    ],
    [
      'by another objective',
      told('saturation', { objective: ['p99 < 10ms'] }),
      'UNDECIDED: they were judged by different objectives'
    ],
    ['with another plan', told('saturation', carried(aTrial(40))), NO_PLAN]
  ]
  for (const [what, found, expected] of CASES)
    test(what, () =>
      typeof expected === 'string' ? assert.equal(found, expected) : assert.match(found, expected)
    )

  test('by a real gossip network fails whatever was used up, since nodes generate the load; by a simulated one it is left open', () => {
    const { plan } = makePlanOf('gossip', { nodes: 20, rate: '10/s', duration: '6s' })
    /** @param {Parameters<typeof aGossipPoint>[0]} [point] @returns {any} */
    const cell = point => {
      const measured = aGossipPoint(point)
      const reasons = findMissedConditions('gossip', ['achieved >= 99%'], { point: measured })
      return {
        ...{ ...aTrial(50), plan, perSecond: 10, nodes: 20, point: measured },
        ...{ reasons, sustained: reasons.length === 0 }
      }
    }
    const lost = { achieved: 10, utilization: 0.99 }
    /** @param {Record<string, unknown>} options */
    const verdictOf = options => {
      const of = (/** @type {any} */ each) =>
        aQaDocument({ scenario: 'gossip', options, grid: { cells: [each] } })
      return judgeParts(of(cell()), of(cell(lost)), ROTATING).parts[0].verdict
    }
    assert.equal(verdictOf({}), 'FAIL')
    assert.equal(verdictOf({ network: 'simulated' }), 'UNDECIDED')
  })
})

describe('the examined cell', () => {
  test('fails by times that rose, and says by how much', () => {
    const { verdict, figures, why } = partOf('times', { examined: examined([4, 4.04, 3.96]) })
    assert.deepEqual([verdict, why], ['FAIL', null])
    const [{ before, now, ratio }] = figures
    assert.ok(Math.abs(Number(now) / before - 2) < 0.01 && Math.abs(Number(ratio) - 2) < 0.05)
  })

  test('is left open where it is not the same, or one of them has none', () => {
    const other = { examined: { trials: [aTrial(60)] } }
    assert.match(told('times', other), /^UNDECIDED: the plans differ in ratePerSecond/)
    const none = { examined: { trials: [] } }
    assert.equal(told('resources', none), 'UNDECIDED: no cell was examined in one of them')
  })

  test('of which nothing was measured says so', () => {
    const none = { examined: { trials: [aTrial(50, null)] } }
    const { verdict, why, figures } = partOf('times', none, none)
    assert.deepEqual([verdict, why, figures], ['N/A', 'not measured', []])
  })

  test('is left open where a figure is not measured any more', () => {
    const { verdict, figures } = partOf('times', { examined: { trials: [aTrial(50, null)] } })
    assert.equal(verdict, 'UNDECIDED')
    assert.deepEqual(new Set(figures.map(({ now }) => now)), new Set([null]))
  })

  describe('with times that are lower bounds', () => {
    /** @param {number} ms */
    const bound = ms => {
      const rt = times(ms)
      const figure = /** @type {NonNullable<typeof rt.p99>} */ (rt.p99)
      return {
        trials: [ms, 1.01 * ms].map(() => aTrial(50, { rt: { ...rt, p99: { ...figure, censored: true } } }))
      }
    }

    test('does not pass by them: the true ones may be longer', () => {
      const { verdict, figures } = partOf('times', { examined: bound(2) }, { examined: examined([2, 2.01]) })
      assert.equal(verdict, 'UNDECIDED')
      assert.equal(
        figures.map(({ title, verdict, bounds }) => `${title} ${verdict} ${bounds}`).join('; '),
        'p50, ms PASS undefined; p99, ms UNDECIDED now; Without success, % PASS undefined'
      )
    })

    test('does not fail against them: the true ones may have been as long', () => {
      const { figures } = partOf('times', { examined: examined([9, 9.01]) }, { examined: bound(2) })
      assert.equal(
        figures
          .slice(0, 2)
          .map(({ verdict }) => verdict)
          .join(' '),
        'FAIL UNDECIDED'
      )
    })
  })

  test('fails where more operations are without success, however fast the others are', () => {
    const failing = (/** @type {number} */ failed) => ({
      trials: [0, 0, 0].map(() => aTrial(50, { failed, rt: times(1) }))
    })
    assert.equal(partOf('times', { examined: failing(12) }).verdict, 'FAIL')
    assert.equal(partOf('times', { examined: failing(3) }).verdict, 'PASS', 'a point more is no worse yet')
  })
})

describe('the steady run', () => {
  test('is held by how far the runs of the examined cell lie apart', () => {
    assert.equal(partOf('steady', {}).verdict, 'PASS')
    assert.equal(partOf('steady', { steady: aTrial(25, { rt: times(15) }) }).verdict, 'FAIL')
  })

  test('is left open without one of them, or with another plan', () => {
    assert.equal(partOf('steady', { steady: null }).why, 'one of them has no steady run')
    assert.equal(partOf('steady', { steady: aTrial(25, null) }).why, 'one of them has no steady run')
    assert.match(String(partOf('steady', { steady: aTrial(30) }).why), /^the plans differ in ratePerSecond/)
  })
})

describe('a run in which some come and go', () => {
  /** @param {Record<string, number>} figures */
  const held = figures =>
    partOf(
      'rotation',
      { rotation: { figures } },
      { rotation: { figures: { stale: 10, seen: 95, delay: 100, peers: 30 } } }
    )

  test('is held by shares within some points, and by times', () => {
    const { verdict, figures } = held({ stale: 15, seen: 94, delay: 100, peers: 5 })
    assert.equal(verdict, 'PASS')
    const found = figures.map(({ title, verdict }) => `${title} ${verdict}`).join('; ')
    assert.equal(found, 'Stale, % PASS; Seen, % PASS; Delay, ms PASS')
    assert.equal(held({ stale: 15.1 }).verdict, 'FAIL')
    assert.equal(held({ seen: 93.9 }).verdict, 'FAIL')
    assert.equal(held({ delay: 500 }).verdict, 'FAIL')
  })

  test('is better where shares are', () =>
    assert.equal(held({ stale: 0, seen: 100, delay: 100 }).verdict, 'PASS'))

  test('is left open by a time that is a lower bound, and by what is not measured any more', () => {
    const was = { rotation: { figures: { stale: 10, delay: 100 } } }
    const bound = { rotation: { figures: { stale: 10, delay: 100 }, atLeast: ['delay'] } }
    assert.equal(partOf('rotation', bound, was).verdict, 'UNDECIDED')
    assert.equal(partOf('rotation', { rotation: { figures: { stale: 10 } } }, was).verdict, 'UNDECIDED')
  })

  test('of which nothing is known to both says so', () => {
    const other = { rotation: { figures: { other: 1 } } }
    assert.equal(told('rotation', other, other), 'N/A: not measured')
  })

  test('is left open where it did not come to its end or was another one, and said not to be where it was not run', () => {
    assert.equal(
      partOf('rotation', { rotation: { status: 'failed' } }).why,
      'one of them has no complete run'
    )
    const plan = { ...aQaDocument().rotation.plan, nClients: 31 }
    assert.equal(partOf('rotation', { rotation: { plan } }).why, 'the plans differ in nClients')
    assert.equal(told('rotation', { rotation: { why: 'it takes agents' } }), 'N/A: it takes agents')
  })
})
