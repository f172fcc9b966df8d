import '../../../src/kit/runtime.js'
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { makeSubStream } from '../../../src/kit/random.js'
import { makeFailureReason, makeTrialTurn, runSearch } from '../../../src/studies/saturate/study.js'
import { makeTrial } from '../../../src/studies/saturate/trials.js'
import { modelledRun } from '../../cli/modelled-server.js'
import { sampleResult } from '../../report/sample-result.js'

/** Where half of all trials have a p50 of 10 ms. */
const TRUE_RATE = 800
/** It grows with that power of the rate, as where operations begin to queue. */
const POWER = 20
/** Of logarithms, from trial to trial: half of all operations tell of the load, the slowest hundredth of a server that is held up at any load. */
const SPREAD = { p50: 1, p99: 2 }

/** About normal, of variance 1: the sum of twelve less its mean. @param {() => number} random */
const normal = random => Array.from({ length: 12 }, random).reduce((sum, value) => sum + value, -6)

const { plan } = sampleResult({ options: { nClients: 4, duration: '1s', rate: '1/s' } })

/**
 * Searches a made-up system.
 *
 * @param {object} parts - of the search
 * @param {(turn: any, ratePerSecond: number) => object} endOf - what a run comes to: times of its result, or parts of what it ended with
 * @param {{ objective: string[], seed?: number }} how
 * @returns {Promise<any>} `error`: that ended it
 */
async function search(parts, endOf, how) {
  /** @type {any} */
  const search = { tolerance: 0.5, repeats: 0, blocks: 0, trials: [], found: null, ...parts }
  const run = async (/** @type {any} */ turn) => {
    const { p50Ms, p99Ms, ...more } = /** @type {any} */ (endOf(turn, turn.plan.ratePerSecond))
    const result = modelledRun(turn.plan, 'made-up', { capacity: 1e6, p50Ms, p99Ms })
    const ended = { status: 'complete', reason: null, tookMs: 1, result, ...more }
    await turn.keep(ended, 'inside')
    return ended
  }
  await runSearch(search, { planAt: ratePerSecond => ({ ...plan, ratePerSecond }) }, { ...how, run }).catch(
    error => {
      search.error = error
    }
  )
  return search
}

/** @param {number} seed */
function searched(seed) {
  const random = makeSubStream(seed, 'times')
  const scattered = (/** @type {number} */ ms, /** @type {number} */ spread) =>
    ms * Math.exp(spread * normal(random))
  return search(
    { fromPerSecond: 400, mostPerSecond: 1e6, tolerance: 0.05, blocks: 8 },
    (_, ratePerSecond) => ({
      p50Ms: 0.5 + scattered(9.5 * (ratePerSecond / TRUE_RATE) ** POWER, SPREAD.p50),
      p99Ms: scattered(30, SPREAD.p99)
    }),
    { seed, objective: ['p50 < 10ms'] }
  )
}

test('the interval of a search holds the rate at which operations begin to queue, however much p99 scatters', async () => {
  const searches = []
  for (let seed = 1; seed <= 60; seed++) searches.push(await searched(seed))
  const intervals = searches.map(({ found }) => found?.estimate?.rates[1]).filter(rate => rate !== undefined)
  assert.ok(intervals.length >= 57, `${intervals.length} of 60 searches have an interval`)
  const held = intervals.filter(({ low, high }) => low <= TRUE_RATE && TRUE_RATE <= high)
  assert.ok(held.length >= 0.9 * intervals.length, `${held.length} of ${intervals.length} hold the truth`)
})

/**
 * Searches a system whose runs take these times until it is warm.
 *
 * @param {readonly number[]} coldMs - p50 of its first runs; later ones take 2 ms, from 500/s on 80 ms
 */
const searchedCold = coldMs =>
  search(
    { fromPerSecond: 100, mostPerSecond: 1000 },
    ({ index }, ratePerSecond) => ({ p50Ms: coldMs[index - 1] ?? (ratePerSecond < 500 ? 2 : 80) }),
    { objective: ['p50 < 50ms'] }
  )

/** @param {any} search */
const tried = ({ trials }) =>
  trials.map((/** @type {any} */ { perSecond, purpose, sustained }) => [perSecond, purpose, sustained])

test('the first trial is repeated while a cold system becomes faster: the last one decides', async () => {
  const cold = await searchedCold([1900, 300, 70, 40])
  assert.deepEqual(tried(cold).slice(0, 5), [
    [100, 'search', false],
    [100, 'warm-up', false],
    [100, 'warm-up', false],
    [100, 'warm-up', true],
    [200, 'search', true]
  ])
  const warm = await searchedCold([])
  assert.deepEqual(tried(warm).slice(0, 2), [
    [100, 'search', true],
    [200, 'search', true]
  ])
  assert.deepEqual(cold.found.below, warm.found.below)
})

test('a first trial that does not become faster was not cold: lower rates are tried, each repeated once', async () => {
  const slow = await searchedCold([200, 195, 200, 195])
  assert.deepEqual(tried(slow).slice(0, 5), [
    [100, 'search', false],
    [100, 'warm-up', false],
    [50, 'search', false],
    [50, 'warm-up', false],
    [25, 'search', true]
  ])
})

test('a search judges each trial by the objective alone: the same trial is sustained in any search', async () => {
  const searches = await Promise.all([searchedCold([45]), searchedCold([2]), searchedCold([1900, 45])])
  for (const { found } of searches)
    assert.deepEqual([found.below.perSecond, found.above.perSecond], [400, 800])
})

/** Searches where the run at the place fails, from 1. @param {number} place @param {object} ended */
const failingAt = (place, ended) =>
  search({ fromPerSecond: 100, mostPerSecond: 400 }, ({ index }) => (index === place ? ended : {}), {
    objective: ['p99 < 50ms']
  })

const NO_RESULT = { status: 'failed', result: null }

test('a load that a run fails at is not sustained, with what ended it', async () => {
  const { trials, error } = await failingAt(2, {
    ...NO_RESULT,
    reason: { code: 'DIED', message: 'out of memory' }
  })
  assert.equal(error, undefined)
  assert.deepEqual(
    [trials[1].sustained, trials[1].reasons],
    [false, [{ code: 'ENDED', message: 'out of memory' }]]
  )
  const unknown = await failingAt(2, { ...NO_RESULT, reason: null })
  assert.deepEqual(unknown.trials[1].reasons, [{ code: 'ENDED', message: 'no result' }])
})

test('a run that fails before anything was measured, or whose machines were lost, ends a search', async () => {
  const first = await failingAt(1, { ...NO_RESULT, reason: { code: 'DIED', message: 'no image' } })
  assert.deepEqual([first.error?.code, first.trials[0].sustained], ['DIED', null])
  const lost = await failingAt(2, { ...NO_RESULT, reason: { code: 'AGENT_LOST', message: 'unplugged' } })
  assert.deepEqual([lost.error?.code, lost.trials[1].sustained], ['AGENT_LOST', null])
})

const { plan: trialPlan } = sampleResult({ options: { rate: '100/s', nClients: 1, duration: '6s' } })
const result = modelledRun(trialPlan, 'x', { capacity: 500 })

describe('a trial as a run of its study', () => {
  test('says what was measured, and which conditions of the objective it missed', async () => {
    const trial = makeTrial({ name: 't', plan: trialPlan })
    const turn = makeTrialTurn(trial, {
      label: '100/s',
      objective: ['REGISTER.p50 < 1ms', 'achieved >= 99%']
    })
    assert.deepEqual([turn.label, turn.name, turn.plan, turn.isDone()], ['100/s', 't', trialPlan, false])
    await turn.keep({ status: 'complete', reason: null, tookMs: 5, result }, 'runs/t')
    assert.deepEqual([trial.run, trial.tookMs, turn.isDone()], ['runs/t', 5, true])
    assert.equal(trial.point?.achieved, 600)
    const missed = trial.reasons.map(reason => reason.code === 'OBJECTIVE' && [reason.text, reason.actual])
    assert.deepEqual([trial.sustained, missed], [false, [['REGISTER.p50 < 1ms', 2]]])
  })

  test('has no measure of a run that was broken off, and no run where nothing is kept', async () => {
    const trial = makeTrial({ name: 't', plan: trialPlan })
    let judged = 0
    const turn = makeTrialTurn(trial, { label: '', objective: [], judge: () => void judged++ })
    const partial = { ...result, status: /** @type {const} */ ('partial') }
    await turn.keep({ status: 'failed', reason: null, tookMs: 5, result: partial }, 'runs/t')
    assert.deepEqual([trial.point, trial.run, turn.isDone()], [null, 'runs/t', false])
    const reason = { code: 'X', message: 'gone' }
    await turn.keep({ status: 'failed', reason, tookMs: 5, result: null }, 'runs/t')
    assert.deepEqual([trial.point, trial.run, trial.reason, judged], [null, null, reason, 2])
  })
})

test('a study that ends at a run names the run and what ended it, as far as that is known', () => {
  const reason = { code: 'DIED', message: 'the server died' }
  assert.deepEqual(makeFailureReason({ name: 't' }, { reason }), {
    code: 'DIED',
    message: 't: the server died'
  })
  assert.deepEqual(makeFailureReason({ name: 't' }, { reason: null }), {
    code: 'NO_RESULT',
    message: 't: it ended without a result'
  })
})
