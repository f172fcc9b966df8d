import { Steps } from '../../../measure/steps.js'

/**
 * @typedef {import('../../../network/node-host.js').HostInterval['meshDegree']} Degrees
 *
 * @typedef {object} MeshPoint
 * @property {number} atMs - since the start, of the beginning of the step
 * @property {number} min - mesh peers of a (node, topic) pair
 * @property {number} avg
 * @property {number} max
 */

/**
 * MeshSeries is the mesh degree of the network over time. Workers tell theirs at moments of their own: a step in which one tells
 * nothing has what it told last, as long as it tells anything later.
 */
export class MeshSeries {
  /** @type {Steps<ReadonlyMap<number, Degrees>>} by worker */
  #steps

  /**
   * @param {number} startNs
   * @param {number} [stepMs] - at the beginning
   */
  constructor(startNs, stepMs) {
    this.#steps = new Steps({
      startNs,
      stepMs,
      join: (first, second) => [...second].reduce(withDegrees, first)
    })
  }

  /**
   * add takes an interval of a worker.
   *
   * @param {number} worker
   * @param {Pick<import('../../../network/node-host.js').HostInterval, 'atNs' | 'meshDegree'>} interval
   */
  add(worker, { atNs, meshDegree }) {
    if (meshDegree.count === 0) return
    this.#steps.tell(atNs, (before = new Map()) => withDegrees(before, [worker, meshDegree]))
  }

  /** @returns {MeshPoint[]} ascending, at most MOST_STEPS */
  result() {
    const steps = this.#steps.result()
    const ends = new Map(steps.flatMap(([atMs, told]) => [...told.keys()].map(worker => [worker, atMs])))
    /** @type {Map<number, Degrees>} by worker */
    const last = new Map()
    return steps.map(([atMs, told]) => {
      for (const [worker, degrees] of told) last.set(worker, degrees)
      for (const [worker, endMs] of ends) if (endMs < atMs) last.delete(worker)
      const { min, max, sum, count } = [...last.values()].reduce(joined)
      return { atMs, min, avg: sum / count, max }
    })
  }
}

/** @param {ReadonlyMap<number, Degrees>} told @param {[worker: number, degrees: Degrees]} more */
function withDegrees(told, [worker, degrees]) {
  const before = told.get(worker)
  return new Map(told).set(worker, before === undefined ? degrees : joined(before, degrees))
}

/** @param {Degrees} a @param {Degrees} b @returns {Degrees} */
const joined = (a, b) => ({
  min: Math.min(a.min, b.min),
  max: Math.max(a.max, b.max),
  sum: a.sum + b.sum,
  count: a.count + b.count
})
