const BOUNDS_SECONDS = Object.freeze([
  0.00005, 0.0001, 0.0002, 0.0005, 0.001, 0.002, 0.005, 0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1, 2, 5
])

/** DurationBuckets counts how long operations took, by type, in the buckets of a Prometheus histogram. */
export class DurationBuckets {
  /** @type {Map<string, { counts: number[], sum: number }>} by type: how many in each bucket, the last one for all that took longer */
  #byType = new Map()

  /** @param {string} type @param {number} seconds */
  add(type, seconds) {
    const entry = this.#byType.get(type) ?? this.#addType(type)
    const bucket = BOUNDS_SECONDS.findIndex(bound => seconds <= bound)
    entry.counts[bucket === -1 ? BOUNDS_SECONDS.length : bucket]++
    entry.sum += seconds
  }

  /** @param {string} type */
  #addType(type) {
    const entry = { counts: Array(BOUNDS_SECONDS.length + 1).fill(0), sum: 0 }
    this.#byType.set(type, entry)
    return entry
  }

  /**
   * samples are the lines of the histogram: a bucket counts all that took no longer than its bound.
   *
   * @param {string} name - of the metric
   */
  samples(name) {
    return [...this.#byType].flatMap(([type, { counts, sum }]) => {
      let count = 0
      const buckets = counts.map((added, bucket) => {
        count += added
        const le = bucket < BOUNDS_SECONDS.length ? BOUNDS_SECONDS[bucket] : '+Inf'
        return { metricName: `${name}_bucket`, labels: { le, type }, value: count }
      })
      const labels = { type }
      return [
        ...buckets,
        { metricName: `${name}_sum`, labels, value: sum },
        { metricName: `${name}_count`, labels, value: count }
      ]
    })
  }
}
