import { largestOf } from '../kit/lists.js'
import { median } from '../kit/median.js'

/**
 * @typedef {object} StartsOf - starts that were agreed ahead: a warm-up, a round or a measurement is one
 * @property {number} count
 * @property {number} spreadMs - how far apart workers began, each by its own clock: median over the starts
 * @property {number} worstMs - the greatest of them
 */

/** Starts are the starts of a run that workers on several machines were told of ahead. */
export class Starts {
  /** @type {{ least: number, most: number, workers: number }[]} in their order */
  #starts = []
  /** @type {Map<number, number>} by worker: which of them it began last */
  #begun = new Map()

  /** began takes how late a worker began the next one. @param {number} worker @param {number} lateMs */
  began(worker, lateMs) {
    const place = this.#begun.get(worker) ?? 0
    this.#begun.set(worker, place + 1)
    const { least, most, workers } = this.#starts[place] ?? { least: lateMs, most: lateMs, workers: 0 }
    this.#starts[place] = {
      least: Math.min(least, lateMs),
      most: Math.max(most, lateMs),
      workers: workers + 1
    }
  }

  /** told is what is known of them. @returns {StartsOf | null} null: none had more than one worker */
  told() {
    const spreads = this.#starts.filter(({ workers }) => workers > 1).map(({ least, most }) => most - least)
    if (spreads.length === 0) return null
    return { count: spreads.length, spreadMs: median(spreads), worstMs: largestOf(spreads) }
  }
}
