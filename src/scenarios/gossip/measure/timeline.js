import { Histogram, merged, quantize } from '../../../measure/histogram.js'
import { Steps } from '../../../measure/steps.js'

/**
 * @typedef {import('./delivery-result.js').DeliveryResult} DeliveryResult
 * @typedef {{ planned: number, published: number, delivered: number, latencies: Histogram }} Point
 */

/** Plots over time need less than percentiles do. */
const PLOT_DIGITS = 2

/** MOST_POINTS are those of an hour. In a longer run each covers 2 s, then 4 s, 8 s … */
export const MOST_POINTS = 3600

/**
 * Timeline is what happened in each second since the start of the publish phase, and the latencies of what was published in it; before
 * it seconds are negative. Its room does not grow with the run.
 */
export class Timeline {
  /** @type {Steps<Point>} */
  #steps

  /** @param {number} startUs */
  constructor(startUs) {
    this.#steps = new Steps({ startNs: startUs * 1000, most: MOST_POINTS, join: joined })
  }

  /**
   * add counts one event.
   *
   * @param {'planned' | 'published' | 'delivered'} what
   * @param {number} atUs
   */
  add(what, atUs) {
    this.#steps.tell(atUs * 1000, (point = nothing()) => {
      point[what]++
      return point
    })
  }

  /** latency records that of a delivery. @param {number} publishedUs @param {number} us */
  latency(publishedUs, us) {
    this.#steps.tell(publishedUs * 1000, (point = nothing()) => {
      point.latencies.record(quantize(us, PLOT_DIGITS))
      return point
    })
  }

  /** @returns {Pick<DeliveryResult, 'timeline' | 'perSecond' | 'secondsPerPoint'>} ascending */
  result() {
    const points = this.#steps.result()
    return {
      timeline: points.map(([atMs, { latencies: _, ...counts }]) => ({ second: atMs / 1000, ...counts })),
      perSecond: points.flatMap(([atMs, { latencies }]) =>
        latencies.count === 0 ? [] : [{ second: atMs / 1000, histogram: latencies.coarse(PLOT_DIGITS) }]
      ),
      secondsPerPoint: this.#steps.stepMs / 1000
    }
  }
}

/** @returns {Point} */
const nothing = () => ({ planned: 0, published: 0, delivered: 0, latencies: new Histogram() })

/** @param {Point} first @param {Point} second @returns {Point} */
const joined = (first, second) => ({
  planned: first.planned + second.planned,
  published: first.published + second.published,
  delivered: first.delivered + second.delivered,
  latencies: merged([first.latencies, second.latencies])
})
