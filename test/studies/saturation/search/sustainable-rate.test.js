import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { findSustainable } from '../../../../src/studies/saturate/search.js'

/** @typedef {import('../../../../src/studies/saturate/search.js').Sustains} Sustains */

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
    const none = await findSustainable(systemOf(0).sustains, { from: 8, least: 1, repeats: 1 })
    assert.deepEqual(none, { below: null, above: confirmed(1, 0, 1), closed: true })
    const all = await findSustainable(systemOf(1e9).sustains, { from: 8, most: 20, repeats: 1 })
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
