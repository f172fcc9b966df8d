import '../../../../src/kit/runtime.js'
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { subStream } from '../../../../src/kit/random.js'
import { estimateOf, isAmber, MAX_BLOCKS, runBlocks } from '../../../../src/studies/saturate/search.js'

/** @param {() => number} random */
const normal = random => Math.sqrt(-2 * Math.log(1 - random())) * Math.cos(2 * Math.PI * random())

/**
 * A system that sustains a rate less and less often around 1,000/s, and drifts from block to block.
 *
 * @param {number} seed
 * @param {{ width: number, drift: number }} curve - of logarithms of rates
 */
function aSystem(seed, { width, drift }) {
  const random = subStream(seed, 'made-up system')
  let trials = 0
  let shift = 0
  return async (/** @type {number} */ rate) => {
    if (trials++ % 5 === 0) shift = drift * normal(random)
    return random() < 1 / (1 + Math.exp((Math.log(rate / 1000) - shift) / width))
  }
}

/** The rate that is sustained in nine of ten trials of a system without drift. @param {number} width */
const nineOfTen = width => 1000 * Math.exp(-width * Math.log(9))

/** @param {number} seed @param {number} bracketed @param {{ width: number, drift: number }} curve */
const searched = (seed, bracketed, curve) => runBlocks(aSystem(seed, curve), bracketed, { blocks: 8, seed })

describe('blocks of trials', () => {
  test('lie around the answer, however far off the rate was bracketed', async () => {
    for (const bracketed of [800, 1000, 1250]) {
      const blocks = await searched(1, bracketed, { width: 0.03, drift: 0.02 })
      const last = blocks[blocks.length - 1].map(({ perSecond }) => perSecond)
      const truth = nineOfTen(0.03)
      assert.ok(Math.min(...last) < truth && truth < Math.max(...last), `${bracketed}: ${last}`)
    }
  })

  test('are as many as were asked for where the interval is narrow, and more where it is not', async () => {
    const narrow = await searched(1, 950, { width: 0.02, drift: 0.02 })
    assert.equal(narrow.length, 8)
    const wide = await searched(1, 900, { width: 0.2, drift: 0.05 })
    assert.ok(wide.length > 8 && wide.length <= 8 * MAX_BLOCKS)
  })

  test('end when the interval is narrow: three searches in a row overlap, each within a tenth', async () => {
    for (let seed = 1; seed <= 20; seed++) {
      const curve = { width: 0.05, drift: 0.03 }
      const intervals = []
      for (const again of [0, 1, 2]) {
        const estimate = estimateOf(await searched(3 * seed + again, 900, curve))
        assert.ok(estimate !== null && !isAmber(estimate))
        intervals.push(estimate.rates[0])
      }
      const low = Math.max(...intervals.map(each => each.low))
      const high = Math.min(...intervals.map(each => each.high))
      assert.ok(low < high, JSON.stringify(intervals))
    }
  })

  test('hold the truth in their interval in nine of ten searches or more, though it decides when they end', async () => {
    const curve = { width: 0.06, drift: 0 }
    let held = 0
    for (let seed = 0; seed < 200; seed++) {
      const [nine] = estimateOf(await searched(seed, 900, curve))?.rates ?? []
      if (nine !== undefined && nine.low <= nineOfTen(0.06) && nineOfTen(0.06) <= nine.high) held++
    }
    assert.ok(held >= 180, `${held} of 200`)
  })
})
