/**
 * @typedef {import('../../../network/node-host.js').HostInterval['meshDegree']} Degrees
 *
 * @typedef {object} MeshPoint
 * @property {number} atMs - since the start, of the beginning of the step
 * @property {number} min - mesh peers of a (node, topic) pair
 * @property {number} avg
 * @property {number} max
 */

/** MESH_POINTS: a series that grows longer has its resolution halved. */
export const MESH_POINTS = 600

/**
 * MeshSeries is the mesh degree of the network over time. Workers tell theirs at moments of their own: a step in which one tells
 * nothing has what it told last, as long as it tells anything later.
 */
export class MeshSeries {
  /** @type {Map<number, Map<number, Degrees>>} by worker and step */
  #workers = new Map()
  #startNs
  #stepNs
  /** @type {Set<number>} */
  #steps = new Set()

  /**
   * @param {number} startNs
   * @param {number} [stepMs] - at the beginning
   */
  constructor(startNs, stepMs = 1000) {
    this.#startNs = startNs
    this.#stepNs = stepMs * 1e6
  }

  /**
   * add takes an interval of a worker.
   *
   * @param {number} worker
   * @param {Pick<import('../../../network/node-host.js').HostInterval, 'atNs' | 'meshDegree'>} interval
   */
  add(worker, { atNs, meshDegree }) {
    if (meshDegree.count === 0) return
    const step = Math.floor((atNs - this.#startNs) / this.#stepNs)
    const series = this.#workers.get(worker) ?? new Map()
    this.#workers.set(worker, series)
    series.set(step, joined(series.get(step), meshDegree))
    this.#steps.add(step)
    while (this.#steps.size > MESH_POINTS) this.#halve()
  }

  #halve() {
    this.#stepNs *= 2
    this.#steps = new Set([...this.#steps].map(step => Math.floor(step / 2)))
    for (const [worker, series] of this.#workers) {
      /** @type {Map<number, Degrees>} */
      const halved = new Map()
      for (const [step, degrees] of series) {
        const half = Math.floor(step / 2)
        halved.set(half, joined(halved.get(half), degrees))
      }
      this.#workers.set(worker, halved)
    }
  }

  /** @returns {MeshPoint[]} ascending, at most 600 */
  result() {
    const steps = [...this.#steps].sort((a, b) => a - b)
    /** @type {Map<number, Degrees>} */
    const points = new Map()
    for (const series of this.#workers.values()) {
      for (const [step, degrees] of carried(series, steps))
        points.set(step, joined(points.get(step), degrees))
    }
    return steps.map(step => {
      const { min, max, sum, count } = /** @type {Degrees} */ (points.get(step))
      return { atMs: (step * this.#stepNs) / 1e6, min, avg: sum / count, max }
    })
  }
}

/** @param {Degrees | undefined} a @param {Degrees} b @returns {Degrees} */
function joined(a, b) {
  if (a === undefined) return { ...b }
  return {
    min: Math.min(a.min, b.min),
    max: Math.max(a.max, b.max),
    sum: a.sum + b.sum,
    count: a.count + b.count
  }
}

/**
 * Fills the gaps of a worker's series.
 *
 * @param {Map<number, Degrees>} series
 * @param {number[]} steps - ascending, those of all workers
 * @returns {[number, Degrees][]}
 */
function carried(series, steps) {
  const end = Math.max(...series.keys())
  /** @type {[number, Degrees][]} */
  const filled = []
  /** @type {Degrees | undefined} */
  let last
  for (const step of steps) {
    if (step > end) break
    last = series.get(step) ?? last
    if (last !== undefined) filled.push([step, last])
  }
  return filled
}
