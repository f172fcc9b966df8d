import { SettingsReader } from '../../../libp2p/node-settings.js'
import { largestBlock } from '../plan/block-sizes.js'
import { looksAtBlocks } from '../transfer-plan.js'
import { openStore } from './block-store.js'
import { makeFile } from './file-tree.js'
import { readMemory } from './memory-reading.js'
import { withOwnLimit } from './own-limit.js'
import { ProviderLimits } from './provider-limits.js'
import { watchUsage } from './side-usage.js'
import { Walk } from './walk.js'
import { loadWay } from './ways/index.js'
import { NODE_REASONS } from './ways/node.js'

/**
 * @typedef {import('../transfer-plan.js').TransferPlan} TransferPlan
 * @typedef {import('../plan/ways.js').Way} Way
 * @typedef {import('./ways/way.js').NodeSettings} NodeSettings
 * @typedef {import('./side-usage.js').Usage} Usage
 *
 * @typedef {object} Served - a request
 * @property {string} transfer
 * @property {number} waitMs - until it was its turn
 * @property {bigint} askedNs
 * @property {bigint} endNs - when all had left
 *
 * @typedef {{ transfer: string, cid: string, event: 'queued' | 'sent', atNs: bigint }} BlockEvent
 * @typedef {Usage & { served: Served[], waiting: [ms: number, waiting: number, inProgress: number][], blockEvents: BlockEvent[], beganNs: bigint,
 *   memory: import('./memory-reading.js').MemoryReading[] }} Provision
 */

const LOOK_EVERY_MS = 20
const MOST_POINTS = 500

/** Provider is the side that has the files: it answers requests for them by one way at a time. */
export class Provider {
  #plan
  #reader = new SettingsReader(NODE_REASONS)
  #limits
  /** @type {import('./block-store.js').BlockStore | null} */
  #store = null
  /** @type {import('./ways/way.js').Provided | null} */
  #open = null
  /** @type {Served[]} */
  #served = []
  /** @type {BlockEvent[]} */
  #blockEvents = []

  /** @param {TransferPlan} plan @param {ProviderLimits} [limits] */
  constructor(plan, limits = new ProviderLimits(plan)) {
    this.#plan = plan
    this.#limits = limits
  }

  /** make makes the files. @returns {Promise<import('./file-tree.js').FileTree[]>} */
  async make() {
    this.#store = await openStore(this.#plan.store)
    const files = []
    for (let file = 0; file < this.#plan.concurrency; file++)
      files.push(await makeFile(this.#plan, file, this.#store))
    return files
  }

  /** open begins to answer. @param {Way} way @param {NodeSettings} settings @returns {Promise<string>} the address */
  async open(way, settings) {
    const { provide } = await loadWay(way)
    this.#open = await provide((request, peer) => this.#serve(request, peer), {
      ...withOwnLimit(settings),
      reader: this.#reader
    })
    return this.#open.address
  }

  /** shut answers no more. */
  async shut() {
    await this.#open?.close()
    this.#open = null
  }

  /** begin watches what it takes to answer from now on. @returns {() => Provision} ends it */
  begin() {
    this.#served = []
    this.#blockEvents = []
    const usage = watchUsage()
    const [beganMs, beganNs] = [performance.now(), process.hrtime.bigint()]
    /** @type {Provision['waiting']} */
    const waiting = []
    const look = () => {
      const { waiting: now, inProgress } = this.#limits
      if (waiting.length < MOST_POINTS) waiting.push([performance.now() - beganMs, now, inProgress])
    }
    const timer = setInterval(look, LOOK_EVERY_MS)
    return () => {
      clearInterval(timer)
      const [used, endedNs] = [usage(), process.hrtime.bigint()]
      const memory = this.#plan.memorySnapshots === 'none' ? [] : [readMemory(null)]
      const served = this.#served.map(({ endNs, ...each }) => ({ ...each, endNs: endNs || endedNs }))
      return { ...used, served, waiting, blockEvents: this.#blockEvents, beganNs, memory }
    }
  }

  /** most is what was reached of each limit. */
  most() {
    return this.#limits.most
  }

  /** settings are what its nodes have other than what libp2p takes by itself. */
  settings() {
    return this.#reader.settings()
  }

  async close() {
    await this.shut()
    await this.#store?.close()
  }

  /** @type {import('./ways/way.js').Serve} */
  async *#serve({ root, transfer }, peer) {
    const askedNs = process.hrtime.bigint()
    const done = await this.#limits.request(peer)
    const waitMs = Number(process.hrtime.bigint() - askedNs) / 1e6
    const served = { transfer, waitMs, askedNs, endNs: 0n }
    this.#served.push(served)
    try {
      yield* this.#blocks(root, { transfer, peer })
    } finally {
      served.endNs = process.hrtime.bigint()
      done()
    }
  }

  /** @param {string} root @param {{ transfer: string, peer: string }} request */
  async *#blocks(root, { transfer, peer }) {
    const store = /** @type {import('./block-store.js').BlockStore} */ (this.#store)
    const walk = new Walk(root)
    const most = largestBlock(this.#plan)
    for (let cid = walk.next; cid !== null; cid = walk.next) {
      const left = await this.#limits.memory(peer, most)
      try {
        const bytes = await store.get(cid)
        this.#note('queued', transfer, cid)
        yield { cid, bytes }
        this.#note('sent', transfer, cid)
        walk.enter(bytes)
      } finally {
        left()
      }
    }
  }

  /** @param {BlockEvent['event']} event @param {string} transfer @param {import('multiformats/cid').CID} cid */
  #note(event, transfer, cid) {
    if (looksAtBlocks(this.#plan))
      this.#blockEvents.push({ transfer, cid: cid.toString(), event, atNs: process.hrtime.bigint() })
  }
}
