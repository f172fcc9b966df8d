// The side of a transfer that serves files or zeros. It shares its bounded work fairly among requesting peers.
import { computeSum } from '../../../kit/collections.js'
import { SettingsReader } from '../../../libp2p/node-settings.js'
import { computeMaxBlockBytes, movesFiles, recordsBlocks } from '../plan/transfer-plan.js'
import { BlockWalk, openStore } from './blocks.js'
import { NODE_REASONS } from './node-protocols.js'
import {
  loadProtocol,
  readMemory,
  readOwnUsage,
  SteadyRate,
  shareBandwidth,
  startUsageWatch
} from './protocol.js'

/**
 * @typedef {Pick<import('../plan/transfer-plan.js').TransferPlan, 'maxInProgressRequests' | 'maxMemoryPerPeerBytes' | 'maxMemoryTotalBytes'>} Limits
 *
 * @typedef {{ peer: string, bytes: number, granted: () => void }} WaitingRequest
 */

/**
 * FairQueue is a fair queue for a bounded resource: it serves the waiting requests peer by peer, those of a peer in the order of arrival.
 */
class FairQueue {
  #fits
  /** @type {Map<string, WaitingRequest[]>} in the order of the peers' turns */
  #waiting = new Map()

  /** @param {(waiting: WaitingRequest) => boolean} fits - takes the resource, if there is enough */
  constructor(fits) {
    this.#fits = fits
  }

  get waiting() {
    return computeSum([...this.#waiting.values()], ({ length }) => length)
  }

  /** @param {string} peer @param {number} bytes @returns {Promise<void>} */
  wait(peer, bytes) {
    const { promise, resolve } = Promise.withResolvers()
    const queue = this.#waiting.get(peer) ?? []
    queue.push({ peer, bytes, granted: () => resolve(undefined) })
    this.#waiting.set(peer, queue)
    this.serve()
    return promise
  }

  /** serve grants requests that fit. A peer that was served goes to the end of the queue. */
  serve() {
    for (let left = this.#waiting.size; left > 0; left--) {
      const [peer, queue] = /** @type {[string, WaitingRequest[]]} */ (this.#waiting.entries().next().value)
      this.#waiting.delete(peer)
      const isServed = this.#fits(queue[0])
      if (isServed) queue.shift()?.granted()
      if (queue.length > 0) this.#waiting.set(peer, queue)
      if (isServed) left = this.#waiting.size + 1
    }
  }
}

/**
 * ProviderLimits bounds the simultaneous work of a provider: requests in progress, and bytes of blocks that were read from its store but
 * not yet written to the socket, for one peer and for all. Waiting peers take turns.
 */
export class ProviderLimits {
  #limits
  #inProgress = 0
  #totalBytes = 0
  /** @type {Map<string, number>} */
  #peerBytes = new Map()
  #requests
  #memory
  #most = { inProgressRequests: 0, memoryPerPeerBytes: 0, memoryTotalBytes: 0, waitingRequests: 0 }

  /** @param {Limits} limits */
  constructor(limits) {
    this.#limits = limits
    this.#requests = new FairQueue(() => this.#begin())
    this.#memory = new FairQueue(waiting => this.#take(waiting))
  }

  /** most is the highest value of each. */
  get most() {
    return { ...this.#most }
  }

  /** waiting requests at present. */
  get waiting() {
    return this.#requests.waiting
  }

  /** inProgress requests at present. */
  get inProgress() {
    return this.#inProgress
  }

  /** request waits until one more request may be answered. @param {string} peer @returns {Promise<() => void>} to be called when it was answered */
  async request(peer) {
    const waits = this.#requests.wait(peer, 0)
    this.#most.waitingRequests = Math.max(this.#most.waitingRequests, this.waiting)
    await waits
    return callOnce(() => {
      this.#inProgress--
      this.#requests.serve()
    })
  }

  /**
   * memory waits until a block may be read.
   *
   * @param {string} peer
   * @param {number} bytes - at most what a peer may have
   * @returns {Promise<() => void>} to be called when the block has left
   */
  async memory(peer, bytes) {
    await this.#memory.wait(peer, bytes)
    return callOnce(() => {
      this.#totalBytes -= bytes
      this.#peerBytes.set(peer, this.#of(peer) - bytes)
      this.#memory.serve()
    })
  }

  #begin() {
    if (this.#inProgress >= this.#limits.maxInProgressRequests) return false
    this.#inProgress++
    this.#most.inProgressRequests = Math.max(this.#most.inProgressRequests, this.#inProgress)
    return true
  }

  /** @param {string} peer */
  #of(peer) {
    return this.#peerBytes.get(peer) ?? 0
  }

  /** @param {WaitingRequest} waiting */
  #take({ peer, bytes }) {
    const [ofPeer, total] = [this.#of(peer) + bytes, this.#totalBytes + bytes]
    if (ofPeer > this.#limits.maxMemoryPerPeerBytes || total > this.#limits.maxMemoryTotalBytes) return false
    this.#peerBytes.set(peer, ofPeer)
    this.#totalBytes = total
    this.#most.memoryPerPeerBytes = Math.max(this.#most.memoryPerPeerBytes, ofPeer)
    this.#most.memoryTotalBytes = Math.max(this.#most.memoryTotalBytes, total)
    return true
  }
}

/** @param {() => void} work */
function callOnce(work) {
  let isDone = false
  return () => {
    if (isDone) return
    isDone = true
    work()
  }
}

/**
 * @typedef {import('../plan/transfer-plan.js').TransferPlan} TransferPlan
 * @typedef {import('./protocol.js').Usage} Usage
 *
 * @typedef {object} AnsweredRequest - a request
 * @property {string} transfer
 * @property {number} waitMs - until it was its turn
 * @property {bigint} askedNs
 * @property {bigint} endNs - when all had left
 *
 * @typedef {{ transfer: string, cid: string, event: 'queued' | 'sent', atNs: bigint }} BlockEvent
 * @typedef {Usage & { served: AnsweredRequest[], waiting: [ms: number, waiting: number, inProgress: number][], blockEvents: BlockEvent[], beganNs: bigint,
 *   memory: import('./protocol.js').MemoryReading[] }} Provision
 *
 * @typedef {object} ZerosCount - counts since the last `expect`
 * @property {number} receivedBytes
 * @property {number} sentBytes - of replies that were written completely
 * @property {number | null} steadyBytesPerSecond - at which the second half of the uploads arrived
 * @property {number} cpuMicros
 * @property {number} rssBytes
 */

const LOOK_EVERY_MS = 20
const MAX_POINTS = 500

/** Provider is the side that serves files or zeros. */
export class Provider {
  #plan
  #reader = new SettingsReader(NODE_REASONS)
  #limits
  /** @type {import('./blocks.js').BlockStore | null} */
  #store = null
  /** @type {Map<string, import('./protocol.js').OpenProvider>} by protocol */
  #open = new Map()
  /** @type {AnsweredRequest[]} */
  #served = []
  /** @type {BlockEvent[]} */
  #blockEvents = []
  /** @type {() => Provision} */
  #end = () => this.#watch()()
  #receipts = new SteadyRate(0)
  #sentBytes = 0
  #cpuMicros = 0
  /** @type {import('./protocol.js').ProviderContent} */
  #answers = {
    blocks: (request, peer) => this.#serve(request, peer),
    onReceived: bytes => this.#receipts.took(bytes, process.hrtime.bigint()),
    onSent: bytes => {
      this.#sentBytes += bytes
    }
  }

  /** @param {TransferPlan} plan @param {ProviderLimits} [limits] */
  constructor(plan, limits = new ProviderLimits(plan)) {
    this.#plan = plan
    this.#limits = limits
  }

  /** make makes the files. @returns {Promise<import('./file-tree.js').FileTree[]>} */
  async make() {
    const { makeFile } = await import('./file-tree.js')
    this.#store = await openStore(this.#plan.store)
    const files = []
    for (let file = 0; file < this.#plan.concurrency; file++)
      files.push(await makeFile(this.#plan, file, this.#store))
    return files
  }

  /** open begins to serve a protocol. @param {import('./protocol.js').NodeSettings} settings @returns {Promise<any>} the address */
  async open(settings) {
    const { provide } = await loadProtocol(settings.way)
    const lined = movesFiles(this.#plan) ? shareBandwidth(settings) : settings
    const provided = await provide(this.#answers, { ...lined, reader: this.#reader })
    this.#open.set(settings.way.name, provided)
    return provided.address
  }

  /** shut stops serving. */
  async shut() {
    const open = [...this.#open.values()]
    this.#open.clear()
    await Promise.allSettled(open.map(provided => provided.close()))
  }

  /** begin begins to measure the use of resources. */
  begin() {
    this.#end = this.#watch()
  }

  /** end gives the use of resources since `begin`. @returns {Provision} */
  end() {
    return this.#end()
  }

  #watch() {
    this.#served = []
    this.#blockEvents = []
    const usage = startUsageWatch()
    const [beganMs, beganNs] = [performance.now(), process.hrtime.bigint()]
    /** @type {Provision['waiting']} */
    const waiting = []
    const look = () => {
      const { waiting: now, inProgress } = this.#limits
      if (waiting.length < MAX_POINTS) waiting.push([performance.now() - beganMs, now, inProgress])
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

  /** expect resets the counts of zeros. @param {number} bytes - of uploads */
  expect(bytes) {
    this.#receipts = new SteadyRate(bytes)
    this.#sentBytes = 0
    this.#cpuMicros = readOwnUsage().cpuMicros
  }

  /** count gives the counts of zeros. @returns {ZerosCount} */
  count() {
    const { cpuMicros, rssBytes } = readOwnUsage()
    return {
      receivedBytes: this.#receipts.bytes,
      sentBytes: this.#sentBytes,
      steadyBytesPerSecond: this.#receipts.steadyBytesPerSecond,
      cpuMicros: cpuMicros - this.#cpuMicros,
      rssBytes
    }
  }

  /** most is how far each limit was used. */
  most() {
    return this.#limits.most
  }

  /** settings are those in which its nodes differ from the defaults of libp2p. */
  settings() {
    return this.#reader.settings()
  }

  async close() {
    await this.shut()
    await this.#store?.close()
  }

  /** @type {import('./protocol.js').Serve} */
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
    const store = /** @type {import('./blocks.js').BlockStore} */ (this.#store)
    const walk = new BlockWalk(root)
    const most = computeMaxBlockBytes(this.#plan)
    for (let cid = walk.next; cid !== null; cid = walk.next) {
      const release = await this.#limits.memory(peer, most)
      try {
        const bytes = await store.get(cid)
        this.#note('queued', transfer, cid)
        yield { cid, bytes }
        this.#note('sent', transfer, cid)
        walk.enter(bytes)
      } finally {
        release()
      }
    }
  }

  /** @param {BlockEvent['event']} event @param {string} transfer @param {import('multiformats/cid').CID} cid */
  #note(event, transfer, cid) {
    if (recordsBlocks(this.#plan))
      this.#blockEvents.push({ transfer, cid: cid.toString(), event, atNs: process.hrtime.bigint() })
  }
}
