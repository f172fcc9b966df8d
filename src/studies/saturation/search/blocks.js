import { blockRates, estimateOf, isAmber, LEAST_BLOCKS } from './estimate.js'

/**
 * @typedef {import('./estimate.js').Tried} Tried
 * @typedef {import('./sustainable-rate.js').Sustains} Sustains
 */

/** MAX_BLOCKS: an interval that is too wide is given so many times as many blocks as were asked for, at most. */
export const MAX_BLOCKS = 3
/** The centre moves by no more than this factor from one block to the next. */
const MAX_MOVE = 1.25

/**
 * runBlocks tries rates around one in blocks: as many as were asked for, and more while the interval is wider than a tenth to either side. As soon
 * as there is an estimate, the next block lies around it: one trial that was held up while the rate was bracketed decides nothing.
 *
 * @param {Sustains} sustains
 * @param {number} bracketed - the rate
 * @param {{ blocks: number, seed: number }} how - `seed`: of the order of rates in a block
 * @returns {Promise<Tried[][]>} the blocks
 */
export async function runBlocks(sustains, bracketed, { blocks: asked, seed }) {
  /** @type {Tried[][]} */
  const blocks = []
  let centre = bracketed
  for (let estimate = null; blocks.length < MAX_BLOCKS * asked; ) {
    if (blocks.length >= asked && estimate !== null && !isAmber(estimate)) break
    const block = []
    for (const perSecond of blockRates(centre, blocks.length, seed))
      block.push({ perSecond, sustained: await sustains(perSecond, 'block') })
    blocks.push(block)
    estimate = blocks.length < LEAST_BLOCKS ? null : estimateOf(blocks)
    const [answer] = estimate?.rates ?? []
    if (answer !== undefined)
      centre = Math.min(MAX_MOVE * centre, Math.max(centre / MAX_MOVE, answer.perSecond))
  }
  return blocks
}
