import { subStream } from '../../kit/random.js'
import { placementOf } from '../../load/placement.js'

/**
 * @typedef {import('../../scenarios/gossip/plan/gossip-plan.js').GossipPlan} GossipPlan
 * @typedef {import('@libp2p/gossipsub').GossipSub} GossipSub
 */

/** What gossipsub calls the answers, whichever it is. @type {Readonly<Record<'ACCEPT' | 'IGNORE' | 'REJECT', any>>} */
const ANSWER = { ACCEPT: 'accept', IGNORE: 'ignore', REJECT: 'reject' }

/** takesTime says whether the application of some node does. @param {Pick<GossipPlan, 'validationDelayMs' | 'networkFile'>} plan */
export const takesTime = ({ validationDelayMs, networkFile }) =>
  validationDelayMs > 0 || (networkFile?.classes.some(({ validation }) => validation !== null) ?? false)

/**
 * Validation is the application's: it takes its time over each first copy and accepts, ignores or rejects by the plan's shares.
 * Where the plan asks for neither, no validator is installed, as in an application that has none.
 */
export class Validation {
  #plan
  #placement
  /** @type {Map<NodeJS.Timeout, () => void>} what waits, and how it goes on */
  #waiting = new Map()
  #stopped = false
  #counts = { accepted: 0, ignored: 0, rejected: 0 }

  /** @param {Pick<GossipPlan, 'nodes' | 'seed' | 'validation' | 'validationDelayMs' | 'networkFile'>} plan */
  constructor(plan) {
    this.#plan = plan
    this.#placement = placementOf(plan)
  }

  /** @returns {{ accepted: number, ignored: number, rejected: number }} messages so far */
  get counts() {
    return { ...this.#counts }
  }

  /** install makes a node validate. @param {number} node @param {Pick<GossipSub, 'topicValidators'>} gossipsub @param {string[]} topics */
  install(node, gossipsub, topics) {
    const { seed, validation } = this.#plan
    const { minMs, maxMs } = this.#timesOf(node)
    if (maxMs === 0 && validation.accept >= 1) return
    const random = subStream(seed, 'validation', node)
    const time = subStream(seed, 'validation time', node)
    const validator = async () => {
      if (maxMs > 0) await this.#wait(minMs + time() * (maxMs - minMs))
      return this.#stopped ? ANSWER.IGNORE : this.#decide(random())
    }
    for (const topic of topics) gossipsub.topicValidators.set(topic, validator)
  }

  /** stop ignores what still waits, and whatever comes. */
  stop() {
    this.#stopped = true
    for (const [timer, goOn] of this.#waiting) {
      clearTimeout(timer)
      goOn()
    }
    this.#waiting.clear()
  }

  /** @param {number} node @returns {{ minMs: number, maxMs: number }} */
  #timesOf(node) {
    const { networkFile, validationDelayMs } = this.#plan
    const place = this.#placement?.classOf[node] ?? -1
    return networkFile?.classes[place]?.validation ?? { minMs: validationDelayMs, maxMs: validationDelayMs }
  }

  /** @param {number} draw - from 0 to 1 */
  #decide(draw) {
    const { accept, ignore } = this.#plan.validation
    if (draw < accept) {
      this.#counts.accepted++
      return ANSWER.ACCEPT
    }
    if (draw < accept + ignore) {
      this.#counts.ignored++
      return ANSWER.IGNORE
    }
    this.#counts.rejected++
    return ANSWER.REJECT
  }

  /** @param {number} ms @returns {Promise<void>} */
  #wait(ms) {
    return new Promise(resolve => {
      const timer = setTimeout(() => {
        this.#waiting.delete(timer)
        resolve()
      }, ms)
      this.#waiting.set(timer, resolve)
    })
  }
}
