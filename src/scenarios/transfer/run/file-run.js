import { setTimeout as sleep } from 'node:timers/promises'
import { counted, grouped } from '../../../kit/numbers.js'
import { judgeAll } from '../../../result/thresholds/judge.js'
import { namespaceWarnings } from '../../namespaces/namespace-warnings.js'
import { TRANSFER_FIGURES } from '../figures.js'
import { casesOf } from '../measure/cases.js'
import { orderOf, roundsOf } from '../plan/rounds.js'
import { waysOf } from '../plan/ways.js'
import { isTraced, TransferError } from '../transfer-plan.js'
import { SidesRun } from './sides-run.js'
import { transferSpans } from './transfer-spans.js'

/**
 * @typedef {import('./sides.js').Moved} Moved
 * @typedef {NonNullable<import('../transfer-plan.js').FilesOutcome['blockTimes']>[number]} BlockTime
 */

/** Of more blocks of a way in a round nobody looks at each. */
const MOST_BLOCKS = 2000

/**
 * blockTimesOf puts together when each block was queued, sent, received and stored. Both sides read the same clock of the host.
 *
 * @param {Place} place
 * @param {Moved['provision']} provision
 * @param {Moved['fetchings']} fetchings
 * @returns {BlockTime[]} in the order they were queued
 */
export function blockTimesOf({ way, latencyMs, bytesPerSecond }, provision, fetchings) {
  /** @type {Map<string, BlockTime>} */
  const blocks = new Map()
  const events = [...provision.blockEvents, ...fetchings.flatMap(({ blockEvents }) => blockEvents)]
  for (const { transfer, cid, event, atNs } of events) {
    const key = `${transfer} ${cid}`
    const known = blocks.get(key)
    if (known === undefined && blocks.size >= MOST_BLOCKS) continue
    const none = { queuedMs: null, sentMs: null, receivedMs: null, storedMs: null }
    const block = known ?? { way, latencyMs, bytesPerSecond, transfer, cid, ...none }
    block[/** @type {'queuedMs'} */ (`${event}Ms`)] = Number(atNs - provision.beganNs) / 1e6
    blocks.set(key, block)
  }
  return [...blocks.values()]
}

/**
 * @typedef {import('../plan/ways.js').Way} Way
 * @typedef {import('../transfer-plan.js').Round} Round
 * @typedef {import('../transfer-plan.js').Batch} Batch
 * @typedef {import('../transfer-plan.js').Transfer} Transfer
 * @typedef {import('../transfer-plan.js').FilesOutcome} FilesOutcome
 * @typedef {import('./file-tree.js').FileTree} FileTree
 *
 * @typedef {Round & { way: import('../plan/ways.js').Protocol, repeat: number }} Place - of a repeat in the run
 */

/** FileLog keeps what was measured: a row for each repeat of a way, and one for each transfer. */
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

  /** add keeps what a repeat came to. @param {Place} place @param {Moved} moved */
  add(place, { provision, fetchings }) {
    const payloadBytes = this.files.reduce((sum, { sizeBytes }) => sum + sizeBytes, 0)
    const { cpuMs, wallMs, peakBytes, served, waiting } = provision
    this.batches.push({
      ...place,
      payloadBytes,
      provider: { cpuMs, wallMs, peakBytes },
      requestors: fetchings.map(fetching => ({
        cpuMs: fetching.cpuMs,
        wallMs: fetching.wallMs,
        peakBytes: fetching.peakBytes,
        connectMs: fetching.connectMs,
        roundTripMs: fetching.roundTripMs,
        spanMs: Number.isNaN(fetching.spanMs) ? null : fetching.spanMs,
        wireBytes: fetching.wireBytes
      }))
    })
    if (place.repeat === 0 && waiting.some(([, requests]) => requests > 0)) {
      const { way, latencyMs, bytesPerSecond } = place
      this.waiting.push({ way, latencyMs, bytesPerSecond, points: waiting })
    }
    if (place.repeat === 0) this.blockTimes.push(...blockTimesOf(place, provision, fetchings))
    this.#addMemory(place, provision, fetchings)
    this.#addTransfers(place, fetchings, new Map(served.map(({ transfer, waitMs }) => [transfer, waitMs])))
  }

  /** @param {Place} place @param {Moved['provision']} provision @param {Moved['fetchings']} fetchings */
  #addMemory(place, provision, fetchings) {
    const sides = [
      { side: 'provider', memory: provision.memory },
      ...fetchings.map(({ memory }, i) => ({ side: `requestor ${i}`, memory }))
    ]
    for (const { side, memory } of sides)
      for (const reading of memory) this.memory.push({ ...place, side, ...reading })
  }

  /** @param {Place} place @param {Moved['fetchings']} fetchings @param {Map<string, number>} waits */
  #addTransfers(place, fetchings, waits) {
    for (const [requestor, { fetched, wireBytes }] of fetchings.entries())
      for (const [file, { transfer, curve, totalMs, storedBytes, ...each }] of fetched.entries()) {
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
          // transfers at once share their connections
          wirePerByte:
            totalMs === null || wireBytes === null ? null : wireBytes / (sizeBytes * fetched.length),
          blocks: each.blocks,
          ...(place.repeat === 0 ? { curve } : {})
        })
      }
  }
}

/**
 * @typedef {import('../transfer-plan.js').TransferPlan} TransferPlan
 * @typedef {Awaited<ReturnType<import('./sides.js').Sides['most']>>} Most
 */

/** How latencies and bandwidths come about. */
const LINE = {
  at: 'the socket: TCP sees loopback, its windows and handshake are not part of it',
  slowStart: false
}
/** Between network namespaces. */
const LINKS = {
  at: 'links between network namespaces: all of TCP of the kernel goes over them',
  slowStart: true
}

/** @param {TransferPlan} plan @param {Most | null} most @returns {FilesOutcome['limits']} */
const limitsOf = (plan, most) =>
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

/** FileDocument is everything known of a run so far. */
class FileDocument {
  #plan
  log = new FileLog()
  /** @type {Most | null} */
  most = null
  /** @type {import('../../../libp2p/node-settings.js').Settings} */
  settings = {}
  packages = PACKAGES

  /** @param {TransferPlan} plan */
  constructor(plan) {
    this.#plan = plan
  }

  /** @type {import('./sides-run.js').Measured['result']} */
  result(joined, header) {
    const plan = this.#plan
    const { files, batches, transfers, waiting, blockTimes, memory } = this.log
    const inNamespaces = plan.network === 'namespaces'
    const measured = {
      files,
      leftOut: [...plan.leftOut],
      limits: limitsOf(plan, this.most),
      line: inNamespaces ? LINKS : LINE,
      ...(inNamespaces && { namespaces: joined }),
      settings: this.settings,
      cases: casesOf({ ...plan, rounds: roundsOf(plan) }, { batches, transfers }),
      batches: [...batches],
      transfers: [...transfers],
      waiting: [...waiting],
      blockTimes: plan.blockDiagnostics ? [...blockTimes] : null,
      memory: plan.memorySnapshots === 'none' ? null : [...memory]
    }
    const figures = /** @type {any} */ (measured)
    const thresholds = judgeAll(plan.thresholds, figures, TRANSFER_FIGURES, header.brokeOff)
    return {
      outcome: { ...measured, thresholds },
      warnings: inNamespaces ? joined.flatMap(namespaceWarnings) : []
    }
  }
}

/** The connection of a process that died breaks a moment before its end is known. */
const DEATH_IS_KNOWN_MS = 300

/** @param {Way} way @param {Error & { code?: string }} error - of a process, which tells by its code whether it timed out */
const asTransferError = ({ name }, error) =>
  error instanceof TransferError
    ? error
    : new TransferError(
        error.code === 'TIMEOUT' ? 'TRANSFER_TIMEOUT' : 'TRANSFER_BROKEN',
        `${name} failed: ${error.message || 'the connection broke'}`
      )

/** FileRun is one run that moves files; its methods are the phases. */
export class FileRun extends SidesRun {
  #document
  #to
  /** @type {import('./trace-log.js').TraceLog | null} */
  #traces = null

  /**
   * @param {TransferPlan} plan
   * @param {import('../../scenario.js').RunOptions} options
   * @param {(record: import('../../../result/types.js').Record_) => void} emit
   */
  constructor(plan, options, emit) {
    const document = new FileDocument(plan)
    super(plan, options, { emit, measured: document })
    const { id, folder } = options
    this.#document = document
    this.#to = {
      runId: id,
      folder: plan.traces && folder !== undefined ? folder : null,
      otlpEndpoint: plan.otlpEndpoint
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
      this.#document.log.files = files
      this.#traces = await this.#openTraces()
      const blocks = files.reduce((sum, file) => sum + file.blocks, 0)
      return `${counted(files.length, 'file')}, ${counted(blocks, 'block')}`
    })
  }

  /** The files move once by each way, without a line, between namespaces over that of the first round; that is not counted. */
  #warmUp() {
    return this.phases.guarded('warmup', async () => {
      const round = { latencyMs: 0, bytesPerSecond: null }
      for (const way of waysOf(this.plan))
        await this.#move(way, { round, name: `warmup/${way.name}`, curves: false })
      this.#document.settings = await this.sides.settings()
    })
  }

  #measure() {
    return this.phases.guarded('measure', async () => {
      const { log } = this.#document
      const repeats = this.#repeats()
      await this.sides.rounds.begin()
      for (const [done, { way, round, repeat }] of repeats.entries()) {
        this.log.progress({ phase: 'measure', done, total: repeats.length, unit: 'repeats' })
        await this.sides.rounds.go(round)
        const moved = await this.#move(way, { round, name: `${done}`, curves: repeat === 0 })
        const place = { way: way.protocol, ...round, repeat }
        log.add(place, moved)
        await this.#traces?.add(transferSpans(place, moved, log.files))
        await this.#expectWhole()
        if (way === repeats[done + 1]?.way || done % this.plan.ways.length === 0) this.phases.emitPartial()
      }
      return `${grouped(log.transfers.length)} transfers`
    })
  }

  #cooldown() {
    return this.phases.guarded('cooldown', async () => {
      this.#document.most = await this.sides.most()
      await this.measured()
    })
  }

  /** @override */
  async ended() {
    await this.#traces?.close()
    if (this.#traces?.lost) this.log.warn('SPANS_LOST', this.#traces.lost)
  }

  async #openTraces() {
    if (!isTraced(this.plan)) return null
    const { TraceLog } = await import('./trace-log.js')
    return new TraceLog(this.#to)
  }

  /** @returns {{ way: Way, round: import('../transfer-plan.js').Round, repeat: number }[]} in their order */
  #repeats() {
    const ways = waysOf(this.plan)
    return roundsOf(this.plan).flatMap((round, index) =>
      orderOf(ways, this.plan, index).flatMap((ways, repeat) => ways.map(way => ({ way, round, repeat })))
    )
  }

  /** @param {Way} way @param {{ round: import('../transfer-plan.js').Round, name: string, curves: boolean }} what */
  async #move(way, { round, name, curves }) {
    const { transport, concurrency: connections } = this.plan
    const settings = { ...this.sides.between(round), way, transport, connections }
    try {
      return await this.sides.move({ files: this.#document.log.files, settings, name, curves })
    } catch (error) {
      await sleep(DEATH_IS_KNOWN_MS)
      throw this.trouble.error ?? asTransferError(way, /** @type {Error} */ (error))
    }
  }

  /** A transfer that failed ends the run: what it measured until then is kept. */
  async #expectWhole() {
    const failed = this.#document.log.transfers.find(({ outcome }) => outcome !== 'OK')
    if (failed === undefined) return
    await sleep(DEATH_IS_KNOWN_MS)
    const { way, latencyMs, outcome, error, requestor, file } = failed
    throw (
      this.trouble.error ??
      new TransferError(
        `TRANSFER_${outcome}`,
        `file ${file} did not reach requestor ${requestor} by ${way} at ${latencyMs} ms: ${error}`
      )
    )
  }
}
