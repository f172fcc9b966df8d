/** MOST_STEPS: where there are more, each two become one. */
export const MOST_STEPS = 600

/**
 * Steps are what was told in each step of a time, of which there never are too many: their resolution is halved as often as it takes.
 *
 * @template T
 */
export class Steps {
  #startNs
  #stepNs
  #most
  #join
  /** @type {Map<number, T>} */
  #told = new Map()

  /**
   * @param {object} of
   * @param {number} of.startNs
   * @param {number} [of.stepMs] - at the beginning
   * @param {number} [of.most] - steps
   * @param {(first: T, second: T) => T} of.join - makes one of two steps that follow one another
   */
  constructor({ startNs, stepMs = 1000, most = MOST_STEPS, join }) {
    this.#startNs = startNs
    this.#stepNs = stepMs * 1e6
    this.#most = most
    this.#join = join
  }

  /** tell changes the step of a moment. @param {number} atNs @param {(before: T | undefined) => T} change */
  tell(atNs, change) {
    const step = Math.floor((atNs - this.#startNs) / this.#stepNs)
    this.#told.set(step, change(this.#told.get(step)))
    while (this.#told.size > this.#most) this.#halve()
  }

  #halve() {
    this.#stepNs *= 2
    const narrow = this.#inOrder
    this.#told = new Map()
    for (const [step, told] of narrow) {
      const half = Math.floor(step / 2)
      const first = this.#told.get(half)
      this.#told.set(half, first === undefined ? told : this.#join(first, told))
    }
  }

  /** stepMs is how long a step is by now. */
  get stepMs() {
    return this.#stepNs / 1e6
  }

  get #inOrder() {
    return [...this.#told].sort(([a], [b]) => a - b)
  }

  /** result is what was told, ascending. @returns {[atMs: number, told: T][]} `atMs`: the beginning of the step, since the start */
  result() {
    return this.#inOrder.map(([step, told]) => [(step * this.#stepNs) / 1e6, told])
  }
}
