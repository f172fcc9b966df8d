/**
 * Tally counts by labels. prom-client builds a key of sorted labels on each increment, which is dearer than serving some
 * requests, so that it only gets the sums when somebody asks.
 */
export class Tally {
  #labelNames
  /** @type {Map<string, { labels: Record<string, string>, count: number }>} */
  #counts = new Map()

  /** @param {string[]} labelNames */
  constructor(...labelNames) {
    this.#labelNames = labelNames
  }

  /** @param {string[]} values */
  add(...values) {
    const key = values.join(' ')
    const entry = this.#counts.get(key)
    if (entry !== undefined) {
      entry.count++
      return
    }
    const labels = Object.fromEntries(this.#labelNames.map((name, index) => [name, values[index]]))
    this.#counts.set(key, { labels, count: 1 })
  }

  /** @param {import('prom-client').Counter<string>} counter */
  showIn(counter) {
    counter.reset()
    for (const { labels, count } of this.#counts.values()) counter.inc(labels, count)
  }
}
