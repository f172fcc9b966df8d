// Time series of CPU and memory readings. Samples are merged when there are too many for a result.
import { setTimeout as sleep } from 'node:timers/promises'
import { computeSum, median } from '../kit/collections.js'

/**
 * @typedef {object} ResourceReading - of a process or container
 * @property {number} atMs - monotonic
 * @property {number} cpuMs - CPU time used since it began
 * @property {number} rssBytes
 *
 * @typedef {{ atMs: number, cpuPercent: number, rssBytes: number }} ResourceSample - `atMs`: its end
 */

/** SAMPLE_MS: a sample of CPU covers at least about so much measured time. */
export const SAMPLE_MS = 50

/** MIN_SAMPLES: a median of fewer says nothing. */
export const MIN_SAMPLES = 5

/** MAX_SAMPLES are those of two minutes: when there are as many, each two are joined, and further ones are as long. */
export const MAX_SAMPLES = 2400

/**
 * ResourceSeries turns readings taken inside measured windows into samples, average, median and maximum. Time between windows
 * does not count; short windows are joined until a sample is long enough. The maximum is that of the shortest samples, however long a
 * run makes those that are kept.
 */
export class ResourceSeries {
  /** @type {ResourceReading | null} */
  #last = null
  #lost = false
  /** Samples that are joined into one that is kept. */
  #joins = 1
  /** @type {ResourceSample[]} fewer than are joined */
  #waiting = []
  #maxPercent = 0
  #maxBytes = 0
  #cpuMs = 0
  #wallMs = 0
  #openCpuMs = 0
  #openWallMs = 0
  /** @type {ResourceSample[]} */
  samples = []

  /** begin opens a measured window. @param {ResourceReading} reading */
  begin(reading) {
    this.#last = reading
    this.#lost = false
  }

  /** read takes a reading within a window, or opens one where nothing could be read before. @param {ResourceReading} reading */
  read(reading) {
    if (this.#lost) return this.begin(reading)
    if (this.#last == null) return
    // a process that was started again counts from 0
    if (reading.cpuMs < this.#last.cpuMs) return this.begin(reading)
    this.#add(reading.cpuMs - this.#last.cpuMs, reading.atMs - this.#last.atMs)
    this.#last = reading
    if (this.#openWallMs < SAMPLE_MS * 0.9) return
    this.#push({
      atMs: reading.atMs,
      cpuPercent: percent(this.#openCpuMs, this.#openWallMs),
      rssBytes: reading.rssBytes
    })
    this.#openCpuMs = 0
    this.#openWallMs = 0
  }

  /** @param {ResourceSample} sample */
  #push(sample) {
    this.#maxPercent = Math.max(this.#maxPercent, sample.cpuPercent)
    this.#maxBytes = Math.max(this.#maxBytes, sample.rssBytes)
    this.#waiting.push(sample)
    if (this.#waiting.length < this.#joins) return
    this.samples.push(joined(this.#waiting))
    this.#waiting = []
    if (this.samples.length < MAX_SAMPLES) return
    const { samples } = this
    this.samples = Array.from({ length: samples.length >> 1 }, (_, i) =>
      joined(samples.slice(2 * i, 2 * i + 2))
    )
    this.#joins *= 2
  }

  /** lost says that there was nothing to read: what is read next opens a window anew. */
  lost() {
    this.#last = null
    this.#lost = true
  }

  /** end closes the window with its last reading. @param {ResourceReading} reading */
  end(reading) {
    this.read(reading)
    this.#last = null
    this.#lost = false
  }

  /** @param {number} cpuMs @param {number} wallMs */
  #add(cpuMs, wallMs) {
    this.#cpuMs += cpuMs
    this.#wallMs += wallMs
    this.#openCpuMs += cpuMs
    this.#openWallMs += wallMs
  }

  /** cpuMs used within the windows. */
  get cpuMs() {
    return this.#cpuMs
  }

  /** @returns {Pick<import('../report/schema.js').ServerResult, 'cpu' | 'memory' | 'series'>} */
  result() {
    const cpu = spread(this.samples.map(sample => sample.cpuPercent))
    const memory = spread(this.samples.map(sample => sample.rssBytes))
    return {
      cpu: {
        averagePercent: this.#wallMs > 0 ? percent(this.#cpuMs, this.#wallMs) : null,
        medianPercent: cpu.median,
        maxPercent: cpu.median === null ? null : this.#maxPercent,
        samples: cpu.samples
      },
      memory: {
        averageBytes: memory.average,
        medianBytes: memory.median,
        maxBytes: memory.median === null ? null : this.#maxBytes,
        samples: memory.samples
      },
      series: this.samples
    }
  }
}

/**
 * Neighbours become one: all are of about the same length.
 *
 * @param {ResourceSample[]} samples - one at least
 * @returns {ResourceSample}
 */
const joined = samples => ({
  atMs: samples[samples.length - 1].atMs,
  cpuPercent: mean(samples.map(({ cpuPercent }) => cpuPercent)),
  rssBytes: mean(samples.map(({ rssBytes }) => rssBytes))
})

/** @param {number} cpuMs @param {number} wallMs */
const percent = (cpuMs, wallMs) => (100 * cpuMs) / wallMs

/** @param {number[]} values */
function spread(values) {
  const samples = values.length
  return {
    samples,
    average: samples > 0 ? mean(values) : null,
    median: samples < MIN_SAMPLES ? null : median(values)
  }
}

/** @param {number[]} values */
const mean = values => computeSum(values) / values.length

/** Where reading takes long, as where a program must be started for it, it is done less often: for so much of the time at most. */
const READING_SHARE = 0.1

/**
 * sampleResources samples the server from the start of the load to its end.
 *
 * @param {Pick<import('../target/target.js').Target, 'reading'>} target
 * @param {ResourceSeries} series
 * @param {bigint} startNs
 */
export function sampleResources({ reading }, series, startNs) {
  if (reading == null) return { stop: async () => {} }
  const stopping = new AbortController()
  const sampling = sampleUntil(reading, series, startNs, stopping.signal)
  return {
    stop: () => {
      stopping.abort()
      return sampling
    }
  }
}

/**
 * @param {NonNullable<import('../target/target.js').Target['reading']>} reading
 * @param {ResourceSeries} series
 * @param {bigint} startNs
 * @param {AbortSignal} signal
 */
async function sampleUntil(reading, series, startNs, signal) {
  // a process that is gone cannot be read; whoever watches it says so, or starts it again
  const readLost = () => series.lost()
  await sleep(Math.max(0, Number(startNs - process.hrtime.bigint()) / 1e6))
  await reading().then(first => series.begin(first), readLost)
  let tookMs = 0
  while (!signal.aborted) {
    await sleep(Math.max(SAMPLE_MS, tookMs / READING_SHARE), undefined, { signal }).catch(() => {})
    if (signal.aborted) break
    const began = performance.now()
    await reading().then(next => series.read(next), readLost)
    tookMs = performance.now() - began
  }
  await reading().then(last => series.end(last), readLost)
}

/** MAX_SERIES_STEPS: where there are more, each two become one. */
export const MAX_SERIES_STEPS = 600

/**
 * StepSeries are what was told in each step of a time, of which there never are too many: their resolution is halved as often as it takes.
 *
 * @template T
 */
export class StepSeries {
  #startNs
  #stepNs
  #maxSteps
  #join
  /** @type {Map<number, T>} */
  #reported = new Map()

  /**
   * @param {object} of
   * @param {number} of.startNs
   * @param {number} [of.stepMs] - at the beginning
   * @param {number} [of.maxSteps] - steps
   * @param {(first: T, second: T) => T} of.join - makes one of two steps that follow one another
   */
  constructor({ startNs, stepMs = 1000, maxSteps = MAX_SERIES_STEPS, join }) {
    this.#startNs = startNs
    this.#stepNs = stepMs * 1e6
    this.#maxSteps = maxSteps
    this.#join = join
  }

  /** tell changes the step of a moment. @param {number} atNs @param {(before: T | undefined) => T} change */
  tell(atNs, change) {
    const step = Math.floor((atNs - this.#startNs) / this.#stepNs)
    this.#reported.set(step, change(this.#reported.get(step)))
    while (this.#reported.size > this.#maxSteps) this.#halve()
  }

  #halve() {
    this.#stepNs *= 2
    const narrow = this.#inOrder
    this.#reported = new Map()
    for (const [step, value] of narrow) {
      const half = Math.floor(step / 2)
      const first = this.#reported.get(half)
      this.#reported.set(half, first === undefined ? value : this.#join(first, value))
    }
  }

  /** stepMs is how long a step is by now. */
  get stepMs() {
    return this.#stepNs / 1e6
  }

  get #inOrder() {
    return [...this.#reported].sort(([a], [b]) => a - b)
  }

  /** result is what was told, ascending. @returns {[atMs: number, told: T][]} `atMs`: the beginning of the step, since the start */
  result() {
    return this.#inOrder.map(([step, value]) => [(step * this.#stepNs) / 1e6, value])
  }
}
