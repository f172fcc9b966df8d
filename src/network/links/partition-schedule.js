/**
 * @typedef {object} NodeRange - both ends belong to it
 * @property {number} first
 * @property {number} last
 *
 * @typedef {object} Cut
 * @property {'hold' | 'reset'} kind - hold: what is under way waits, and TCP goes on trying; reset: connections between the groups are
 *   closed. Neither lets anything through, nor a new connection
 * @property {number} fromMs - since the start of the publish phase
 * @property {number} toMs
 * @property {readonly (readonly NodeRange[])[]} between - groups of nodes; an empty one: all that are in no other. Nodes in no group keep
 *   their connections to all
 *
 * @typedef {object} Reset - connections to be closed
 * @property {number} atNs
 * @property {number} untilNs - before which none can be made
 * @property {(a: number, b: number) => boolean} separates
 */

const REST = -1

/** @param {Cut} cut @param {number} node @returns {number | null} place of its group; null: none */
function groupOf({ between }, node) {
  const named = between.findIndex(group => group.some(({ first, last }) => node >= first && node <= last))
  if (named !== -1) return named
  return between.some(group => group.length === 0) ? REST : null
}

/** @param {Cut} cut @param {number} a @param {number} b */
function separates(cut, a, b) {
  const [one, other] = [groupOf(cut, a), groupOf(cut, b)]
  return one !== null && other !== null && one !== other
}

/** PartitionSchedule says which nodes are cut off from one another when. Before its start nobody is. */
export class PartitionSchedule {
  #cuts
  #startNs = Infinity

  /** @param {readonly Cut[]} cuts */
  constructor(cuts) {
    this.#cuts = cuts
  }

  /** @param {number} startNs - of the publish phase */
  start(startNs) {
    this.#startNs = startNs
  }

  /**
   * between gives what says whether two nodes are cut off from one another at a time.
   *
   * @param {number} a
   * @param {number} b
   * @returns {((nowNs: number) => boolean) | null} null: they never are
   */
  between(a, b) {
    const cuts = this.#cuts.filter(cut => separates(cut, a, b))
    if (cuts.length === 0) return null
    return nowNs => cuts.some(cut => this.#lasts(cut, nowNs))
  }

  /** @returns {Reset[]} when connections are to be closed, in order; only after the start */
  resets() {
    return this.#cuts
      .filter(({ kind }) => kind === 'reset')
      .map(cut => ({
        ...this.#span(cut),
        separates: (/** @type {number} */ a, /** @type {number} */ b) => separates(cut, a, b)
      }))
      .sort((one, other) => one.atNs - other.atNs)
  }

  /** @param {Cut} cut @param {number} nowNs */
  #lasts(cut, nowNs) {
    const { atNs, untilNs } = this.#span(cut)
    return nowNs >= atNs && nowNs < untilNs
  }

  /** @param {Cut} cut @returns {{ atNs: number, untilNs: number }} whole ns */
  #span({ fromMs, toMs }) {
    return {
      atNs: this.#startNs + Math.round(fromMs * 1e6),
      untilNs: this.#startNs + Math.round(toMs * 1e6)
    }
  }
}
