import { median } from '../../../kit/median.js'
import { subStream } from '../../../kit/random.js'
import { balancedOrders, rowsOf } from '../../../load/latin-square.js'
import { judgeAll } from '../../../result/thresholds/judge.js'
import { execute } from '../../execute.js'
import { namespaceWarnings } from '../../namespaces/namespace-warnings.js'
import { recordsOf } from '../../phases.js'
import { documentAround, Run } from '../../run.js'
import { PERF_FIGURES } from '../figures.js'
import { handshakeRow, handshakeWarnings, quartiles } from '../measure/handshakes.js'
import { transferRows } from '../measure/transfer-rows.js'
import { perfPlan } from '../perf-plan.js'
import { shakesHands, waysOf } from '../plan/ways.js'
import { PerfEnds, PerfError } from './perf-ends.js'

/**
 * @typedef {import('../perf-plan.js').PerfPlan} PerfPlan
 * @typedef {import('../perf-plan.js').PerfOutcome} PerfOutcome
 * @typedef {import('../perf-plan.js').Transfer} Transfer
 *
 * @typedef {{ openMs: number, exchangeMs: number }} Exchange
 * @typedef {import('../measure/handshakes.js').HandshakesTold} HandshakesTold
 */

/** PerfDocument keeps what was measured so far. */
export class PerfDocument {
  #plan
  /** @type {Transfer[]} */
  transfers = []
  /** @type {Map<string, Exchange[]>} by way: of --exchanges */
  exchanges = new Map()
  /** roundTrips are the medians of exchanges on an idle connection, ms, by way. @type {Record<string, number>} */
  roundTrips = {}
  /** @type {Map<string, HandshakesTold[]>} by way, of each repeat */
  handshakes = new Map()
  /** joined is what is known of the namespaces of both ends. @type {() => import('../../gossip/gossip-types.js').NamespaceFigures | null} */
  joined = () => null
  /** settings of nodes of ours. @type {import('../../../libp2p/node-settings.js').Settings} */
  settings = {}
  /** measuredMs is how long it was measured for. */
  measuredMs = 0

  /** @param {PerfPlan} plan */
  constructor(plan) {
    this.#plan = plan
  }

  /** @param {Map<string, any[]>} all @param {string} way @param {readonly any[]} more */
  add(all, way, more) {
    all.set(way, [...(all.get(way) ?? []), ...more])
  }

  /** outcome is all of it, with its figures. @returns {PerfOutcome} */
  outcome() {
    const plan = this.#plan
    const { roundTrips } = this
    const measured = {
      target: plan.target,
      settings: this.settings,
      ways: waysOf(plan).map(({ name, kind }) => ({ name, kind })),
      transfers: this.transfers,
      rows: transferRows(plan, this.transfers, roundTrips),
      latency: [...this.exchanges].map(([way, exchanges]) => latencyRow(way, exchanges)),
      handshakes: [...this.handshakes].map(([way, told]) => handshakeRow(way, told, plan, roundTrips[way])),
      measuredMs: this.measuredMs,
      ...(plan.network === 'namespaces' && { namespaces: this.joined() ?? undefined })
    }
    return /** @type {PerfOutcome} */ (
      /** @type {unknown} */ ({
        ...measured,
        thresholds: judgeAll(plan.thresholds, /** @type {any} */ (measured), PERF_FIGURES)
      })
    )
  }
}

/** @param {string} way @param {readonly Exchange[]} exchanges */
const latencyRow = (way, exchanges) => ({
  way,
  open: quartiles(exchanges.map(({ openMs }) => openMs)),
  exchange: quartiles(exchanges.map(({ exchangeMs }) => exchangeMs)),
  both: quartiles(exchanges.map(({ openMs, exchangeMs }) => openMs + exchangeMs))
})

/**
 * @typedef {import('../../../result/types.js').Record_} Record_
 * @typedef {import('../plan/ways.js').Way} Way
 * @typedef {import('./perf-client.js').TransferAsked} TransferAsked
 * @typedef {import('./perf-client.js').Transferred} Transferred
 */

/** Enough for the code of both ends to be compiled. */
const WARMUP_BYTES = 8 << 20
const IDLE_EXCHANGES = 20

/**
 * PerfRun is one run with what it has started; its methods are the phases.
 *
 * @extends {Run<import('../../run.js').RunDocument>}
 */
export class PerfRun extends Run {
  #plan
  #measured
  #ends
  #fleet

  /**
   * @param {import('../perf-plan.js').PerfPlan} plan
   * @param {import('../../scenario.js').RunOptions} options
   * @param {(record: Record_) => void} emit
   */
  constructor(plan, { id, signal, fleet }, emit) {
    const measured = new PerfDocument(plan)
    super({
      emit,
      signal,
      documentOf: documentAround({ id, plan, packages: packagesOf(plan) }, header => {
        const outcome = measured.outcome()
        const warnings = [...namespaceWarnings(measured.joined()), ...handshakeWarnings(outcome.handshakes)]
        return { ...header.ending(), scenario: 'perf', plan, outcome, run: header.run([], warnings) }
      })
    })
    this.#plan = plan
    this.#measured = measured
    this.#ends = new PerfEnds(plan, error => this.trouble.raise(error), fleet)
    this.#fleet = fleet
    this.document.header.fleet = fleet
    measured.joined = () => this.#ends.joined.figures
  }

  /** @override */
  begin() {
    super.begin()
    // one end alone moves nothing
    this.#fleet?.watch({
      onBusLost: error => this.trouble.raise(error),
      onLost: ({ error }) => this.trouble.raise(error)
    })
  }

  setup() {
    return this.phases.guarded('setup', async () => {
      await this.#ends.start()
      return this.#plan.target === null ? 'a process for each end' : this.#plan.target
    })
  }

  /** Each way once: its code is compiled, and its round trip is known. */
  warmUp() {
    return this.phases.guarded('warmup', async () => {
      const bytes = Math.min(WARMUP_BYTES, this.#plan.sizeBytes)
      for (const way of waysOf(this.#plan)) {
        for (const direction of this.#directions)
          await this.#transfer(way, { direction, streams: this.#plan.streams[0], bytes })
        // its round trip says nothing where there is no window
        if (way.muxer === 'mplex') continue
        const idle = await this.#ends.ask(
          way,
          'exchanges',
          { way: way.name, count: IDLE_EXCHANGES },
          IDLE_EXCHANGES
        )
        this.#measured.roundTrips[way.name] = median(
          idle.map((/** @type {{ exchangeMs: number }} */ { exchangeMs }) => exchangeMs)
        )
      }
      this.#measured.settings = await this.#ends.settings()
    })
  }

  async measure() {
    const beganMs = performance.now()
    const { measures, repeats } = this.#plan
    await this.trouble.guard(this.#ends.joined.begin())
    if (this.#directions.length > 0)
      await this.phases.guarded('measure', () => this.#repeated('measure', i => this.#transfers(i)))
    if (measures.includes('latency'))
      await this.phases.guarded('latency', () => this.#repeated('latency', i => this.#latency(i)))
    if (measures.includes('handshakes'))
      await this.phases.guarded('handshakes', () => this.#repeated('handshakes', i => this.#handshakes(i)))
    this.#measured.measuredMs = performance.now() - beganMs
    await this.trouble.guard(this.#ends.joined.over())
    await this.#fleet?.settle()
    this.document.header.completed()
    this.log.progress({ phase: 'measure', done: repeats, total: repeats, unit: 'repeats' })
  }

  get #directions() {
    const { measures } = this.#plan
    return /** @type {const} */ (['upload', 'download']).filter(direction => measures.includes(direction))
  }

  /** @param {string} phase @param {(repeat: number) => Promise<void>} work */
  async #repeated(phase, work) {
    const { repeats } = this.#plan
    for (let repeat = 0; repeat < repeats; repeat++) {
      await work(repeat)
      this.log.progress({ phase, done: repeat + 1, total: repeats, unit: 'repeats' })
    }
  }

  /** Over as many repeats as there are ways, each is once in every place. @param {Way[]} ways @param {number} repeat */
  #inTurn(ways, repeat) {
    const rows = rowsOf(ways.length)
    const set = Math.floor(repeat / rows)
    return balancedOrders(ways, subStream(this.#plan.seed, 'order', set))[repeat % rows]
  }

  /** @param {number} repeat */
  async #transfers(repeat) {
    const { streams, sizeBytes } = this.#plan
    for (const count of streams)
      for (const direction of this.#directions)
        for (const way of this.#inTurn(waysOf(this.#plan), repeat)) {
          const moved = await this.#transfer(way, { direction, streams: count, bytes: sizeBytes })
          this.#measured.transfers.push({ way: way.name, direction, streams: count, repeat, ...moved })
        }
  }

  /** @param {number} repeat */
  async #latency(repeat) {
    const { exchanges: count } = this.#plan
    for (const way of this.#inTurn(waysOf(this.#plan), repeat)) {
      const exchanges = await this.#ends.ask(way, 'exchanges', { way: way.name, count }, count)
      this.#measured.add(this.#measured.exchanges, way.name, exchanges)
    }
  }

  /** @param {number} repeat */
  async #handshakes(repeat) {
    const { handshakeForMs, timeoutMs } = this.#plan
    for (const way of this.#inTurn(waysOf(this.#plan).filter(shakesHands), repeat)) {
      await this.#ends.begin(0)
      const told = await this.#ends.ask(
        way,
        'handshakes',
        { way: way.name },
        1 + Math.ceil(handshakeForMs / timeoutMs)
      )
      const { cpuMicros: serverCpuMicros = null } = await this.#ends.count()
      this.#measured.add(this.#measured.handshakes, way.name, [{ ...told, serverCpuMicros }])
      if (told.failed === told.due)
        throw new PerfError('HANDSHAKES_FAILED', `${way.name}: no handshake succeeded: ${told.failure}`)
    }
  }

  /**
   * Both ends count while bytes move, not while streams are opened and closed.
   *
   * @param {Way} way
   * @param {Omit<TransferAsked, 'way'>} what
   */
  async #transfer(way, { direction, streams, bytes }) {
    await this.#ends.ask(way, 'open', { way: way.name, streams }, 1, direction)
    await this.#ends.begin(direction === 'upload' ? bytes : 0)
    /** @type {Transferred} */
    const moved = await this.#ends.ask(way, 'move', { direction, bytes }, 1, direction)
    const served = await this.#ends.count(counts => {
      const counted = direction === 'upload' ? counts.receivedBytes : counts.sentBytes
      return counted === undefined || counted === bytes
    })
    await this.#ends.ask(way, 'shut', {}, 1, direction)
    const counted = direction === 'upload' ? served.receivedBytes : served.sentBytes
    if (moved.bytes !== bytes || (counted !== undefined && counted !== bytes))
      throw new PerfError(
        'BYTES_DIFFER',
        `${way.name}, ${direction}: ${bytes} bytes were to move, the client counted ${moved.bytes}, the server ${counted ?? 'is not ours'}`
      )
    const { totalMs, firstByteMs, steadyBytesPerSecond, cpuMicros, rssBytes } = moved
    return {
      bytes,
      totalMs,
      firstByteMs,
      bytesPerSecond: (bytes * 1000) / totalMs,
      steadyBytesPerSecond:
        steadyBytesPerSecond ?? (direction === 'upload' ? (served.steadyBytesPerSecond ?? null) : null),
      clientCpuMs: cpuMicros / 1000,
      serverCpuMs: served.cpuMicros === undefined ? null : served.cpuMicros / 1000,
      clientRssBytes: rssBytes,
      serverRssBytes: served.rssBytes ?? null
    }
  }

  teardown() {
    return this.log.phase('teardown', async () => {
      await this.#ends.stop({ failed: !this.document.header.complete })
      return {}
    })
  }
}

/** @param {import('../perf-plan.js').PerfPlan} plan */
const packagesOf = ({ stack }) =>
  stack.flatMap(name => (name === 'libp2p-2' ? PACKAGES_2 : ['libp2p', '@libp2p/noise', '@libp2p/yamux']))

const PACKAGES_2 = ['libp2p-2', '@libp2p-2/noise', '@libp2p-2/yamux']

/**
 * runPerf moves bytes as a plan says. It never throws for what goes wrong with the run: the last record is always the result, whose
 * `status` and `reason` tell.
 *
 * @type {import('../../scenario.js').Run}
 */
export const runPerf = (plan, options) =>
  recordsOf(emit =>
    execute(new PerfRun(perfPlan(plan), options, emit), async run => {
      await run.setup()
      await run.warmUp()
      await run.measure()
    })
  )
