import '../../../src/node-shim.js'
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { subStream } from '../../../src/kit/random.js'
import { runSearch } from '../../../src/studies/saturation/run-search.js'
import { modelledRun } from '../../cli/modelled-server.js'

/** Where half of all trials have a p99 of ten times that of the lowest rate. */
const TRUE_RATE = 800
const FROM = 400
const REFERENCE_MS = 20
/** p99 grows with that power of the rate. */
const POWER = 5
/** Of logarithms, from trial to trial: a p99 of few operations at a server that is held up. */
const SPREAD = { reference: 0.9, others: 0.4 }

/** About normal, of variance 1: the sum of twelve less its mean. @param {() => number} random */
const normal = random => Array.from({ length: 12 }, random).reduce((sum, value) => sum + value, -6)

/** @param {number} seed @param {number} [trueRate] @returns {Promise<import('../../../src/studies/saturation/result/trial.js').SearchState>} */
async function searched(seed, trueRate = TRUE_RATE) {
  const random = subStream(seed, 'p99')
  const plan = {
    scenario: 'rendezvous',
    nClients: 4,
    durationMs: 1000,
    benchmarkType: 'REGISTER',
    target: null
  }
  /** @type {any} */
  const search = {
    fromPerSecond: FROM,
    mostPerSecond: 1e6,
    tolerance: 0.05,
    repeats: 0,
    blocks: 8,
    trials: []
  }
  const p99Of = (/** @type {number} */ rate) =>
    rate === FROM
      ? REFERENCE_MS * Math.exp(SPREAD.reference * normal(random))
      : 10 * REFERENCE_MS * (rate / trueRate) ** POWER * Math.exp(SPREAD.others * normal(random))
  await runSearch(
    search,
    { planAt: ratePerSecond => /** @type {any} */ ({ ...plan, ratePerSecond }) },
    {
      seed,
      run: async turn => {
        const { ratePerSecond } = /** @type {any} */ (turn.plan)
        const result = modelledRun(/** @type {any} */ (turn.plan), 'made-up', {
          capacity: 1e6,
          p99Ms: p99Of(ratePerSecond)
        })
        const ended = /** @type {any} */ ({ status: 'complete', reason: null, tookMs: 1, result })
        await turn.keep(ended, 'inside')
        return ended
      }
    }
  )
  return search
}

test('the interval of a search holds what chance makes of the response times that others are held against', async () => {
  const searches = []
  for (let seed = 1; seed <= 100; seed++) searches.push(await searched(seed))
  const intervals = searches.map(({ found }) => found?.estimate?.rates[1]).filter(rate => rate !== undefined)
  assert.ok(intervals.length >= 80, `${intervals.length} of 100 searches have an interval`)
  const held = intervals.filter(({ low, high }) => low <= TRUE_RATE && TRUE_RATE <= high)
  assert.ok(held.length >= 0.9 * intervals.length, `${held.length} of ${intervals.length} hold the truth`)
})

test('each block of a search has a trial at the lowest rate, and all are held against the one in the middle', async () => {
  const { trials } = await searched(1)
  const references = trials.filter(({ purpose }) => purpose === 'reference')
  assert.deepEqual(
    [references.length, new Set(references.map(({ perSecond }) => perSecond))],
    [10, new Set([FROM])]
  )
  const blocks = trials.slice(trials.findIndex(({ purpose }) => purpose === 'block') - 1)
  assert.deepEqual(
    blocks.map(({ purpose }) => purpose),
    Array(8)
      .fill(['reference', ...Array(5).fill('block')])
      .flat()
  )
  const p99s = blocks
    .filter(({ purpose }) => purpose === 'reference')
    .map(({ point }) => /** @type {any} */ (point).rt.p99.ms)
    .sort((a, b) => a - b)
  const reasons = blocks.flatMap(({ reasons }) => reasons.filter(({ code }) => code === 'SLOWER'))
  assert.ok(reasons.length > 0)
  for (const reason of reasons) assert.equal(/** @type {any} */ (reason).lowestMs, p99s[3])
})

test('references of a search stay at its lowest rate, though rates of its blocks lie below', async () => {
  const { trials } = await searched(3, 1.05 * FROM)
  assert.ok(trials.some(({ purpose, perSecond }) => purpose === 'block' && perSecond < FROM))
  const references = trials.filter(({ purpose }) => purpose === 'reference')
  assert.deepEqual(new Set(references.map(({ perSecond }) => perSecond)), new Set([FROM]))
})
