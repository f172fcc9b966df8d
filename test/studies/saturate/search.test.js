import '../../../src/kit/runtime.js'
import assert from 'node:assert/strict'
import { readFile } from 'node:fs/promises'
import { describe, it, test } from 'node:test'
import { makeSubStream } from '../../../src/kit/random.js'
import { SATURATION_DOCUMENT } from '../../../src/studies/saturate/saturation-document.js'
import {
  chooseCell,
  computeMidpoint,
  ESTIMATED_SHARES,
  estimateSustainedRates,
  findSaturationDiagonal,
  findSustainable,
  isUncertain,
  MAX_BLOCKS,
  makeBlockRates,
  makeGridCells,
  runBlocks
} from '../../../src/studies/saturate/search.js'
import { fitFirthLogistic } from '../../../src/studies/statistics.js'

/** The grid of the source: 90 s, achieved operations by rate and connections. */
const SOURCE = /** @type {const} */ ([
  [25, [2225, 4450, 8900]],
  [50, [4450, 8900, 17_800]],
  [100, [8900, 17_800, 35_600]],
  [200, [17_800, 35_600, 38_660]]
])
const CONNECTIONS = [1, 2, 4]

/** The source says "noticeably less". @param {Omit<import('../../../src/studies/saturate/search.js').MeasuredCell, 'beyond'>} cell */
const cellOf = cell => ({ ...cell, beyond: cell.achieved < 0.95 * cell.expected })

/** @param {Record<string, number>} [avgMs] - by cell */
const sourceCells = (avgMs = {}) =>
  SOURCE.flatMap(([ratePerSecond, row]) =>
    row.map((achieved, i) => {
      const load = ratePerSecond * CONNECTIONS[i]
      const avgOf = avgMs[`${ratePerSecond} ${CONNECTIONS[i]}`] ?? 10
      return cellOf({
        ratePerSecond,
        size: CONNECTIONS[i],
        load,
        expected: load * 90,
        achieved,
        avgMs: avgOf
      })
    })
  )

/** @param {{ ratePerSecond: number, size: number } | null} cell */
const name = cell => cell && `r=${cell.ratePerSecond},c=${cell.size}`

describe('the saturation grid', () => {
  it('has a cell for each rate with each number of connections', () => {
    assert.deepEqual(makeGridCells([25, 50], [1, 2]).map(name), [
      'r=25,c=1',
      'r=50,c=1',
      'r=25,c=2',
      'r=50,c=2'
    ])
  })

  it('of the source has one cell beyond the diagonal, which runs beyond the two the source names', () => {
    const cells = sourceCells()
    assert.deepEqual(cells.filter(({ beyond }) => beyond).map(name), ['r=200,c=4'])
    const { below, beyond } = findSaturationDiagonal(cells)
    assert.deepEqual([below.map(name), beyond.map(name)], [['r=100,c=4', 'r=200,c=2'], ['r=200,c=4']])
  })

  it('chooses the largest load below the diagonal, and of several the one with less latency', () => {
    assert.equal(name(chooseCell(sourceCells({ '200 2': 8, '100 4': 9 }))), 'r=200,c=2')
    assert.equal(name(chooseCell(sourceCells({ '200 2': 9, '100 4': 8 }))), 'r=100,c=4')
    assert.equal(name(chooseCell(sourceCells())), 'r=200,c=2', 'then the one with fewer connections')
  })

  it('chooses nothing where every cell is beyond, and has no cell beyond where all are achieved', () => {
    const cells = sourceCells().map(cell => cellOf({ ...cell, achieved: 0 }))
    assert.equal(chooseCell(cells), null)
    assert.deepEqual(findSaturationDiagonal(cells).below, [])
    const all = sourceCells().map(cell => cellOf({ ...cell, achieved: cell.expected }))
    assert.deepEqual(findSaturationDiagonal(all).beyond, [])
    assert.equal(name(chooseCell([])), null)
  })
})

/** @typedef {import('../../../src/studies/saturate/search.js').Sustains} Sustains */

/**
 * A system that sustains up to a rate, but for answers that are turned round.
 *
 * @param {number} capacity
 * @param {(perSecond: number, purpose: string, trial: number) => boolean | undefined} [turned]
 */
function systemOf(capacity, turned = () => undefined) {
  /** @type {string[]} */
  const tried = []
  /** @type {Sustains} */
  const sustains = async (perSecond, purpose) => {
    tried.push(`${perSecond}${purpose === 'repeat' ? ' again' : ''}`)
    return turned(perSecond, purpose, tried.length) ?? perSecond <= capacity
  }
  return { tried, sustains }
}

const confirmed = (/** @type {number} */ perSecond, /** @type {number} */ sustained, repeats = 3) => ({
  perSecond,
  sustained,
  repeats
})

describe('the search for the highest sustainable rate', () => {
  it('doubles, halves, and repeats both ends', async () => {
    const { tried, sustains } = systemOf(13)
    const found = await findSustainable(sustains, { from: 4, tolerance: 0.1 })
    assert.deepEqual(found, { below: confirmed(13, 3), above: confirmed(14, 0), closed: true })
    const again = (/** @type {number} */ rate) => [`${rate} again`, `${rate} again`, `${rate} again`]
    assert.deepEqual(tried, ['4', '8', '16', '12', '14', '13', ...again(13), ...again(14)])
  })

  it('goes down where not even the first rate is sustained, and tries none twice on its way', async () => {
    const { tried, sustains } = systemOf(30)
    const found = await findSustainable(sustains, { from: 100, tolerance: 0.1, repeats: 0 })
    assert.deepEqual([found.below?.perSecond, found.above?.perSecond], [29.7, 31.3])
    assert.deepEqual(tried.slice(0, 4), ['100', '50', '25', '37.5'])
  })

  it('says that nothing was sustained, or everything up to the most', async () => {
    const none = await findSustainable(systemOf(0).sustains, { from: 8, minRate: 1, repeats: 1 })
    assert.deepEqual(none, { below: null, above: confirmed(1, 0, 1), closed: true })
    const all = await findSustainable(systemOf(1e9).sustains, { from: 8, maxRate: 20, repeats: 1 })
    assert.deepEqual(all, { below: confirmed(20, 1, 1), above: null, closed: true })
  })

  it('goes on from a rate that failed by chance, when its repeats are sustained', async () => {
    const { sustains } = systemOf(100, (rate, purpose) =>
      rate === 20 && purpose === 'search' ? false : undefined
    )
    const { below, above } = await findSustainable(sustains, { from: 10, tolerance: 0.1 })
    assert.ok(below !== null && above !== null)
    assert.ok(below.perSecond <= 100 && above.perSecond > 100, `${below.perSecond} to ${above.perSecond}`)
    assert.ok(above.perSecond - below.perSecond <= 0.1 * above.perSecond)
  })

  it('goes back from a rate that was sustained by chance, when its repeats are not', async () => {
    const { sustains } = systemOf(100, (rate, purpose) =>
      rate === 160 && purpose === 'search' ? true : undefined
    )
    const { below, above, closed } = await findSustainable(sustains, { from: 10, tolerance: 0.1 })
    assert.equal(closed, true)
    assert.ok(below !== null && above !== null)
    assert.ok(below.perSecond <= 100 && above.perSecond > 100, `${below.perSecond} to ${above.perSecond}`)
  })

  it('says so when the repeats contradict it again and again', async () => {
    const { sustains } = systemOf(100, (_rate, purpose) => (purpose === 'repeat' ? true : undefined))
    assert.equal((await findSustainable(sustains, { from: 10 })).closed, false)
  })

  it('brings any capacity between two rates within its tolerance', async () => {
    for (let capacity = 1.3; capacity < 5000; capacity *= 1.73) {
      const { below, above } = await findSustainable(systemOf(capacity).sustains, { from: 20, repeats: 1 })
      assert.ok(below !== null && above !== null, String(capacity))
      assert.ok(below.perSecond <= capacity && capacity < above.perSecond, String(capacity))
      assert.ok(above.perSecond - below.perSecond <= 0.05 * above.perSecond + 1e-9, String(capacity))
    }
  })

  it('fails when a trial does', async () => {
    const broken = findSustainable(() => Promise.reject(new Error('a worker died')), { from: 1 })
    await assert.rejects(broken, /a worker died/)
  })
})

/** @param {() => number} random */
const normal = random => Math.sqrt(-2 * Math.log(1 - random())) * Math.cos(2 * Math.PI * random())

/**
 * A system that sustains a rate less and less often around 1,000/s, and drifts from block to block.
 *
 * @param {number} seed
 * @param {{ width: number, drift: number }} curve - of logarithms of rates
 */
function aSystem(seed, { width, drift }) {
  const random = makeSubStream(seed, 'made-up system')
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
        const estimate = estimateSustainedRates(await searched(3 * seed + again, 900, curve))
        assert.ok(estimate !== null && !isUncertain(estimate))
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
      const [nine] = estimateSustainedRates(await searched(seed, 900, curve))?.rates ?? []
      if (nine !== undefined && nine.low <= nineOfTen(0.06) && nineOfTen(0.06) <= nine.high) held++
    }
    assert.ok(held >= 180, `${held} of 200`)
  })
})

describe("Firth's logistic regression", () => {
  test('of two groups is the logarithm of their odds with a half added to each count, as can be worked out by hand', () => {
    // 3 of 4 at 0, 1 of 6 at 1: (3 + ½) ÷ (1 + ½), (1 + ½) ÷ (5 + ½)
    const of = (/** @type {number} */ x, /** @type {number} */ yes, /** @type {number} */ all) =>
      Array.from({ length: all }, (_, i) => ({ x, yes: i < yes }))
    const { intercept, slope } = fitFirthLogistic([...of(0, 3, 4), ...of(1, 1, 6)])
    assert.ok(Math.abs(intercept - Math.log(3.5 / 1.5)) < 1e-6)
    assert.ok(Math.abs(intercept + slope - Math.log(1.5 / 5.5)) < 1e-6)
  })

  test('stays finite where all yes lie on one side of all no', () => {
    const { intercept, slope } = fitFirthLogistic([-2, -1, 1, 2].map(x => ({ x, yes: x < 0 })))
    assert.ok(Math.abs(intercept) < 1e-6 && slope < 0 && slope > -10, `${intercept} ${slope}`)
  })
})

test('a block has five rates from 0.8 to 1.2 times the middle, each in an order of its own, the same again for a seed', () => {
  const blocks = [0, 1, 2, 3].map(block => makeBlockRates(1000, block, 7))
  for (const rates of blocks)
    assert.deepEqual(
      [...rates].sort((a, b) => a - b),
      [800, 900, 1000, 1100, 1200]
    )
  assert.ok(new Set(blocks.map(String)).size > 1)
  assert.deepEqual(makeBlockRates(1000, 2, 7), blocks[2])
})

/** A system whose answer changes within some tenths of a rate, and that drifts from block to block. */
const CURVE = { rate: 1000, width: 0.05, drift: 0.05 }

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
  const random = makeSubStream(seed, 'made-up system')
  let shift = CURVE.drift * normal(random)
  const tried = (/** @type {number} */ rate) =>
    random() < 1 / (1 + Math.exp((Math.log(rate / CURVE.rate) - shift) / CURVE.width))
  const bracket = await findSustainable(async rate => tried(rate), { from: 100, repeats: 0 })
  const centre = Number(computeMidpoint(bracket))
  return estimateSustainedRates(
    Array.from({ length: blocks }, (_, block) => {
      shift = CURVE.drift * normal(random)
      return makeBlockRates(centre, block, seed).map(perSecond => ({
        perSecond,
        sustained: tried(perSecond)
      }))
    })
  )
}

describe('of 1,000 searches of a system that drifts between blocks the interval holds the truth in 93 to 97 %', () => {
  for (const blocks of [4, 8])
    test(`with ${blocks} blocks`, async () => {
      const truths = ESTIMATED_SHARES.map(truth)
      const held = ESTIMATED_SHARES.map(() => 0)
      for (let seed = 0; seed < 1000; seed++) {
        const estimate = await search(seed, blocks)
        for (const [place, { low, high }] of (estimate?.rates ?? []).entries())
          if (low <= truths[place] && truths[place] <= high) held[place]++
      }
      for (const [place, count] of held.entries())
        assert.ok(
          count >= 930 && count <= 970,
          `${count} of the rate sustained in ${ESTIMATED_SHARES[place]}`
        )
    })
})

describe('an estimate', () => {
  /** @param {number[]} most - rates that the blocks sustain */
  const blocksOf = most =>
    most.map(limit =>
      [800, 900, 1000, 1100, 1200].map(perSecond => ({ perSecond, sustained: perSecond <= limit }))
    )

  test('needs four blocks', () => assert.equal(estimateSustainedRates(blocksOf([900, 900, 900])), null))

  test('lies between the rates where every block changes its answer', () => {
    const [nine, five] = estimateSustainedRates(blocksOf([900, 900, 900, 900, 900, 900]))?.rates ?? []
    assert.ok(five.perSecond > 900 && five.perSecond < 1000 && nine.perSecond < five.perSecond)
  })

  test('is amber where blocks contradict one another, and where there is no interval', () => {
    const torn = estimateSustainedRates(blocksOf([1200, 700, 1200, 700]))
    assert.ok(torn !== null && isUncertain(torn))
    const upside = estimateSustainedRates(
      blocksOf([900, 900, 900, 900]).map(block => block.map(one => ({ ...one, sustained: !one.sustained })))
    )
    assert.deepEqual([upside?.rates, upside && isUncertain(upside)], [[], true])
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
    makeBlockRates(1000, block, 7).map(perSecond => ({ perSecond, sustained: perSecond < step }))
  )

  test('is none where what is sustained changes far from all that was tried', () => {
    const far = blocks.map((block, i) =>
      block.map(({ perSecond }) => ({
        perSecond,
        sustained: (i === 0 && perSecond === 800) || (i === 3 && perSecond === 1100)
      }))
    )
    const estimate = estimateSustainedRates(far)
    assert.deepEqual(estimate?.rates, [])
    assert.ok(estimate !== null && isUncertain(estimate))
  })
})
