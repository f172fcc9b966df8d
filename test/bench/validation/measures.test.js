import assert from 'node:assert/strict'
import { readFile } from 'node:fs/promises'
import { describe, test } from 'node:test'
import { counterChecks } from '../../../bench/validation/counter-checks.js'
import { judgeGoodput, LOSS_SHARE } from '../../../bench/validation/goodput.js'
import { judgeMeasures } from '../../../bench/validation/measures.js'

/**
 * @typedef {import('../../../bench/validation/measures.js').Observation} Observation
 * @typedef {import('../../../bench/validation/measures.js').MeasureName} MeasureName
 */

/**
 * What runs of the default plan gave, seeds 1 to 5: real ones, simulated ones, and simulated ones with something wrong: links of 800 ms
 * instead of 400, no IDONTWANT, D = 8 with D_low = 6 instead of 6 with 4. Latencies are thinned to 200 quantiles.
 *
 * @type {Record<'real' | 'simulated' | 'doubledLatency' | 'withoutIdontwant' | 'largerMesh', Observation[]>}
 */
const RUNS = JSON.parse(
  await readFile(new URL('../../../fixtures/validation/observations.json', import.meta.url), 'utf8')
)

/** Of links of the default plan. */
const LINK_MS = 400

/** @param {Observation[]} real @param {Observation[]} simulated */
const apart = (real, simulated) =>
  judgeMeasures(real, simulated, LINK_MS)
    .filter(({ verdict }) => verdict === 'differs')
    .map(({ name }) => name)

describe('runs that were kept', () => {
  test('of the simulation differ from real ones in nothing; five of each are too few to agree', () => {
    assert.deepEqual(apart(RUNS.real, RUNS.simulated), [])
    for (const { verdict, more } of judgeMeasures(RUNS.real, RUNS.simulated, LINK_MS))
      assert.ok(verdict === 'undecided' && Number(more) >= 5)
  })

  /** @type {['doubledLatency' | 'withoutIdontwant' | 'largerMesh', MeasureName[]][]} what must be found at least */
  const WRONG = [
    ['doubledLatency', ['p50', 'p99']],
    ['withoutIdontwant', ['rpcs', 'control']],
    ['largerMesh', ['meshDegrees', 'duplicates', 'bytes']]
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

/** @param {Partial<Observation>} [changes] @param {number} [runs] */
const many = (changes, runs = 10) => Array.from({ length: runs }, () => observation(changes))

/** @param {Observation[]} simulated @param {MeasureName} name @param {number} [unitMs] */
const measure = (simulated, name, unitMs = LINK_MS) =>
  judgeMeasures(many(), simulated, unitMs).find(each => each.name === name) ?? assert.fail(name)

describe('a measure', () => {
  /** @type {[string, MeasureName, Partial<Observation>, string][]} the margins of the issue, of runs that do not scatter */
  const MARGINS = [
    ['4.9 % more bytes', 'bytes', { bytes: 5245 }, 'agrees'],
    ['5.1 % fewer bytes', 'bytes', { bytes: 4745 }, 'differs'],
    ['4.9 % more RPCs', 'rpcs', { rpcs: 10.49 }, 'agrees'],
    ['5.1 % more copies', 'duplicates', { duplicates: 3.153 }, 'differs'],
    ['no copies where there were some', 'duplicates', { duplicates: 0 }, 'differs'],
    ['p50 4.9 % later', 'p50', { latencies: [1, 1, 2.098, 2.098] }, 'agrees'],
    ['p50 5.1 % later', 'p50', { latencies: [1, 1, 2.102, 2.102] }, 'differs'],
    ['p99 14.9 % later', 'p99', { latencies: [1, 1, 2, 2.298] }, 'agrees'],
    ['p99 15.2 % later', 'p99', { latencies: [1, 1, 2, 2.304] }, 'differs']
  ]
  for (const [what, name, changes, verdict] of MARGINS)
    test(`${verdict} with ${what}`, () => assert.equal(measure(many(changes), name).verdict, verdict))

  test('of short links may be 2 ms, or for p99 5 ms, elsewhere', () => {
    // p50 is 20 ms here, and 5 % of it is 1 ms
    const later = (/** @type {number} */ ms) => many({ latencies: [1, 1, 2 + ms / 10, 2 + ms / 10] })
    assert.equal(measure(later(1.9), 'p50', 10).verdict, 'agrees')
    assert.equal(measure(later(2.1), 'p50', 10).verdict, 'differs')
    assert.equal(measure(later(4.9), 'p99', 10).verdict, 'agrees')
    assert.equal(measure(later(5.1), 'p99', 10).verdict, 'differs')
  })
})

describe('goodput of a simulated connection', () => {
  const seeds = Array.from({ length: 10 }, (_, seed) => seed)

  test('agrees with the formula, and differs from it where twice as much is lost', () => {
    assert.equal(judgeGoodput(100, seeds).verdict, 'agrees')
    assert.equal(judgeGoodput(100, seeds, 2 * LOSS_SHARE).verdict, 'differs')
  })
})

describe('counter-checks', () => {
  const seeds = Array.from({ length: 10 }, (_, seed) => seed)
  /** @param {number} factor */
  const slower = factor =>
    RUNS.simulated.map(run => ({ ...run, latencies: run.latencies.map(x => x * factor) }))

  test('of links a tenth slower and of twice the loss come out as differs', () =>
    assert.deepEqual(counterChecks({ real: RUNS.real, slower: slower(1.1), unitMs: LINK_MS }, seeds), [
      { what: 'latency', verdict: 'differs' },
      { what: 'loss', verdict: 'differs' }
    ]))

  test('say so where the slower ones are not noticed', () => {
    const [{ verdict }] = counterChecks({ real: RUNS.real, slower: slower(1), unitMs: LINK_MS }, seeds)
    assert.equal(verdict, 'undecided')
  })
})
