import { mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { counted } from '../../../kit/numbers.js'
import { subStream } from '../../../kit/random.js'
import { subscriptionsOf } from '../../../load/subscriptions.js'
import { meshLacks } from '../../../network/mesh-lacks.js'
import { execute } from '../../execute.js'
import { interruptedBy, Phases, recordsOf } from '../../phases.js'
import { RunLog } from '../../run-log.js'
import { Trouble } from '../../trouble.js'
import { WorkerWatch, workerNames } from '../../worker-watch.js'
import { findCarriedRate } from './carried-rate.js'
import { ChurnedNodes } from './churned-nodes.js'
import { NO_COMPANION } from './companion.js'
import { GossipDocument } from './gossip-document.js'
import { GossipPool } from './gossip-pool.js'
import { joinNodes } from './join-nodes.js'
import { Publishing } from './publishing.js'

/**
 * @typedef {import('../plan/gossip-plan.js').GossipPlan} GossipPlan
 * @typedef {import('../../../result/types.js').Record_} Record_
 * @typedef {import('../../rendezvous/run/rendezvous.js').RunOptions & Pick<import('./gossip-pool.js').GossipPoolOptions, 'startProcess'>} RunOptions
 * @typedef {import('../../../network/node-host.js').HostInterval} HostInterval
 * @typedef {import('../../../network/node-host.js').MeshState} MeshState
 * @typedef {import('../../../network/node-host.js').Peer} Peer
 * @typedef {import('./companion.js').Companion} Companion
 * @typedef {[number, number]} Edge
 */

const STEP_MS = 250
/** How long samples are waited for once there is trouble. */
const LAST_SAMPLES_MS = 1000
const LIBRARY_HEARTBEAT_MS = 1000

/**
 * runGossip load-tests a gossipsub network by a plan. It never throws for what goes wrong with the run: the last record is always
 * the result, whose `status` and `reason` tell.
 *
 * @param {GossipPlan} plan
 * @param {RunOptions} options
 * @param {Companion} [companion]
 * @returns {AsyncGenerator<Record_>}
 */
export const runGossip = (plan, options, companion = companionOf(plan)) =>
  recordsOf(emit => execute(new GossipRun(plan, options, { emit, companion }), phasesOf(plan)))

/** @param {GossipPlan} plan @returns {Companion} */
const companionOf = plan => (plan.churn == null ? NO_COMPANION : new ChurnedNodes(plan))

/** @param {GossipPlan} plan @returns {(run: GossipRun) => Promise<void>} */
const phasesOf = plan => async run => {
  await run.provision()
  await run.peer()
  await run.warmUp()
  if (plan.autoRate) await run.findRate()
  else {
    await run.publish()
    await run.coolDown()
  }
  await run.collect()
}

/** GossipRun is one run with what it has started; its methods are the phases. */
class GossipRun {
  #plan
  #id
  #emit
  #companion
  #signal
  #log
  #document
  #phases
  #trouble = new Trouble()
  #release = () => {}
  #subscriptions
  #folder
  #startProcess
  #originNs = process.hrtime.bigint()
  #originUnixNs = unixNs()
  #workers
  /** @type {Promise<GossipPool> | null} */
  #starting = null
  /** @type {GossipPool | null} */
  #pool = null
  /** @type {ReturnType<typeof joinNodes> | null} */
  #joining = null
  /** @type {Peer[]} */
  #peers = []
  /** @type {Edge[]} */
  #edges = []
  /** @type {Publishing | null} the latest */
  #latest = null
  /** Nodes publish until their user ends it. */
  #endless = false

  /**
   * @param {GossipPlan} plan
   * @param {RunOptions} options
   * @param {{ emit: (record: Record_) => void, companion: Companion }} components
   */
  constructor(plan, options, { emit, companion }) {
    this.#plan = plan
    this.#id = options.id
    this.#folder = options.folder ?? null
    this.#startProcess = options.startProcess
    this.#emit = emit
    this.#companion = companion
    this.#signal = options.signal ?? new AbortController().signal
    this.#log = new RunLog(emit)
    const own = subscriptionsOf(plan)
    this.#subscriptions = companion.subscriptions ?? { all: own, publishing: own }
    this.#document = new GossipDocument(plan, {
      id: options.id,
      log: this.#log,
      subscriptions: this.#subscriptions.all,
      companion
    })
    this.#workers = new WorkerWatch(workerNames(plan.workers), error => this.#trouble.raise(error), {
      pidOf: worker => this.#pool?.pids[worker]
    })
    this.#phases = new Phases({
      log: this.#log,
      trouble: this.#trouble,
      emit,
      result: () => this.#document.result()
    })
  }

  begin() {
    this.#release = interruptedBy(this.#signal, { raise: error => this.#interrupted(error) })
    this.#emit(this.#document.startRecord())
    // a network that is killed while it comes about leaves its result too
    this.#phases.emitPartial()
  }

  provision() {
    return this.#phases.guarded('provision', async () => {
      this.#starting = this.#startPool()
      this.#pool = await this.#starting
      this.#workers.begin()
      this.#peers = await this.#pool.provision()
      return `${counted(this.#plan.nodes, 'node')} in ${counted(this.#plan.workers, 'process', 'processes')}`
    })
  }

  peer() {
    return this.#phases.guarded('peer', async () => {
      this.#joining = this.#join()
      const { dialled, steps } = await this.#joining
      this.#document.known.rendezvous = steps
      this.#document.dialled(dialled)
      this.#edges = dialled.flatMap(({ from, to, error }) =>
        error === null ? [/** @type {Edge} */ ([from, to])] : []
      )
      if (this.#edges.length === 0 && dialled.length > 0)
        throw new Error(`no node could connect to another one: ${dialled[0].error}`)
      return counted(this.#edges.length, 'connection')
    })
  }

  warmUp() {
    return this.#phases.guarded('warmup', async () => {
      const { mesh } = this.#document.known
      const first = await this.#hosts.awaitMesh(0)
      let states = first
      let lacks = this.#meshLacks(states)
      while (lacks.length > 0 && sinceMs(first, states) < this.#plan.warmupTimeoutMs) {
        this.#log.progress({
          phase: 'warmup',
          done: sinceMs(first, states),
          total: this.#plan.warmupTimeoutMs,
          unit: 'ms'
        })
        states = await this.#hosts.awaitMesh(STEP_MS)
        lacks = this.#meshLacks(states)
      }
      const formed = lacks.length === 0
      Object.assign(mesh, {
        formedAfterMs: formed ? sinceMs(first, states) : null,
        missing: lacks,
        degrees: degreesOf(states, this.#subscriptions.all)
      })
      return formed ? 'mesh formed' : `mesh not formed: ${lacks.join(', ')}`
    })
  }

  publish() {
    return this.#phases.plain('publish', async () => {
      this.#latest = this.#newPublishing(this.#plan)
      await this.#trouble.guard(this.#companion.start(this.#hosts))
      this.#endless = publishesUntilEnded(this.#plan)
      await this.#watching(this.#latest)
      this.#endless = false
      await this.#trouble.guard(this.#companion.stop())
      return counted(this.#document.measurement.tracker.figures().messages.published, 'message')
    })
  }

  coolDown() {
    return this.#phases.plain('cooldown', async () => {
      const open = await this.#published.coolDown()
      return open === 0
        ? 'every message reached everyone'
        : `${counted(open, 'message')} did not reach everyone`
    })
  }

  /** findRate publishes at rates until it is known which one is carried. */
  findRate() {
    return this.#phases.plain('publish', async () => {
      const { perSecond, trials } = await findCarriedRate(this.#plan, {
        document: this.#document,
        newPublishing: (plan, firstMessage) => {
          this.#latest = this.#newPublishing(plan, firstMessage)
          return this.#latest
        },
        emitPartial: () => this.#phases.emitPartial()
      })
      return `${perSecond ?? 'no'} messages/s carried, by ${counted(trials.length, 'trial')}`
    })
  }

  collect() {
    return this.#phases.guarded('collect', async () => {
      if (this.#published.open) await this.#published.close()
      this.#document.header.completed()
    })
  }

  /** fail keeps why the run ended early. @param {Error} error */
  fail(error) {
    this.#document.header.failed(this.#trouble.error ?? error)
  }

  teardown() {
    return this.#log.phase('teardown', async () => {
      this.#workers.stop()
      // what is still being started could not be stopped
      await this.#starting?.catch(() => {})
      const steps = [
        () => this.#keepWhatThereIs(),
        () => this.#endWorkers(),
        // nodes that are gone end what they were joined by
        () => this.#joining?.then(nothing, nothing)
      ]
      for (const step of steps) {
        try {
          await step()
        } catch (error) {
          this.#document.header.failed(/** @type {Error} */ (error))
        }
      }
      return {}
    })
  }

  end() {
    this.#release()
    this.#document.header.finished()
    this.#emit({ type: 'result', result: this.#document.result() })
  }

  /** The end of what has no other one is no interruption. @param {Error} error */
  #interrupted(error) {
    if (this.#endless) this.#published.end()
    else this.#trouble.raise(error)
  }

  async #startPool() {
    return GossipPool.start({
      traces: await this.#traces(),
      plan: this.#plan,
      subscriptions: this.#subscriptions.all,
      runNonce: Math.floor(subStream(this.#plan.seed, 'nonce')() * 2 ** 32),
      originNs: this.#originNs,
      onInterval: (interval, worker) => this.#interval(interval, worker),
      onProgress: done => this.#starts(done),
      onAlive: (atNs, worker) => this.#workers.heard(worker, atNs),
      onDied: (error, worker) => this.#workers.died(error, worker),
      signal: this.#signal,
      startProcess: this.#startProcess
    })
  }

  async #traces() {
    if (!this.#plan.traces || this.#folder === null) return null
    const folder = join(this.#folder, 'traces')
    await mkdir(folder, { recursive: true })
    return { folder, originUnixNs: this.#originUnixNs }
  }

  /** @param {number} done */
  #starts(done) {
    if (this.#peers.length === 0)
      this.#log.progress({ phase: 'provision', done, total: this.#plan.nodes, unit: 'nodes' })
    else this.#log.progress({ phase: 'peer', done, total: null, unit: 'connections' })
  }

  /** @param {HostInterval} interval @param {number} worker */
  #interval(interval, worker) {
    this.#workers.heard(worker, interval.atNs)
    this.#latest?.add(interval, worker)
  }

  #join() {
    return joinNodes({
      plan: this.#plan,
      id: this.#id,
      hosts: this.#hosts,
      peers: this.#peers,
      signal: this.#signal,
      onServerDied: error => this.#trouble.raise(error)
    })
  }

  /** @param {MeshState[]} states */
  #meshLacks(states) {
    const { nodes, topics, gossipsub } = this.#plan
    return meshLacks(states, {
      nodes,
      edges: this.#edges,
      subscriptions: this.#subscriptions.all.slice(0, nodes),
      topics: topics.length,
      heartbeatMs: Number(gossipsub.heartbeatInterval ?? LIBRARY_HEARTBEAT_MS)
    })
  }

  /** Publishes, and tells who could be late meanwhile: in virtual time nobody is. @param {Publishing} publishing */
  #watching(publishing) {
    if (this.#plan.network === 'simulated') return publishing.publish()
    const processes = (this.#pool?.pids ?? []).map((pid, i) => ({
      name: workerNames(this.#plan.workers)[i],
      pid: () => pid
    }))
    return this.#document.header.watching(processes, () => publishing.publish())
  }

  /** @param {GossipPlan} plan @param {number} [firstMessage] */
  #newPublishing(plan, firstMessage) {
    const parts = {
      hosts: this.#hosts,
      subscriptions: this.#subscriptions.publishing,
      begin: (/** @type {number} */ startNs) => this.#companion.begin?.(startNs),
      document: this.#document,
      log: this.#log,
      trouble: this.#trouble,
      workers: this.#workers,
      emitPartial: () => this.#phases.emitPartial()
    }
    return new Publishing(plan, parts, firstMessage)
  }

  /** A run that was broken off keeps what was measured. */
  async #keepWhatThereIs() {
    const lastSamples = Promise.race([
      this.#companion.stop(),
      sleep(LAST_SAMPLES_MS, undefined, { ref: false })
    ])
    if (this.#latest?.open) await this.#latest.breakOff()
    await lastSamples
  }

  /** Nodes close their connections, unless there is trouble: then nobody waits for it. */
  async #endWorkers() {
    const pool = this.#pool
    if (pool !== null) await this.#trouble.guard(pool.stop()).catch(() => pool.kill())
  }

  /** What was published, once it was. */
  get #published() {
    return /** @type {Publishing} */ (this.#latest)
  }

  /** The workers, once they were started. */
  get #hosts() {
    return /** @type {GossipPool} */ (this.#pool)
  }
}

/** @param {GossipPlan} plan */
const publishesUntilEnded = ({ publishers, durationMs, messages }) =>
  publishers === 'every' && durationMs === null && messages === null

const nothing = () => {}

/** Wall-clock time to the µs, which Date does not have. */
const unixNs = () => BigInt(Math.round((performance.timeOrigin + performance.now()) * 1000)) * 1000n

/** @param {MeshState[]} first @param {MeshState[]} now */
const sinceMs = (first, now) =>
  (Math.max(...now.map(({ atNs }) => atNs)) - Math.max(...first.map(({ atNs }) => atNs))) / 1e6

/**
 * @param {MeshState[]} states
 * @param {readonly (readonly number[])[]} subscriptions
 * @returns {Record<string, number>} (node, topic) pairs by their mesh peers
 */
function degreesOf(states, subscriptions) {
  /** @type {Record<string, number>} */
  const degrees = {}
  for (const { node, mesh } of states.flatMap(({ nodes }) => nodes))
    for (const topic of subscriptions[node])
      degrees[mesh[topic].length] = (degrees[mesh[topic].length] ?? 0) + 1
  return degrees
}
