// Runs a transfer plan in rounds, of files or of zeros, and collects the measurements and trace spans.
import { setTimeout as sleep } from 'node:timers/promises'
import { computeSum, median } from '../../../kit/collections.js'
import { formatCount, formatWhole } from '../../../kit/numbers.js'
import { executeRun, generateRecords } from '../../../run/run.js'
import { computeQuartiles, makeCases, makeHandshakeRow, makeZerosRows } from '../figures.js'
import {
  asTransferPlan,
  isTraced,
  listProtocols,
  listRounds,
  makeOrder,
  makeTurn,
  movesFiles,
  PROTOCOLS,
  TransferError
} from '../plan/transfer-plan.js'
import { TransferRun } from './transfer-processes.js'

/**
 * runTransfer moves bytes by a plan. It never throws for what goes wrong with the run: the last record is always the result, whose
 * `status` and `reason` tell.
 *
 * @type {import('../../index.js').Run}
 */
export const runTransfer = (asked, options) => {
  const plan = asTransferPlan(asked)
  return generateRecords(emit =>
    executeRun(new (movesFiles(plan) ? FileRun : ZerosRun)(plan, options, emit), run => run.work())
  )
}

/**
 * @typedef {import('./transfer-processes.js').MoveSummary} MoveSummary
 * @typedef {NonNullable<import('../plan/transfer-plan.js').FilesOutcome['blockTimes']>[number]} BlockTime
 */

/** More blocks of a protocol in a round have no times of their own. */
const MAX_BLOCKS = 2000

/**
 * mergeBlockTimes merges the times at which each block was queued, sent, received and stored. Both sides read the same clock of the host.
 *
 * @param {RepeatKey} place
 * @param {MoveSummary} moved
 * @returns {BlockTime[]} in the order they were queued
 */
function mergeBlockTimes({ way, latencyMs, bytesPerSecond }, { provision, fetchings }) {
  /** @type {Map<string, BlockTime>} */
  const blocks = new Map()
  const events = [...provision.blockEvents, ...fetchings.flatMap(({ blockEvents }) => blockEvents)]
  for (const { transfer, cid, event, atNs } of events) {
    const key = `${transfer} ${cid}`
    const known = blocks.get(key)
    if (known === undefined && blocks.size >= MAX_BLOCKS) continue
    const none = { queuedMs: null, sentMs: null, receivedMs: null, storedMs: null }
    const block = known ?? { way, latencyMs, bytesPerSecond, transfer, cid, ...none }
    block[/** @type {'queuedMs'} */ (`${event}Ms`)] = Number(atNs - provision.beganNs) / 1e6
    blocks.set(key, block)
  }
  return [...blocks.values()]
}

/**
 * @typedef {import('../plan/transfer-plan.js').ProtocolSetup} ProtocolSetup
 * @typedef {import('../plan/transfer-plan.js').Round} Round
 * @typedef {import('../plan/transfer-plan.js').Batch} Batch
 * @typedef {import('../plan/transfer-plan.js').Transfer} Transfer
 * @typedef {import('../plan/transfer-plan.js').FilesOutcome} FilesOutcome
 * @typedef {import('./file-tree.js').FileTree} FileTree
 *
 * @typedef {Round & { way: import('../plan/transfer-plan.js').Protocol, repeat: number }} RepeatKey - of a repeat in the run
 */

/** FileLog collects the measurements of files: a row for each repeat of a protocol, a row for each transfer. */
export class FileLog {
  /** @type {FileTree[]} */
  files = []
  /** @type {Batch[]} */
  batches = []
  /** @type {Transfer[]} */
  transfers = []
  /** @type {FilesOutcome['waiting']} */
  waiting = []
  /** @type {NonNullable<FilesOutcome['blockTimes']>} */
  blockTimes = []
  /** @type {NonNullable<FilesOutcome['memory']>} */
  memory = []

  /** add adds a repeat. @param {RepeatKey} place @param {MoveSummary} moved */
  add(place, moved) {
    const { cpuMs, wallMs, peakBytes, waiting, memory } = moved.provision
    this.batches.push({
      ...place,
      payloadBytes: computeSum(this.files, ({ sizeBytes }) => sizeBytes),
      provider: { cpuMs, wallMs, peakBytes },
      requestors: moved.fetchings.map(fetching => ({
        cpuMs: fetching.cpuMs,
        wallMs: fetching.wallMs,
        peakBytes: fetching.peakBytes,
        connectMs: fetching.connectMs,
        roundTripMs: fetching.roundTripMs,
        spanMs: Number.isNaN(fetching.spanMs) ? null : fetching.spanMs,
        wireBytes: fetching.wireBytes
      }))
    })
    if (place.repeat === 0) {
      const { way, latencyMs, bytesPerSecond } = place
      if (waiting.some(([, requests]) => requests > 0))
        this.waiting.push({ way, latencyMs, bytesPerSecond, points: waiting })
      this.blockTimes.push(...mergeBlockTimes(place, moved))
    }
    const readings = [
      ...memory.map(reading => ({ ...place, side: 'provider', ...reading })),
      ...moved.fetchings.flatMap(({ memory }, i) =>
        memory.map(reading => ({ ...place, side: `requestor ${i}`, ...reading }))
      )
    ]
    for (const reading of readings) this.memory.push(reading)
    this.#addTransfers(place, moved)
  }

  /** @param {RepeatKey} place @param {MoveSummary} moved */
  #addTransfers(place, { provision, fetchings }) {
    const waits = new Map(provision.served.map(({ transfer, waitMs }) => [transfer, waitMs]))
    for (const [requestor, { fetched, wireBytes }] of fetchings.entries())
      for (const [file, { transfer, totalMs, curve, ...each }] of fetched.entries()) {
        const { sizeBytes } = this.files[file]
        this.transfers.push({
          ...place,
          requestor,
          file,
          outcome: each.outcome,
          error: each.error,
          waitMs: waits.get(transfer) ?? null,
          firstByteMs: each.firstByteMs,
          totalMs,
          goodput: totalMs === null ? null : sizeBytes / (totalMs / 1000),
          // simultaneous transfers share their connections
          wirePerByte:
            totalMs === null || wireBytes === null ? null : wireBytes / (sizeBytes * fetched.length),
          blocks: each.blocks,
          ...(place.repeat === 0 && { curve })
        })
      }
  }
}

/**
 * @typedef {import('../plan/transfer-plan.js').TransferPlan} TransferPlan
 * @typedef {Awaited<ReturnType<import('./transfer-processes.js').TransferProcesses['most']>>} Limits - the highest values that were reached
 */

/** How latencies and bandwidths are emulated on loopback. */
const LOOPBACK_LINE = {
  at: 'the socket: TCP sees loopback, its windows and handshake are not part of it',
  slowStart: false
}
/** How they are emulated between network namespaces. */
const NAMESPACE_LINKS = {
  at: 'links between network namespaces: all of TCP of the kernel goes over them',
  slowStart: true
}

/** @param {TransferPlan} plan @param {Limits | null} most @returns {FilesOutcome['limits']} */
const makeLimits = (plan, most) =>
  most && {
    inProgressRequests: { limit: plan.maxInProgressRequests, most: most.inProgressRequests },
    memoryPerPeerBytes: { limit: plan.maxMemoryPerPeerBytes, most: most.memoryPerPeerBytes },
    memoryTotalBytes: { limit: plan.maxMemoryTotalBytes, most: most.memoryTotalBytes },
    waitingRequests: most.waitingRequests
  }

const PACKAGES = [
  'libp2p',
  '@libp2p/tcp',
  '@libp2p/noise',
  '@libp2p/yamux',
  'ipfs-unixfs-importer',
  '@ipld/car'
]

/** The connection of a process that died breaks a moment before its exit is known. */
const EXIT_IS_KNOWN_MS = 300

/** @param {ProtocolSetup} way @param {Error & { code?: string }} error - of a process */
const toTransferError = ({ name }, error) =>
  error instanceof TransferError
    ? error
    : new TransferError(
        error.code === 'TIMEOUT' ? 'TRANSFER_TIMEOUT' : 'TRANSFER_BROKEN',
        `${name} failed: ${error.message || 'the connection broke'}`
      )

/** FileRun is one run that moves files; its methods are the phases. */
class FileRun extends TransferRun {
  #files = new FileLog()
  /** @type {Limits | null} */
  #limits = null
  /** @type {import('../../../libp2p/node-settings.js').LibrarySettings} */
  #settings = {}
  #tracesTo
  /** @type {import('./trace-log.js').TraceLog | null} */
  #traces = null

  /**
   * @param {TransferPlan} plan
   * @param {import('../../index.js').RunOptions} options
   * @param {(record: import('../../../report/schema.js').RunRecord) => void} emit
   */
  constructor(plan, options, emit) {
    super(plan, options, { emit, packages: PACKAGES })
    const { id: runId, folder } = options
    this.#tracesTo = {
      runId,
      folder: plan.traces && folder !== undefined ? folder : null,
      otlpEndpoint: plan.otlpEndpoint
    }
  }

  /** @override @type {TransferRun['outcome']} */
  outcome(namespaces) {
    const { plan } = this
    const { files, batches, transfers, waiting, blockTimes, memory } = this.#files
    return {
      files,
      leftOut: [...plan.leftOut],
      limits: makeLimits(plan, this.#limits),
      line: namespaces === undefined ? LOOPBACK_LINE : NAMESPACE_LINKS,
      ...(namespaces && { namespaces }),
      settings: this.#settings,
      cases: makeCases({ ...plan, rounds: listRounds(plan) }, { batches, transfers }),
      batches: [...batches],
      transfers: [...transfers],
      waiting: [...waiting],
      blockTimes: plan.blockDiagnostics ? [...blockTimes] : null,
      memory: plan.memorySnapshots === 'none' ? null : [...memory]
    }
  }

  async work() {
    await this.setup()
    await this.#make()
    await this.#warmUp()
    await this.#measure()
    await this.#cooldown()
  }

  #make() {
    return this.phases.guarded('files', async () => {
      const files = await this.sides.make()
      this.#files.files = files
      if (isTraced(this.plan)) {
        const { TraceLog } = await import('./trace-log.js')
        this.#traces = new TraceLog(this.#tracesTo)
      }
      const blocks = computeSum(files, file => file.blocks)
      return `${formatCount(files.length, 'file')}, ${formatCount(blocks, 'block')}`
    })
  }

  /**
   * The files move once over each protocol, which is not measured. There is no line then; between namespaces, the links are those of the
   * first round.
   */
  #warmUp() {
    return this.phases.guarded('warmup', async () => {
      const round = { latencyMs: 0, bytesPerSecond: null }
      for (const way of listProtocols(this.plan))
        await this.#move(way, { round, name: `warmup/${way.name}`, curves: false })
      this.#settings = await this.sides.settings()
    })
  }

  #measure() {
    return this.phases.guarded('measure', async () => {
      const log = this.#files
      const ways = listProtocols(this.plan)
      const repeats = listRounds(this.plan).flatMap((round, index) =>
        makeOrder(ways, this.plan, index).flatMap((ways, repeat) => ways.map(way => ({ way, round, repeat })))
      )
      await this.sides.rounds.joined.begin()
      for (const [done, { way, round, repeat }] of repeats.entries()) {
        this.log.progress({ phase: 'measure', done, total: repeats.length, unit: 'repeats' })
        await this.sides.rounds.go(round)
        const moved = await this.#move(way, { round, name: `${done}`, curves: repeat === 0 })
        const place = { way: way.protocol, ...round, repeat }
        log.add(place, moved)
        await this.#traces?.add(makeTransferSpans(place, moved, log.files))
        await this.#expectWhole()
        if (way === repeats[done + 1]?.way || done % ways.length === 0) this.phases.emitPartial()
      }
      return `${formatWhole(log.transfers.length)} transfers`
    })
  }

  #cooldown() {
    return this.phases.guarded('cooldown', async () => {
      this.#limits = await this.sides.most()
      await this.measured()
    })
  }

  /** @override */
  async ended() {
    await this.#traces?.close()
    if (this.#traces?.lost) this.log.warn('SPANS_LOST', this.#traces.lost)
  }

  /** @param {ProtocolSetup} way @param {{ round: Round, name: string, curves: boolean }} what */
  async #move(way, { round, name, curves }) {
    const { transport, concurrency: connections } = this.plan
    const settings = { ...this.sides.between(round), way, transport, connections }
    try {
      return await this.sides.move({ files: this.#files.files, settings, name, curves })
    } catch (error) {
      await sleep(EXIT_IS_KNOWN_MS)
      throw this.failure.error ?? toTransferError(way, /** @type {Error} */ (error))
    }
  }

  /** A failed transfer ends the run; its measurements until then are kept. */
  async #expectWhole() {
    const failed = this.#files.transfers.find(({ outcome }) => outcome !== 'OK')
    if (failed === undefined) return
    await sleep(EXIT_IS_KNOWN_MS)
    const { way, latencyMs, outcome, error, requestor, file } = failed
    throw (
      this.failure.error ??
      new TransferError(
        `TRANSFER_${outcome}`,
        `file ${file} did not reach requestor ${requestor} by ${way} at ${latencyMs} ms: ${error}`
      )
    )
  }
}

/**
 * @typedef {import('../plan/transfer-plan.js').ZerosOutcome} ZerosOutcome
 * @typedef {import('./requestors.js').TransferRequest} TransferRequest
 * @typedef {import('./requestors.js').TransferSummary} TransferSummary
 *
 * @typedef {{ openMs: number, exchangeMs: number }} Exchange
 * @typedef {import('../figures.js').HandshakeRepeat} HandshakeRepeat
 */

const PACKAGES_2 = ['libp2p-2', '@libp2p-2/noise', '@libp2p-2/yamux']

/**
 * @typedef {object} ZerosLog - measurements of a round of zeros
 * @property {Round} round
 * @property {ZerosOutcome['transfers'][number][]} transfers
 * @property {Map<string, Exchange[]>} exchanges - of --exchanges, by protocol
 * @property {Record<string, number>} roundTrips - medians of exchanges on an idle connection, ms, by protocol
 * @property {Map<string, HandshakeRepeat[]>} handshakes - of each repeat, by protocol
 */

/** makeZerosLog makes the log of a round. @param {Round} round @returns {ZerosLog} */
export const makeZerosLog = round => ({
  round,
  transfers: [],
  exchanges: new Map(),
  roundTrips: {},
  handshakes: new Map()
})

/**
 * makeZerosOutcome makes the outcome of a run from the logs of its rounds.
 *
 * @param {TransferPlan} plan
 * @param {readonly ZerosLog[]} logs
 * @param {Pick<ZerosOutcome, 'settings' | 'measuredMs' | 'namespaces'>} run
 * @returns {Omit<ZerosOutcome, 'thresholds'>}
 */
export const makeZerosOutcome = (plan, logs, { settings, measuredMs, namespaces }) =>
  /** @type {any} */ ({
    target: plan.target,
    settings,
    ways: listProtocols(plan).map(({ name, protocol }) => ({ name, kind: protocol })),
    transfers: logs.flatMap(({ transfers }) => transfers),
    rows: logs.flatMap(log => makeZerosRows(plan, log)),
    latency: logs.flatMap(({ round, exchanges }) =>
      [...exchanges].map(([way, times]) => ({
        round,
        way,
        open: computeQuartiles(times.map(({ openMs }) => openMs)),
        exchange: computeQuartiles(times.map(({ exchangeMs }) => exchangeMs)),
        both: computeQuartiles(times.map(({ openMs, exchangeMs }) => openMs + exchangeMs))
      }))
    ),
    handshakes: logs.flatMap(({ round, handshakes, roundTrips }) =>
      [...handshakes].map(([way, repeats]) => ({
        round,
        ...makeHandshakeRow(way, repeats, plan, roundTrips[way])
      }))
    ),
    measuredMs,
    ...(namespaces && { namespaces })
  })

/** Enough for the code of both ends to be compiled. */
const WARMUP_BYTES = 8 << 20
const IDLE_EXCHANGES = 20
const DIRECTIONS = /** @type {const} */ (['upload', 'download'])

/** ZerosRun is one run that moves zeros, exchanges bytes and opens connections; its methods are the phases. */
class ZerosRun extends TransferRun {
  /** @type {ZerosLog[]} of the rounds so far */
  #logs = []
  /** Settings of our own nodes. @type {import('../../../libp2p/node-settings.js').LibrarySettings} */
  #settings = {}
  #measuredMs = 0
  #directions

  /**
   * @param {TransferPlan} plan
   * @param {import('../../index.js').RunOptions} options
   * @param {(record: import('../../../report/schema.js').RunRecord) => void} emit
   */
  constructor(plan, options, emit) {
    const packages = plan.stack.flatMap(name =>
      name === 'libp2p-2' ? PACKAGES_2 : ['libp2p', '@libp2p/noise', '@libp2p/yamux']
    )
    super(plan, options, { emit, packages })
    this.#directions = DIRECTIONS.filter(direction => plan.measures.includes(direction))
  }

  /** @override @type {TransferRun['outcome']} */
  outcome(namespaces) {
    const run = {
      settings: this.#settings,
      measuredMs: this.#measuredMs,
      namespaces: /** @type {any} */ (namespaces)
    }
    return makeZerosOutcome(this.plan, this.#logs, run)
  }

  async work() {
    await this.setup(this.plan.target ?? 'a process for each side')
    await this.#warmUp()
    await this.#measure()
  }

  /** The log of the current round. */
  get #log() {
    return this.#logs[this.#logs.length - 1]
  }

  /** The connections of all protocols are opened anew for a round. @param {Round} round */
  async #begin(round) {
    this.#logs.push(makeZerosLog(round))
    await this.sides.rounds.go(round)
    await this.sides.meet(round)
  }

  /** @param {ProtocolSetup} way */
  async #roundTrip(way) {
    // mplex has no window, to which the round trip would matter
    if (way.muxer === 'mplex') return
    const asked = { way: way.name, count: IDLE_EXCHANGES }
    /** @type {Exchange[]} */
    const idle = await this.#ask(way, 'exchanges', { asked, timeouts: IDLE_EXCHANGES })
    this.#log.roundTrips[way.name] = median(idle.map(({ exchangeMs }) => exchangeMs))
  }

  /** Each protocol once: its code is compiled, and its round trip is measured. */
  #warmUp() {
    return this.phases.guarded('warmup', async () => {
      await this.#begin(listRounds(this.plan)[0])
      const { sizeBytes, streams } = this.plan
      const bytes = Math.min(WARMUP_BYTES, sizeBytes)
      for (const way of listProtocols(this.plan)) {
        for (const direction of this.#directions)
          await this.#transfer(way, { direction, streams: streams[0], bytes })
        await this.#roundTrip(way)
      }
      this.#settings = await this.sides.settings()
    })
  }

  async #measure() {
    const beganMs = performance.now()
    const { measures, repeats } = this.plan
    await this.failure.guard(this.sides.rounds.joined.begin())
    for (const [index, round] of listRounds(this.plan).entries()) {
      if (index > 0) await this.failure.guard(this.#next(round))
      if (this.#directions.length > 0) await this.#repeated('measure', i => this.#transfers(i))
      if (measures.includes('latency')) await this.#repeated('latency', i => this.#latency(i))
      if (measures.includes('handshakes')) await this.#repeated('handshakes', i => this.#handshakes(i))
    }
    this.#measuredMs = performance.now() - beganMs
    await this.failure.guard(this.measured())
    this.log.progress({ phase: 'measure', done: repeats, total: repeats, unit: 'repeats' })
  }

  /** @param {Round} round */
  async #next(round) {
    await this.#begin(round)
    for (const way of listProtocols(this.plan)) await this.#roundTrip(way)
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
        for (const way of makeTurn(listProtocols(this.plan), this.plan.seed, repeat)) {
          const moved = await this.#transfer(way, { direction, streams: count, bytes: sizeBytes })
          const { round, transfers } = this.#log
          transfers.push({ round, way: way.name, direction, streams: count, repeat, ...moved })
        }
  }

  /** @param {number} repeat */
  async #latency(repeat) {
    const { exchanges: count } = this.plan
    for (const way of makeTurn(listProtocols(this.plan), this.plan.seed, repeat)) {
      const asked = { way: way.name, count }
      const exchanges = await this.#ask(way, 'exchanges', { asked, timeouts: count })
      const { exchanges: all } = this.#log
      all.set(way.name, [...(all.get(way.name) ?? []), ...exchanges])
    }
  }

  /** @param {number} repeat */
  async #handshakes(repeat) {
    const { handshakeForMs, timeoutMs } = this.plan
    const ways = listProtocols(this.plan).filter(({ protocol }) => PROTOCOLS[protocol].handshake)
    for (const way of makeTurn(ways, this.plan.seed, repeat)) {
      await this.sides.expect(0)
      const timeouts = 1 + Math.ceil(handshakeForMs / timeoutMs)
      const handshakes = await this.#ask(way, 'handshakes', { asked: { way: way.name }, timeouts })
      const { cpuMicros: serverCpuMicros = null } = await this.sides.count()
      const { handshakes: all } = this.#log
      all.set(way.name, [...(all.get(way.name) ?? []), { ...handshakes, serverCpuMicros }])
      if (handshakes.failed === handshakes.due)
        throw new TransferError(
          'HANDSHAKES_FAILED',
          `${way.name}: no handshake succeeded: ${handshakes.failure}`
        )
    }
  }

  /**
   * Both ends count only while bytes move, not while streams are opened and closed.
   *
   * @param {ProtocolSetup} way
   * @param {Omit<TransferRequest, 'way'>} what
   */
  async #transfer(way, { direction, streams, bytes }) {
    const isUpload = direction === 'upload'
    await this.#ask(way, 'open', { asked: { way: way.name, streams }, what: direction })
    await this.sides.expect(isUpload ? bytes : 0)
    /** @type {TransferSummary} */
    const moved = await this.#ask(way, 'move', { asked: { direction, bytes }, what: direction })
    const countedOf = (/** @type {Partial<import('./provider.js').ZerosCount>} */ counts) =>
      isUpload ? counts.receivedBytes : counts.sentBytes
    const served = await this.sides.count(counts => (countedOf(counts) ?? bytes) === bytes)
    await this.#ask(way, 'shut', { asked: {}, what: direction })
    const counted = countedOf(served)
    if (moved.bytes !== bytes || (counted ?? bytes) !== bytes)
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
      steadyBytesPerSecond: steadyBytesPerSecond ?? (isUpload ? (served.steadyBytesPerSecond ?? null) : null),
      clientCpuMs: cpuMicros / 1000,
      serverCpuMs: served.cpuMicros === undefined ? null : served.cpuMicros / 1000,
      clientRssBytes: rssBytes,
      serverRssBytes: served.rssBytes ?? null
    }
  }

  /**
   * Errors name the protocol.
   *
   * @param {ProtocolSetup} way
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

/**
 * @typedef {MoveSummary['fetchings'][number]} Fetching
 *
 * @typedef {{ name: string, atNs: bigint, attributes?: Record<string, string | number> }} SpanEvent
 *
 * @typedef {object} SpanRecord - what a process did, on the clock of the host
 * @property {string} process - that did it
 * @property {string} name
 * @property {bigint} startNs
 * @property {bigint} endNs
 * @property {Record<string, string | number>} attributes
 * @property {SpanEvent[]} events
 * @property {string | null} error
 * @property {SpanRecord[]} children
 */

/** @param {bigint} startNs @param {number} ms */
const addMs = (startNs, ms) => startNs + BigInt(Math.round(ms * 1e6))

/** @param {readonly { transfer: string, cid: string, event: string, atNs: bigint }[]} events @param {string} transfer @returns {SpanEvent[]} */
const listBlockEvents = (events, transfer) =>
  events
    .filter(each => each.transfer === transfer)
    .map(({ cid, event, atNs }) => ({ name: `block ${event}`, atNs, attributes: { 'block.cid': cid } }))

/** @param {MoveSummary['provision']} provision @param {string} transfer @returns {SpanRecord[]} what the provider did for it */
const makeServeSpans = ({ served, blockEvents }, transfer) =>
  served
    .filter(each => each.transfer === transfer)
    .map(({ askedNs, endNs, waitMs }) => ({
      process: 'provider',
      name: 'serve',
      startNs: askedNs,
      endNs,
      attributes: { 'transfer.wait_ms': waitMs },
      events: [{ name: 'its turn', atNs: addMs(askedNs, waitMs) }, ...listBlockEvents(blockEvents, transfer)],
      error: null,
      children: []
    }))

/** @param {Fetching} fetching @param {{ requestor: number, files: readonly { root: string }[], provision: MoveSummary['provision'] }} of @returns {SpanRecord[]} a span for each file */
const makeFetchSpans = ({ fetched, blockEvents }, { requestor, files, provision }) =>
  fetched.map(({ transfer, askedNs, endNs, firstByteMs, outcome, error, blocks, storedBytes }, file) => ({
    process: `requestor ${requestor}`,
    name: 'fetch',
    startNs: askedNs,
    endNs,
    attributes: {
      'transfer.file': file,
      'transfer.root': files[file].root,
      'transfer.outcome': outcome,
      'transfer.blocks': blocks,
      'transfer.bytes': storedBytes
    },
    events: [
      { name: 'request', atNs: askedNs },
      ...(firstByteMs === null ? [] : [{ name: 'first byte', atNs: addMs(askedNs, firstByteMs) }]),
      ...listBlockEvents(blockEvents, transfer)
    ],
    error,
    children: makeServeSpans(provision, transfer)
  }))

/**
 * makeTransferSpans says what happened in a repeat of a way: a span of the run, with one for each transfer at its requestor, and in these
 * what the provider did for it.
 *
 * @param {RepeatKey} place
 * @param {MoveSummary} moved
 * @param {readonly { root: string }[]} files
 * @returns {SpanRecord}
 */
export function makeTransferSpans(
  { way, latencyMs, bytesPerSecond, repeat },
  { provision, fetchings },
  files
) {
  const fetches = fetchings.flatMap((fetching, requestor) =>
    makeFetchSpans(fetching, { requestor, files, provision })
  )
  const ends = fetches.map(({ endNs }) => endNs)
  return {
    process: 'libp2p-loadtest',
    name: `move by ${way}`,
    startNs: provision.beganNs,
    endNs: ends.reduce((last, end) => (end > last ? end : last), provision.beganNs),
    attributes: {
      'transfer.way': way,
      'transfer.repeat': repeat,
      'line.latency_ms': latencyMs,
      ...(bytesPerSecond === null ? {} : { 'line.bytes_per_second': bytesPerSecond })
    },
    events: [],
    error: fetches.find(({ error }) => error !== null)?.error ?? null,
    children: fetches
  }
}
