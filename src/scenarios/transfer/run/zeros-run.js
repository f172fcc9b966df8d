import { median } from '../../../kit/median.js'
import { judgeAll } from '../../../result/thresholds/judge.js'
import { namespaceWarnings } from '../../namespaces/namespace-warnings.js'
import { TRANSFER_FIGURES } from '../figures.js'
import { handshakeRow, handshakeWarnings, quartiles } from '../measure/handshakes.js'
import { zerosRows } from '../measure/zeros-rows.js'
import { roundsOf, turnOf } from '../plan/rounds.js'
import { PROTOCOLS, waysOf } from '../plan/ways.js'
import { TransferError } from '../transfer-plan.js'
import { SidesRun } from './sides-run.js'

/**
 * @typedef {import('../transfer-plan.js').TransferPlan} TransferPlan
 * @typedef {import('../transfer-plan.js').ZerosOutcome} ZerosOutcome
 * @typedef {import('../plan/ways.js').Way} Way
 * @typedef {import('./zeros-requestor.js').TransferAsked} TransferAsked
 * @typedef {import('./zeros-requestor.js').Transferred} Transferred
 *
 * @typedef {{ openMs: number, exchangeMs: number }} Exchange
 * @typedef {import('../measure/handshakes.js').HandshakesTold} HandshakesTold
 */

/** @param {TransferPlan} plan */
const packagesOf = ({ stack }) =>
  stack.flatMap(name => (name === 'libp2p-2' ? PACKAGES_2 : ['libp2p', '@libp2p/noise', '@libp2p/yamux']))

const PACKAGES_2 = ['libp2p-2', '@libp2p-2/noise', '@libp2p-2/yamux']

/** ZerosLog keeps what was measured in a round. */
export class ZerosLog {
  /** @type {ZerosOutcome['transfers'][number][]} */
  transfers = []
  /** @type {Map<string, Exchange[]>} by way: of --exchanges */
  exchanges = new Map()
  /** roundTrips are the medians of exchanges on an idle connection, ms, by way. @type {Record<string, number>} */
  roundTrips = {}
  /** @type {Map<string, HandshakesTold[]>} by way, of each repeat */
  handshakes = new Map()

  /** @param {import('../transfer-plan.js').Round} round */
  constructor(round) {
    this.round = round
  }

  /** @param {Map<string, any[]>} all @param {string} way @param {readonly any[]} more */
  add(all, way, more) {
    all.set(way, [...(all.get(way) ?? []), ...more])
  }
}

/** ZerosDocument is everything known of a run so far. */
export class ZerosDocument {
  #plan
  /** @type {ZerosLog[]} of the rounds so far */
  logs = []
  /** settings of nodes of ours. @type {import('../../../libp2p/node-settings.js').Settings} */
  settings = {}
  /** measuredMs is how long it was measured for. */
  measuredMs = 0

  /** @param {TransferPlan} plan */
  constructor(plan) {
    this.#plan = plan
    this.packages = packagesOf(plan)
  }

  /** @type {import('./sides-run.js').Measured['result']} */
  result(joined, header) {
    const plan = this.#plan
    const { logs } = this
    const inNamespaces = plan.network === 'namespaces'
    const measured = {
      target: plan.target,
      settings: this.settings,
      ways: waysOf(plan).map(({ name, protocol }) => ({ name, kind: protocol })),
      transfers: logs.flatMap(({ transfers }) => transfers),
      rows: logs.flatMap(log => zerosRows(plan, log)),
      latency: logs.flatMap(({ round, exchanges }) =>
        [...exchanges].map(([way, times]) => ({ round, ...latencyRow(way, times) }))
      ),
      handshakes: logs.flatMap(({ round, handshakes, roundTrips }) =>
        [...handshakes].map(([way, told]) => ({
          round,
          ...handshakeRow(way, told, plan, roundTrips[way])
        }))
      ),
      measuredMs: this.measuredMs,
      ...(inNamespaces && { namespaces: joined })
    }
    const figures = /** @type {any} */ (measured)
    const thresholds = judgeAll(plan.thresholds, figures, TRANSFER_FIGURES, header.brokeOff)
    return {
      outcome: { ...measured, thresholds },
      warnings: [
        ...(inNamespaces ? joined.flatMap(namespaceWarnings) : []),
        ...handshakeWarnings(/** @type {any} */ (measured.handshakes))
      ]
    }
  }
}

/** @param {string} way @param {readonly Exchange[]} exchanges */
const latencyRow = (way, exchanges) => ({
  way,
  open: quartiles(exchanges.map(({ openMs }) => openMs)),
  exchange: quartiles(exchanges.map(({ exchangeMs }) => exchangeMs)),
  both: quartiles(exchanges.map(({ openMs, exchangeMs }) => openMs + exchangeMs))
})

/** Enough for the code of both ends to be compiled. */
const WARMUP_BYTES = 8 << 20
const IDLE_EXCHANGES = 20
const DIRECTIONS = /** @type {const} */ (['upload', 'download'])

/** @param {import('../plan/ways.js').Way} way */
const shakesHands = ({ protocol }) => PROTOCOLS[protocol].handshake === true

/** ZerosRun is one run that moves zeros, exchanges bytes and opens connections; its methods are the phases. */
export class ZerosRun extends SidesRun {
  #document

  /**
   * @param {TransferPlan} plan
   * @param {import('../../scenario.js').RunOptions} options
   * @param {(record: import('../../../result/types.js').Record_) => void} emit
   */
  constructor(plan, options, emit) {
    const document = new ZerosDocument(plan)
    super(plan, options, { emit, measured: document })
    this.#document = document
  }

  async work() {
    const { target } = this.plan
    await this.setup(target ?? 'a process for each side')
    await this.#warmUp()
    await this.#measure()
  }

  /** What is measured in the round that goes on. */
  get #log() {
    return this.#document.logs[this.#document.logs.length - 1]
  }

  /** All ways are opened for a round, and the round trip of each is measured. @param {import('../transfer-plan.js').Round} round */
  async #begin(round) {
    this.#document.logs.push(new ZerosLog(round))
    await this.sides.rounds.go(round)
    await this.sides.meet(round)
  }

  /** @param {Way} way */
  async #roundTrip(way) {
    // it says nothing where there is no window
    if (way.muxer === 'mplex') return
    const asked = { way: way.name, count: IDLE_EXCHANGES }
    /** @type {Exchange[]} */
    const idle = await this.#ask(way, 'exchanges', { asked, timeouts: IDLE_EXCHANGES })
    this.#log.roundTrips[way.name] = median(idle.map(({ exchangeMs }) => exchangeMs))
  }

  /** Each way once: its code is compiled, and its round trip is known. */
  #warmUp() {
    return this.phases.guarded('warmup', async () => {
      await this.#begin(roundsOf(this.plan)[0])
      const { sizeBytes, streams } = this.plan
      for (const way of waysOf(this.plan)) {
        for (const direction of this.#directions) {
          const bytes = Math.min(WARMUP_BYTES, sizeBytes)
          await this.#transfer(way, { direction, streams: streams[0], bytes })
        }
        await this.#roundTrip(way)
      }
      this.#document.settings = await this.sides.settings()
    })
  }

  async #measure() {
    const beganMs = performance.now()
    const { measures, repeats } = this.plan
    await this.trouble.guard(this.sides.rounds.begin())
    for (const [index, round] of roundsOf(this.plan).entries()) {
      if (index > 0) await this.trouble.guard(this.#next(round))
      if (this.#directions.length > 0) await this.#repeated('measure', i => this.#transfers(i))
      if (measures.includes('latency')) await this.#repeated('latency', i => this.#latency(i))
      if (measures.includes('handshakes')) await this.#repeated('handshakes', i => this.#handshakes(i))
    }
    this.#document.measuredMs = performance.now() - beganMs
    await this.trouble.guard(this.measured())
    this.log.progress({ phase: 'measure', done: repeats, total: repeats, unit: 'repeats' })
  }

  /** @param {import('../transfer-plan.js').Round} round */
  async #next(round) {
    await this.#begin(round)
    for (const way of waysOf(this.plan)) await this.#roundTrip(way)
  }

  get #directions() {
    return DIRECTIONS.filter(direction => this.plan.measures.includes(direction))
  }

  /** @param {string} phase @param {(repeat: number) => Promise<void>} work */
  #repeated(phase, work) {
    const { repeats } = this.plan
    return this.phases.guarded(phase, async () => {
      for (let repeat = 0; repeat < repeats; repeat++) {
        await work(repeat)
        this.log.progress({ phase, done: repeat + 1, total: repeats, unit: 'repeats' })
      }
    })
  }

  /** @param {number} repeat */
  async #transfers(repeat) {
    const { streams, sizeBytes } = this.plan
    for (const count of streams)
      for (const direction of this.#directions)
        for (const way of turnOf(waysOf(this.plan), this.plan.seed, repeat)) {
          const moved = await this.#transfer(way, { direction, streams: count, bytes: sizeBytes })
          const { round } = this.#log
          const row = { round, way: way.name, direction, streams: count, repeat, ...moved }
          this.#log.transfers.push(row)
        }
  }

  /** @param {number} repeat */
  async #latency(repeat) {
    const { exchanges: count } = this.plan
    for (const way of turnOf(waysOf(this.plan), this.plan.seed, repeat)) {
      const asked = { way: way.name, count }
      const exchanges = await this.#ask(way, 'exchanges', { asked, timeouts: count })
      this.#log.add(this.#log.exchanges, way.name, exchanges)
    }
  }

  /** @param {number} repeat */
  async #handshakes(repeat) {
    const { handshakeForMs, timeoutMs } = this.plan
    for (const way of turnOf(waysOf(this.plan).filter(shakesHands), this.plan.seed, repeat)) {
      await this.sides.expect(0)
      const timeouts = 1 + Math.ceil(handshakeForMs / timeoutMs)
      const told = await this.#ask(way, 'handshakes', { asked: { way: way.name }, timeouts })
      const { cpuMicros: serverCpuMicros = null } = await this.sides.count()
      this.#log.add(this.#log.handshakes, way.name, [{ ...told, serverCpuMicros }])
      if (told.failed === told.due)
        throw new TransferError('HANDSHAKES_FAILED', `${way.name}: no handshake succeeded: ${told.failure}`)
    }
  }

  /**
   * Both ends count while bytes move, not while streams are opened and closed.
   *
   * @param {Way} way
   * @param {Omit<TransferAsked, 'way'>} what
   */
  async #transfer(way, { direction, streams, bytes }) {
    await this.#ask(way, 'open', { asked: { way: way.name, streams }, what: direction })
    await this.sides.expect(direction === 'upload' ? bytes : 0)
    /** @type {Transferred} */
    const moved = await this.#ask(way, 'move', { asked: { direction, bytes }, what: direction })
    const served = await this.sides.count(counts => {
      const counted = direction === 'upload' ? counts.receivedBytes : counts.sentBytes
      return counted === undefined || counted === bytes
    })
    await this.#ask(way, 'shut', { asked: {}, what: direction })
    const counted = direction === 'upload' ? served.receivedBytes : served.sentBytes
    if (moved.bytes !== bytes || (counted !== undefined && counted !== bytes))
      throw new TransferError(
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

  /**
   * What goes wrong names the way.
   *
   * @param {Way} way
   * @param {string} method
   * @param {{ asked: object, timeouts?: number, what?: string }} how
   */
  async #ask({ name }, method, { asked, timeouts, what = method }) {
    try {
      return await this.sides.ask(method, asked, timeouts)
    } catch (cause) {
      const { code = 'TRANSFER_BROKEN', message } = /** @type {Error & { code?: string }} */ (cause)
      if (code === 'WORKER_DIED') throw cause
      throw new TransferError(typeof code === 'string' ? code : 'TIMEOUT', `${name}, ${what}: ${message}`)
    }
  }
}
