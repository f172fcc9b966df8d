import assert from 'node:assert/strict'
import { readFile } from 'node:fs/promises'
import { describe, test } from 'node:test'
import { subStream } from '../../../../src/kit/random.js'
import { SATURATION_DOCUMENT } from '../../../../src/studies/saturate/saturation-document.js'
import {
  blockRates,
  centreOf,
  estimateOf,
  findSustainable,
  isAmber,
  SHARES
} from '../../../../src/studies/saturate/search.js'
import { firthLogistic } from '../../../../src/studies/statistics.js'

describe("Firth's logistic regression", () => {
  test('of two groups is the logarithm of their odds with a half added to each count, as can be worked out by hand', () => {
    // 3 of 4 at 0, 1 of 6 at 1: (3 + ½) ÷ (1 + ½), (1 + ½) ÷ (5 + ½)
    const of = (/** @type {number} */ x, /** @type {number} */ yes, /** @type {number} */ all) =>
      Array.from({ length: all }, (_, i) => ({ x, yes: i < yes }))
    const { intercept, slope } = firthLogistic([...of(0, 3, 4), ...of(1, 1, 6)])
    assert.ok(Math.abs(intercept - Math.log(3.5 / 1.5)) < 1e-6)
    assert.ok(Math.abs(intercept + slope - Math.log(1.5 / 5.5)) < 1e-6)
  })

  test('stays finite where all yes lie on one side of all no', () => {
    const { intercept, slope } = firthLogistic([-2, -1, 1, 2].map(x => ({ x, yes: x < 0 })))
    assert.ok(Math.abs(intercept) < 1e-6 && slope < 0 && slope > -10, `${intercept} ${slope}`)
  })
})

test('a block has five rates from 0.8 to 1.2 times the middle, each in an order of its own, the same again for a seed', () => {
  const blocks = [0, 1, 2, 3].map(block => blockRates(1000, block, 7))
  for (const rates of blocks)
    assert.deepEqual(
      [...rates].sort((a, b) => a - b),
      [800, 900, 1000, 1100, 1200]
    )
  assert.ok(new Set(blocks.map(String)).size > 1)
  assert.deepEqual(blockRates(1000, 2, 7), blocks[2])
})

/** A system whose answer changes within some tenths of a rate, and that drifts from block to block. */
const CURVE = { rate: 1000, width: 0.05, drift: 0.05 }

/** @param {() => number} random */
const normal = random => Math.sqrt(-2 * Math.log(1 - random())) * Math.cos(2 * Math.PI * random())

/** How often the system sustains a rate in all, by Simpson's way over the drift. @param {number} rate */
function sustains(rate) {
  let [sum, all] = [0, 0]
  for (let z = -6; z <= 6; z += 0.01) {
    const weight = Math.exp((-z * z) / 2)
    all += weight
    sum += weight / (1 + Math.exp((Math.log(rate / CURVE.rate) - CURVE.drift * z) / CURVE.width))
  }
  return sum / all
}

/** The rate that is sustained in a share of all trials. @param {number} share */
function truth(share) {
  let [low, high] = [CURVE.rate / 2, CURVE.rate * 2]
  for (let i = 0; i < 40; i++) {
    const middle = (low + high) / 2
    if (sustains(middle) > share) low = middle
    else high = middle
  }
  return low
}

/** @param {number} seed @param {number} blocks */
async function search(seed, blocks) {
  const random = subStream(seed, 'made-up system')
  let shift = CURVE.drift * normal(random)
  const tried = (/** @type {number} */ rate) =>
    random() < 1 / (1 + Math.exp((Math.log(rate / CURVE.rate) - shift) / CURVE.width))
  const bracket = await findSustainable(async rate => tried(rate), { from: 100, repeats: 0 })
  const centre = Number(centreOf(bracket))
  return estimateOf(
    Array.from({ length: blocks }, (_, block) => {
      shift = CURVE.drift * normal(random)
      return blockRates(centre, block, seed).map(perSecond => ({ perSecond, sustained: tried(perSecond) }))
    })
  )
}

describe('of 1,000 searches of a system that drifts between blocks the interval holds the truth in 93 to 97 %', () => {
  for (const blocks of [4, 8])
    test(`with ${blocks} blocks`, async () => {
      const truths = SHARES.map(truth)
      const held = SHARES.map(() => 0)
      for (let seed = 0; seed < 1000; seed++) {
        const estimate = await search(seed, blocks)
        for (const [place, { low, high }] of (estimate?.rates ?? []).entries())
          if (low <= truths[place] && truths[place] <= high) held[place]++
      }
      for (const [place, count] of held.entries())
        assert.ok(count >= 930 && count <= 970, `${count} of the rate sustained in ${SHARES[place]}`)
    })
})

describe('an estimate', () => {
  /** @param {number[]} most - rates that the blocks sustain */
  const blocksOf = most =>
    most.map(limit =>
      [800, 900, 1000, 1100, 1200].map(perSecond => ({ perSecond, sustained: perSecond <= limit }))
    )

  test('needs four blocks', () => assert.equal(estimateOf(blocksOf([900, 900, 900])), null))

  test('lies between the rates where every block changes its answer', () => {
    const [nine, five] = estimateOf(blocksOf([900, 900, 900, 900, 900, 900]))?.rates ?? []
    assert.ok(five.perSecond > 900 && five.perSecond < 1000 && nine.perSecond < five.perSecond)
  })

  test('is amber where blocks contradict one another, and where there is no interval', () => {
    const torn = estimateOf(blocksOf([1200, 700, 1200, 700]))
    assert.ok(torn !== null && isAmber(torn))
    const upside = estimateOf(
      blocksOf([900, 900, 900, 900]).map(block => block.map(one => ({ ...one, sustained: !one.sustained })))
    )
    assert.deepEqual([upside?.rates, upside && isAmber(upside)], [[], true])
  })
})

test('the three searches of one setup that were kept get intervals that overlap, read again', async () => {
  const folders = ['', '-2', '-3'].map(which => `fixtures/studies/saturate-search-before${which}`)
  const answers = []
  for (const folder of folders) {
    const document = await SATURATION_DOCUMENT.read(folder)
    const [nine] = document?.search?.found?.estimate?.rates ?? []
    assert.ok(nine !== undefined, folder)
    answers.push(nine)
    assert.ok(
      JSON.parse(await readFile(`${folder}/saturate.json`, 'utf8')).search.found.estimate === undefined
    )
  }
  const lowest = Math.max(...answers.map(({ low }) => low))
  const highest = Math.min(...answers.map(({ high }) => high))
  assert.ok(lowest < highest, JSON.stringify(answers))
})

describe('an estimate', () => {
  /** Eight blocks around 1,000, of which each changes at a step of its own. */
  const steps = [950, 1050, 950, 1150, 850, 1050, 950, 1050]
  const blocks = steps.map((step, block) =>
    blockRates(1000, block, 7).map(perSecond => ({ perSecond, sustained: perSecond < step }))
  )

  test('is none where what is sustained changes far from all that was tried', () => {
    const far = blocks.map((block, i) =>
      block.map(({ perSecond }) => ({
        perSecond,
        sustained: (i === 0 && perSecond === 800) || (i === 3 && perSecond === 1100)
      }))
    )
    const estimate = estimateOf(far)
    assert.deepEqual(estimate?.rates, [])
    assert.ok(estimate !== null && isAmber(estimate))
  })
})
