// Algorithms that find the highest sustained load: bisection, and a statistical estimate from repeated trials. Also
// selects the best cell of a grid.

import { computeSum } from '../../kit/collections.js'
import { makeSubStream } from '../../kit/random.js'
import { searchRate } from '../../load/trials.js'
import { fitFirthLogistic, studentT } from '../statistics.js'
import { findCommonLimit, isGeneratorLimit, readLimit } from './trials.js'

/**
 * @typedef {object} GridCell - a rate over a size
 * @property {number} ratePerSecond - of each connection; or of a whole gossip network
 * @property {number} size - connections, or nodes
 *
 * @typedef {object} CellFigures - what was measured in a cell
 * @property {number} expected - operations, rate × connections × duration; or messages
 * @property {number} achieved - operations that succeeded within the duration; or messages that reached everyone in time
 * @property {number | null} avgMs - of their response time, or dissemination
 * @property {number} load - what cells are put in order by, per second: operations of all connections, or deliveries
 *
 * @typedef {GridCell & CellFigures & { beyond: boolean }} MeasuredCell - `beyond`: it does not meet the objective, and lies beyond the saturation
 *   diagonal of the source
 */

/**
 * makeGridCells lists the cells of a grid size by size, so that servers and workers can be reused for all rates of a size.
 *
 * @template S
 * @param {readonly number[]} rates - per second
 * @param {readonly S[]} sizes
 * @returns {{ ratePerSecond: number, size: S }[]}
 */
export const makeGridCells = (rates, sizes) =>
  sizes.flatMap(size => rates.map(ratePerSecond => ({ ratePerSecond, size })))

/**
 * chooseCell is the cell to examine: the largest sustained load; of equal loads that with the lowest average time, then with the smallest size.
 *
 * @template {MeasuredCell} C
 * @param {readonly C[]} cells
 * @returns {C | null} null: none lies below
 */
export function chooseCell(cells) {
  const below = cells.filter(({ beyond }) => !beyond)
  const latency = (/** @type {C} */ { avgMs }) => avgMs ?? Infinity
  const [best = null] = below.sort(
    (a, b) => b.load - a.load || compare(latency(a), latency(b)) || a.size - b.size
  )
  return best
}

/** Compares numbers that may be infinite. @param {number} a @param {number} b */
const compare = (a, b) => (a === b ? 0 : a < b ? -1 : 1)

/**
 * findSaturationDiagonal finds the largest sustained load and the smallest load that is not sustained.
 *
 * @template {MeasuredCell} C
 * @param {readonly C[]} cells
 * @returns {{ below: C[], beyond: C[] }} the cells of these two loads
 */
export function findSaturationDiagonal(cells) {
  const beyond = cells.filter(cell => cell.beyond)
  const below = cells.filter(cell => !cell.beyond)
  const minLoad = Math.min(...beyond.map(({ load }) => load))
  const maxLoad = Math.max(...below.map(({ load }) => load))
  return {
    below: below.filter(({ load }) => load === maxLoad),
    beyond: beyond.filter(({ load }) => load === minLoad)
  }
}

/**
 * @typedef {'search' | 'warm-up' | 'repeat' | 'block'} Purpose - `warm-up`: the first trial of a search is repeated
 *
 * @typedef {object} ConfirmedRate - a rate that was tried again
 * @property {number} perSecond
 * @property {number} sustained - repeats that sustained it
 * @property {number} repeats
 *
 * @typedef {object} Sustainable
 * @property {ConfirmedRate | null} below - the highest rate that was sustained in most repeats; null: none was
 * @property {ConfirmedRate | null} above - the lowest rate that was not; null: every one up to `maxRate` was
 * @property {boolean} closed - the two are as close as was asked for, and the repeats bear out both; false: the system answers
 *   differently from trial to trial
 *
 * @typedef {import('../../load/trials.js').RateSearchOptions & { minRate?: number, repeats?: number }} SustainableOptions - `minRate`: no rate below it is
 *   tried; `repeats`: of each of the two; 0: the search is not confirmed
 *
 * @typedef {(perSecond: number, purpose: Purpose) => Promise<boolean>} Sustains - tries a rate
 */

/** RATE_TOLERANCE: the middle of the interval is within 2.5 % of either end. */
export const RATE_TOLERANCE = 0.05
/** The search continues at most this often. */
const MAX_ROUNDS = 5

/**
 * findSustainable finds the highest rate that a system sustains. A search gives the highest rate that was sustained and the lowest that was not;
 * then both are repeated. Repeats that contradict the search in their majority count, and the search continues from there.
 *
 * @param {Sustains} sustains
 * @param {SustainableOptions} options
 * @returns {Promise<Sustainable>}
 */
export async function findSustainable(sustains, options) {
  const { tolerance = RATE_TOLERANCE, repeats = 3, maxRate = Infinity, minRate = 1 } = options
  const trials = new Trials(sustains, { repeats, tolerance, minRate, maxRate })
  let [low, high] = await trials.search(options.from)
  for (let round = 0; round < MAX_ROUNDS; round++) {
    if (low !== null && !(await trials.confirms(low, true))) [low, high] = await trials.search(low)
    else if (high !== null && !(await trials.confirms(high, false))) [low, high] = await trials.search(high)
    else return trials.interval(low, high, true)
  }
  return trials.interval(low, high, false)
}

/** Trials of one search: the verdict on a rate holds until repeats contradict it. */
class Trials {
  #sustains
  #options
  /** @type {Map<number, boolean>} */
  #verdicts = new Map()
  /** @type {Map<number, ConfirmedRate>} */
  #repeated = new Map()

  /**
   * @param {Sustains} sustains
   * @param {Required<Pick<SustainableOptions, 'repeats' | 'tolerance' | 'minRate' | 'maxRate'>>} options
   */
  constructor(sustains, options) {
    this.#sustains = sustains
    this.#options = options
  }

  /**
   * search doubles and halves from a rate, down from it where not even that is sustained.
   *
   * @param {number} from
   * @returns {Promise<[number | null, number | null]>} the highest rate sustained, and the lowest that was not
   */
  async search(from) {
    const { tolerance, minRate, maxRate } = this.#options
    /** @param {number} rate */
    const once = async rate => {
      const known = this.#verdicts.get(rate) ?? (await this.#sustains(rate, 'search'))
      this.#verdicts.set(rate, known)
      return known
    }
    let first = Math.min(from, maxRate)
    while (!(await once(first))) {
      const lower = this.#knownBelow(first) ?? first / 2
      if (lower < minRate) return [null, first]
      first = lower
    }
    const { carried, notCarried } = await searchRate(once, {
      from: first,
      tolerance,
      maxRate: this.#bound(first)
    })
    return [carried, notCarried]
  }

  /** confirms repeats the trial at a rate and says whether the verdict stays. @param {number} rate @param {boolean} expected */
  async confirms(rate, expected) {
    const { repeats } = this.#options
    if (repeats === 0) return true
    if (!this.#repeated.has(rate)) {
      let sustained = 0
      for (let i = 0; i < repeats; i++) if (await this.#sustains(rate, 'repeat')) sustained++
      this.#repeated.set(rate, { perSecond: rate, sustained, repeats })
      this.#verdicts.set(rate, sustained * 2 > repeats)
    }
    return this.#verdicts.get(rate) === expected
  }

  /** @param {number | null} low @param {number | null} high @param {boolean} closed @returns {Sustainable} */
  interval(low, high, closed) {
    return { below: this.#confirmed(low), above: this.#confirmed(high), closed }
  }

  /** @param {number | null} rate @returns {ConfirmedRate | null} */
  #confirmed(rate) {
    if (rate === null) return null
    return this.#repeated.get(rate) ?? { perSecond: rate, sustained: 0, repeats: 0 }
  }

  /** @param {number} rate @returns {number | undefined} the highest rate below that was sustained */
  #knownBelow(rate) {
    const below = [...this.#verdicts].filter(([other, sustained]) => sustained && other < rate)
    return below.length === 0 ? undefined : Math.max(...below.map(([other]) => other))
  }

  /** @param {number} rate @returns {number} the lowest rate above that was not sustained */
  #bound(rate) {
    const above = [...this.#verdicts].filter(([other, sustained]) => !sustained && other > rate)
    return Math.min(this.#options.maxRate, ...above.map(([other]) => other))
  }
}

/** MAX_BLOCKS: while the interval is too wide, up to this many times the planned number of blocks are made. */
export const MAX_BLOCKS = 3
/** The centre moves by no more than this factor from one block to the next. */
const MAX_MOVE = 1.25

/**
 * runBlocks makes blocks of trials at rates around a centre: the planned number, and more while the interval is wider than ± 10 %. Each block has
 * the latest estimate as its centre, so that a single bad trial of the bracketing has no lasting effect.
 *
 * @param {Sustains} sustains
 * @param {number} bracketed - the rate
 * @param {{ blocks: number, seed: number }} how - `seed`: of the order of rates in a block
 * @returns {Promise<TriedRate[][]>} the blocks
 */
export async function runBlocks(sustains, bracketed, { blocks: blockCount, seed }) {
  /** @type {TriedRate[][]} */
  const blocks = []
  let centre = bracketed
  for (let estimate = null; blocks.length < MAX_BLOCKS * blockCount; ) {
    if (blocks.length >= blockCount && estimate !== null && !isUncertain(estimate)) break
    const block = []
    for (const perSecond of makeBlockRates(centre, blocks.length, seed))
      block.push({ perSecond, sustained: await sustains(perSecond, 'block') })
    blocks.push(block)
    estimate = blocks.length < MIN_BLOCKS ? null : estimateSustainedRates(blocks)
    const [answer] = estimate?.rates ?? []
    if (answer !== undefined)
      centre = Math.min(MAX_MOVE * centre, Math.max(centre / MAX_MOVE, answer.perSecond))
  }
  return blocks
}

/**
 * @typedef {{ perSecond: number, sustained: boolean }} TriedRate
 *
 * @typedef {object} RateSustained - the rate that is sustained in a share of all trials
 * @property {number} share
 * @property {number} perSecond
 * @property {number} low - of its 95 % interval
 * @property {number} high
 *
 * @typedef {object} Estimate
 * @property {number} blocks - of trials it rests on
 * @property {RateSustained[]} rates - for SHARES; none: trials do not tell where it falls, such as when higher rates were sustained as often as
 *   lower ones
 * @property {boolean} contradict - blocks differ by more than twice what chance within them shows
 */

/** MIN_BLOCKS that an interval can be given of. */
const MIN_BLOCKS = 4

/** ESTIMATED_SHARES of trials: the first is the answer. */
export const ESTIMATED_SHARES = [0.9, 0.5]

/** BLOCK_FACTORS by which the centre is multiplied give the rates of a block. */
export const BLOCK_FACTORS = [0.8, 0.9, 1, 1.1, 1.2]
/** An interval wider than this to either side is uncertain. */
const WIDE = 0.1
/** An interval that reaches this many times beyond all rates tried says nothing. */
const FAR = 4

/**
 * makeBlockRates are the rates of a block of trials, in random order, so that a drift of the system affects all rates alike.
 *
 * @param {number} centre - the rate that was bracketed
 * @param {number} block - from 0
 * @param {number} seed
 * @returns {number[]} per second
 */
export function makeBlockRates(centre, block, seed) {
  const random = makeSubStream(seed, 'blocks', String(block))
  return BLOCK_FACTORS.map(factor => ({ rate: Number((centre * factor).toPrecision(3)), place: random() }))
    .sort((a, b) => a.place - b.place)
    .map(({ rate }) => rate)
}

/** A logarithmic scale on which a change of 10 % is about 1. @param {number} centre */
const scaleOf = centre => ({
  x: (/** @type {number} */ rate) => 10 * Math.log(rate / centre),
  rate: (/** @type {number} */ x) => centre * Math.exp(x / 10)
})

/** @typedef {import('../statistics.js').Trial} Trial */

/** @param {import('../statistics.js').Line} line @param {number} share @returns {number} NaN: it does not fall */
const placeOf = ({ intercept, slope }, share) =>
  slope < 0 ? (Math.log(share / (1 - share)) - intercept) / slope : Number.NaN

/**
 * The variance of a place on the line by chance within trials: delta method, from Fisher's information.
 *
 * @param {readonly Trial[]} trials
 * @param {import('../statistics.js').Line} line
 * @param {number} at - the place
 */
function varianceWithin(trials, { intercept, slope }, at) {
  const points = trials.map(({ x }) => {
    const share = 1 / (1 + Math.exp(-(intercept + slope * x)))
    return { x: x - at, weight: share * (1 - share) }
  })
  const total = computeSum(points, ({ weight }) => weight)
  const first = computeSum(points, ({ x, weight }) => weight * x)
  const second = computeSum(points, ({ x, weight }) => weight * x * x)
  return second / (total * second - first ** 2) / slope ** 2
}

/** The variance between blocks: jackknife that leaves out one block at a time (J. W. Tukey, 1958). @param {readonly number[]} without - estimates */
function varianceBetween(without) {
  const n = without.length
  const mean = computeSum(without) / n
  return ((n - 1) / n) * computeSum(without, value => (value - mean) ** 2)
}

/**
 * estimateSustainedRates fits, to trials in blocks, how often a rate is sustained: a logistic curve of the logarithm of the rate with Firth's penalty.
 *
 * Blocks, not trials, are what the interval counts, since the system drifts between them. A few blocks tell a variance badly, and none at all
 * where each changes its answer at the same step; so theirs is moderated by the one within trials, with as many degrees of freedom (G. K. Smyth,
 * Stat. Appl. Genet. Mol. Biol. 3 (2004) article 3), and the interval is Student's with both. How often it holds the truth is tested.
 *
 * @param {readonly (readonly TriedRate[])[]} blocks
 * @returns {Estimate | null} null: there are fewer than MIN_BLOCKS
 */
export function estimateSustainedRates(blocks) {
  if (blocks.length < MIN_BLOCKS) return null
  const all = blocks.flat()
  const scale = scaleOf(Math.exp(computeSum(all, ({ perSecond }) => Math.log(perSecond)) / all.length))
  const scaled = (/** @type {readonly TriedRate[]} */ tried) =>
    tried.map(({ perSecond, sustained }) => ({ x: scale.x(perSecond), yes: sustained }))
  const trials = scaled(all)
  const line = fitFirthLogistic(trials)
  const without = blocks.map((_, left) =>
    fitFirthLogistic(scaled(blocks.filter((_, block) => block !== left).flat()))
  )
  const farthest = 10 * Math.log(FAR) + Math.max(...trials.map(({ x }) => Math.abs(x)))
  let contradict = false
  const rates = ESTIMATED_SHARES.flatMap(share => {
    const place = placeOf(line, share)
    const within = varianceWithin(trials, line, place)
    const between = varianceBetween(without.map(other => placeOf(other, share)))
    const half = studentT(2 * (blocks.length - 1)) * Math.sqrt((within + between) / 2)
    if (!(Math.abs(place) + half < farthest)) return []
    contradict ||= between > 4 * within
    const [perSecond, low, high] = [place, place - half, place + half].map(scale.rate)
    return [{ share, perSecond, low, high }]
  })
  return { blocks: blocks.length, rates: rates.length < ESTIMATED_SHARES.length ? [] : rates, contradict }
}

/**
 * isUncertain says whether an estimate is uncertain: its interval is wider than ± 10 %, its blocks contradict one another, or it has no rates.
 *
 * @param {Estimate} estimate
 */
export function isUncertain({ rates: [answer], contradict }) {
  if (answer === undefined || contradict) return true
  return answer.high > answer.perSecond * (1 + WIDE) || answer.low < answer.perSecond * (1 - WIDE)
}

/**
 * @typedef {import('./trials.js').SearchTrial} SearchTrial
 * @typedef {import('./trials.js').SearchOutcome} SearchOutcome
 */

/**
 * concludeSearch is the outcome of a search, with the estimate from its blocks.
 *
 * @param {Sustainable} sustainable
 * @param {readonly SearchTrial[]} trials
 * @returns {SearchOutcome}
 */
export function concludeSearch(sustainable, trials) {
  const limit = findSearchLimit(sustainable, trials)
  const estimate = estimateSustainedRates(inBlocks(trials.filter(({ purpose }) => purpose === 'block')))
  return { ...sustainable, estimate, generatorBound: limit !== null && isGeneratorLimit(limit) }
}

/**
 * estimateUnfinished is the estimate of an unfinished search, from its complete blocks.
 *
 * @param {readonly SearchTrial[]} trials
 */
export function estimateUnfinished(trials) {
  const ended = trials.filter(({ purpose, sustained }) => purpose === 'block' && sustained !== null)
  return estimateSustainedRates(
    inBlocks(ended.slice(0, ended.length - (ended.length % BLOCK_FACTORS.length)))
  )
}

/**
 * findSearchLimit says which resource limited the trials of a search that did not sustain their load.
 *
 * @param {Pick<SearchOutcome, 'above'>} found
 * @param {readonly SearchTrial[]} trials
 */
export const findSearchLimit = ({ above }, trials) =>
  findCommonLimit(
    trials
      .filter(
        ({ perSecond, sustained, purpose }) =>
          sustained === false && (purpose === 'block' || perSecond === above?.perSecond)
      )
      .flatMap(({ point }) => (point === null ? [] : [readLimit(point)]))
  )

/** @param {readonly SearchTrial[]} trials - of blocks, in their order @returns {TriedRate[][]} */
const inBlocks = trials =>
  Array.from({ length: Math.ceil(trials.length / BLOCK_FACTORS.length) }, (_, block) =>
    trials
      .slice(block * BLOCK_FACTORS.length, (block + 1) * BLOCK_FACTORS.length)
      .map(({ perSecond, sustained }) => ({ perSecond, sustained: sustained === true }))
  )

/** Of searches without blocks. @param {readonly SearchTrial[]} trials @returns {TriedRate[][]} a rate is tried once in each block */
function blocksOf(trials) {
  /** @type {TriedRate[][]} */
  const blocks = []
  for (const { perSecond, sustained } of trials) {
    if (sustained === null) continue
    const open = blocks.find(block => block.every(other => other.perSecond !== perSecond))
    if (open === undefined) blocks.push([{ perSecond, sustained }])
    else open.push({ perSecond, sustained })
  }
  return blocks
}

/** Trials within this factor of the rate found are used for the estimate of a former search. */
const NEAR = 1.25

/**
 * estimateFormerSearch is the estimate of a search by a version without blocks: the first trials at each rate near the result count as a block, the
 * second trials as the next block, and so on.
 *
 * @param {readonly SearchTrial[]} trials
 * @param {Pick<SearchOutcome, 'below' | 'above'>} bracket
 */
export function estimateFormerSearch(trials, bracket) {
  const centre = computeMidpoint(bracket)
  if (centre === null) return null
  const isNear = (/** @type {SearchTrial} */ { perSecond }) =>
    Math.abs(Math.log(perSecond / centre)) <= Math.log(NEAR)
  return estimateSustainedRates(blocksOf(trials.filter(isNear)))
}

/**
 * computeMidpoint is the rate in the middle of the bracket, on a logarithmic scale.
 *
 * @param {Pick<SearchOutcome, 'below' | 'above'>} between
 * @returns {number | null} null: the bracket has one end only
 */
export const computeMidpoint = ({ below, above }) =>
  below === null || above === null ? null : Math.sqrt(below.perSecond * above.perSecond)
