import assert from 'node:assert/strict'
import { readFile } from 'node:fs/promises'
import { describe, test } from 'node:test'
import { judgeMeasures } from '../../../../src/studies/validation/result/judge-measures.js'

/**
 * @typedef {import('../../../../src/studies/validation/result/observation.js').Observation} Observation
 * @typedef {import('../../../../src/studies/validation/result/measures.js').MeasureName} MeasureName
 */

/**
 * What runs of the default plan gave, seeds 1 to 5: real ones, simulated ones, and simulated ones with something wrong: links of 800 ms
 * instead of 400, no IDONTWANT, D = 8 with D_low = 6 instead of 6 with 4. Latencies are thinned to 200 quantiles.
 *
 * @type {Record<'real' | 'simulated' | 'doubledLatency' | 'withoutIdontwant' | 'largerMesh', Observation[]>}
 */
const RUNS = JSON.parse(
  await readFile(new URL('../../../../fixtures/validation/observations.json', import.meta.url), 'utf8')
)

/** @param {Observation[]} real @param {Observation[]} simulated */
const apart = (real, simulated) =>
  judgeMeasures(real, simulated)
    .filter(({ passed }) => !passed)
    .map(({ name }) => name)

describe('runs that were kept', () => {
  test('of the simulation agree with real ones in everything', () =>
    assert.deepEqual(apart(RUNS.real, RUNS.simulated), []))

  /** @type {['doubledLatency' | 'withoutIdontwant' | 'largerMesh', MeasureName[]][]} what must be found at least */
  const WRONG = [
    ['doubledLatency', ['latency', 'median']],
    ['withoutIdontwant', ['rpcs', 'control']],
    ['largerMesh', ['duplicates', 'rpcs', 'bytes']]
  ]
  for (const [name, found] of WRONG)
    for (const side of /** @type {const} */ (['real', 'simulated']))
      test(`of a simulation that is wrong (${name}) differ from ${side} ones`, () => {
        const names = apart(RUNS[side], RUNS[name])
        for (const measure of found) assert.ok(names.includes(measure), `${measure} is not among ${names}`)
      })
})

/** @param {Partial<Observation>} [changes] @returns {Observation} */
const observation = changes => ({
  latencies: [1, 1, 2, 2],
  hops: [0, 2, 2],
  meshDegrees: [0, 0, 0, 0, 3, 1],
  ...{ duplicates: 3, rpcs: 10, control: 6, bytes: 5000 },
  ...changes
})

/** @param {Partial<Observation>} [changes] */
const five = changes => Array.from({ length: 5 }, () => observation(changes))

/** @param {Observation[]} real @param {Observation[]} simulated @param {MeasureName} name */
const measure = (real, simulated, name) =>
  judgeMeasures(real, simulated).find(each => each.name === name) ?? assert.fail(name)

/** @param {number} actual @param {number} expected */
const near = (actual, expected) =>
  assert.ok(Math.abs(actual - expected) < 1e-9, `${actual} is not ${expected}`)

describe('a measure', () => {
  const real = [3, 3.15, 3.3, 3.45, 3.6].map(duplicates => observation({ duplicates }))

  test('has the largest distance of two real runs, and a quarter more, as its yardstick', () => {
    const { yardstick, distance, p } = measure(real, real, 'duplicates')
    near(yardstick, 1.25 * Math.log(3.6 / 3))
    assert.ok(distance < yardstick && p === 1, `${distance} ${p}`)
  })

  test('passes just as long as a simulated run is that far away on average', () => {
    const at = (/** @type {number} */ duplicates) => five({ duplicates })
    // the mean of ln(x / d) is 1.25 · ln(3.6 / 3) here
    const limit = (3 * 3.15 * 3.3 * 3.45 * 3.6) ** (1 / 5) * (3.6 / 3) ** 1.25
    assert.equal(measure(real, at(limit * 0.999), 'duplicates').passed, true)
    assert.equal(measure(real, at(limit * 1.001), 'duplicates').passed, false)
  })

  /** @type {[string, MeasureName, Partial<Observation>, boolean][]} */
  const LEAST = [
    ['1 % more bytes', 'bytes', { bytes: 5050 }, true],
    ['2 % more bytes', 'bytes', { bytes: 5100 }, false],
    ['a machine that adds 4 % of L to each hop', 'latency', { latencies: [1.04, 1.04, 2.08, 2.08] }, true],
    ['a machine that adds 8 % of L to each hop', 'latency', { latencies: [1.08, 1.08, 2.16, 2.16] }, false],
    ['a median a tenth of L later', 'median', { latencies: [1, 1.6, 1.6, 2] }, true],
    ['a median a quarter of L later', 'median', { latencies: [1, 1.75, 1.75, 2] }, false],
    ['no copies where there were some', 'duplicates', { duplicates: 0 }, false]
  ]
  for (const [what, name, changes, passed] of LEAST)
    test(`of real runs that are all the same ${passed ? 'passes' : 'does not pass'} ${what}`, () =>
      assert.equal(measure(five(), five(changes), name).passed, passed))

  test('is not missed where chance does as much: real runs that happen to be alike are no yardstick', () => {
    const alike = [3.3, 3.301, 3.302, 3.303, 3.304].map(duplicates => observation({ duplicates }))
    const others = [3, 3.15, 3.302, 3.45, 3.6].map(duplicates => observation({ duplicates }))
    const { distance, yardstick, p, passed } = measure(alike, others, 'duplicates')
    assert.ok(distance > yardstick && p > 0.01, `${distance} ${yardstick} ${p}`)
    assert.equal(passed, true)
  })

  test('cannot be judged by fewer than five runs of each', () =>
    assert.throws(() => judgeMeasures(five().slice(1), five()), /4 real and 5 simulated runs are too few/))
})
