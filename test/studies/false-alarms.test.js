import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { ratioOf, shownChanged } from '../../bench/parts/ratio-rows.js'
import { judgeMeasures } from '../../bench/validation/measures.js'
import { makeSubStream } from '../../src/kit/random.js'
import { judgeRule, makeBaselineRules } from '../../src/plan/fail-rules.js'
import { compareMetrics } from '../../src/studies/compare/comparison.js'
import { COMPARED } from '../scenarios.js'

/** Comparisons of a thing with itself, and how many of them may find a difference. */
const COMPARISONS = 200
const MAX_ALARMS = 16

/** How far runs scatter, as shares. Those that a simulation is held against scatter by 1 to 4 %. */
const SCATTERS = [0.03, 0.1, 0.2]

/** @param {string} name @param {number} scatter */
function machine(name, scatter) {
  const random = makeSubStream(6, 'A/A', name)
  const normal = () => Math.sqrt(-2 * Math.log(1 - random())) * Math.cos(2 * Math.PI * random())
  return (/** @type {number} */ level) => level * Math.exp(scatter * normal())
}

/** @param {(of: ReturnType<typeof machine>) => boolean} alarm @param {number} scatter */
function alarms(alarm, scatter) {
  const places = Array.from({ length: COMPARISONS }, (_, place) => machine(`${scatter} ${place}`, scatter))
  return places.filter(alarm).length
}

/** @param {ReturnType<typeof machine>} of @param {number} n */
const pairsOf = (of, n) => Array.from({ length: n }, () => /** @type {[number, number]} */ ([of(1), of(1)]))

/** @param {ReturnType<typeof machine>} of @returns {Record<string, import('../../src/studies/compare/comparison.js').ComparedFigure>} */
const run = of =>
  Object.fromEntries(COMPARED.figures.map(({ name }) => [name, { value: of(100), atLeast: false }]))

/** @param {ReturnType<typeof machine>} of */
const observation = of => ({
  latencies: [1, 1, 2, 2].map(of).sort((a, b) => a - b),
  hops: [0, of(2), of(2)],
  meshDegrees: [0, 0, 0, 0, of(3), of(1)],
  ...{ duplicates: of(3), rpcs: of(10), control: of(6), bytes: of(5000) }
})

/** @type {[string, (of: ReturnType<typeof machine>) => boolean, number[]?][]} */
const GATES = [
  [
    'a baseline, by its usual rules',
    of => {
      const pairs = Array.from({ length: 8 }, () => ({ base: run(of), candidate: run(of) }))
      const metrics = compareMetrics(pairs, COMPARED.figures)
      return makeBaselineRules(COMPARED, {}).some(rule => judgeRule(rule, metrics).verdict === 'FAIL')
    }
  ],
  [
    'the validation of the simulated network',
    of => {
      const side = () => Array.from({ length: 10 }, () => observation(of))
      return judgeMeasures(side(), side(), 400).some(({ verdict }) => verdict === 'differs')
    },
    [0.01, 0.04, 0.1]
  ],
  ['bench against a commit', of => shownChanged([1, 2, 3].map(() => ratioOf(pairsOf(of, 8)))).some(Boolean)]
]

describe(`of ${COMPARISONS} comparisons of a thing with itself at most ${MAX_ALARMS} are false alarms`, () => {
  for (const [gate, alarm, scatters = SCATTERS] of GATES)
    for (const scatter of scatters)
      test(`${gate}, on a machine that scatters by ${scatter}`, () => {
        const count = alarms(alarm, scatter)
        assert.ok(count <= MAX_ALARMS, `${count} false alarms`)
      })
})

describe('and what did change is found', () => {
  test('against another commit: a fifth more in every pair', () => {
    const of = machine('changed', 0.03)
    const slower = pairsOf(of, 8).map(
      ([before, today]) => /** @type {[number, number]} */ ([before, today * 1.2])
    )
    assert.deepEqual(shownChanged([slower, pairsOf(of, 8)].map(ratioOf)), [true, false])
    const { ratio, interval } = ratioOf(slower)
    assert.ok(interval.low < ratio && ratio < interval.high && Math.abs(ratio - 1.2) < 0.05)
  })

  test('fewer than 6 pairs bound nothing', () =>
    assert.deepEqual(ratioOf(pairsOf(machine('few', 0.1), 5)).interval, {
      low: 0,
      high: Number.POSITIVE_INFINITY
    }))
})
