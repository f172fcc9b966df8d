import { setTimeout as sleep } from 'node:timers/promises'
import { counted, grouped } from '../../../kit/numbers.js'
import { judgeAll } from '../../../result/thresholds/judge.js'
import { execute } from '../../execute.js'
import { namespaceWarnings } from '../../namespaces/namespace-warnings.js'
import { recordsOf } from '../../phases.js'
import { documentAround, Run } from '../../run.js'
import { TRANSFER_FIGURES } from '../figures.js'
import { casesOf } from '../measure/cases.js'
import { orderOf, roundsOf } from '../plan/rounds.js'
import { isTraced, transferPlan } from '../transfer-plan.js'
import { TransferError } from './receiving.js'
import { Sides } from './sides.js'
import { transferSpans } from './transfer-spans.js'

/**
 * @typedef {import('./sides.js').Moved} Moved
 * @typedef {NonNullable<import('../transfer-plan.js').TransferOutcome['blockTimes']>[number]} BlockTime
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
 * @typedef {import('../transfer-plan.js').TransferOutcome} TransferOutcome
 * @typedef {import('./file-tree.js').FileTree} FileTree
 *
 * @typedef {Round & { way: Way, repeat: number }} Place - of a repeat in the run
 */

/** TransferLog keeps what was measured: a row for each repeat of a way, and one for each transfer. */
export class TransferLog {
  /** @type {FileTree[]} */
  files = []
  /** @type {Batch[]} */
  batches = []
  /** @type {Transfer[]} */
  transfers = []
  /** @type {TransferOutcome['waiting']} */
  waiting = []
  /** @type {NonNullable<TransferOutcome['blockTimes']>} */
  blockTimes = []
  /** @type {NonNullable<TransferOutcome['memory']>} */
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

/** @param {TransferPlan} plan @param {Most | null} most @returns {TransferOutcome['limits']} */
const limitsOf = (plan, most) =>
  most && {
    inProgressRequests: { limit: plan.maxInProgressRequests, most: most.inProgressRequests },
    memoryPerPeerBytes: { limit: plan.maxMemoryPerPeerBytes, most: most.memoryPerPeerBytes },
    memoryTotalBytes: { limit: plan.maxMemoryTotalBytes, most: most.memoryTotalBytes },
    waitingRequests: most.waitingRequests
  }

/**
 * transferResult is everything known of a run so far.
 *
 * @param {TransferPlan} plan
 * @param {TransferLog} measuredSoFar
 * @param {{ header: import('../../run-header.js').RunHeader, most: Most | null, settings: import('../../../libp2p/node-settings.js').Settings,
 *   joined: () => import('./sides.js').RoundFigures[] }} known
 */
export function transferResult(plan, measuredSoFar, { header, most, joined, settings }) {
  const { files, batches, transfers, waiting, blockTimes, memory } = measuredSoFar
  const measured = {
    files,
    leftOut: [...plan.leftOut],
    limits: limitsOf(plan, most),
    line: plan.network === 'namespaces' ? LINKS : LINE,
    ...(plan.network === 'namespaces' && { namespaces: joined() }),
    settings,
    cases: casesOf({ ...plan, rounds: roundsOf(plan) }, { batches, transfers }),
    batches: [...batches],
    transfers: [...transfers],
    waiting: [...waiting],
    blockTimes: plan.blockDiagnostics ? [...blockTimes] : null,
    memory: plan.memorySnapshots === 'none' ? null : [...memory]
  }
  const thresholds = judgeAll(
    plan.thresholds,
    /** @type {any} */ (measured),
    TRANSFER_FIGURES,
    header.brokeOff
  )
  return {
    ...header.ending(),
    scenario: 'transfer',
    plan,
    outcome: { ...measured, thresholds },
    run: header.run([], (measured.namespaces ?? []).flatMap(namespaceWarnings))
  }
}

/**
 * @typedef {import('../../../result/types.js').Record_} Record_
 */

const PACKAGES = [
  'libp2p',
  '@libp2p/tcp',
  '@libp2p/noise',
  '@libp2p/yamux',
  'ipfs-unixfs-importer',
  '@ipld/car'
]

/** The connection of a process that died breaks a moment before its end is known. */
const DEATH_IS_KNOWN_MS = 300

/** @param {Way} way @param {Error & { code?: string }} error - of a process, which tells by its code whether it timed out */
const asTransferError = (way, error) =>
  error instanceof TransferError
    ? error
    : new TransferError(
        error.code === 'TIMEOUT' ? 'TRANSFER_TIMEOUT' : 'TRANSFER_BROKEN',
        `${way} failed: ${error.message || 'the connection broke'}`
      )

/**
 * TransferRun is one run with what it has started; its methods are the phases.
 *
 * @extends {Run<import('../../run.js').RunDocument>}
 */
export class TransferRun extends Run {
  #plan
  #known
  #measured
  #sides
  #fleet
  #to
  /** @type {import('./trace-log.js').TraceLog | null} */
  #traces = null

  /**
   * @param {TransferPlan} plan
   * @param {import('../../scenario.js').RunOptions} options
   * @param {(record: Record_) => void} emit
   */
  constructor(plan, { id, folder, signal, fleet }, emit) {
    const measured = new TransferLog()
    const known = {
      most: /** @type {Awaited<ReturnType<Sides['most']>> | null} */ (null),
      settings: /** @type {import('../../../libp2p/node-settings.js').Settings} */ ({}),
      joined: () => this.#sides.rounds.figures
    }
    super({
      emit,
      signal,
      documentOf: documentAround({ id, plan, packages: PACKAGES }, header =>
        transferResult(plan, measured, { header, ...known })
      )
    })
    this.#plan = plan
    this.#known = known
    this.#measured = measured
    this.#to = {
      runId: id,
      folder: plan.traces && folder !== undefined ? folder : null,
      otlpEndpoint: plan.otlpEndpoint
    }
    this.#sides = new Sides(plan, error => this.trouble.raise(error), fleet)
    this.#fleet = fleet
    this.document.header.fleet = fleet
  }

  /** @override */
  begin() {
    super.begin()
    // files that do not reach a requestor end a run
    this.#fleet?.watch({
      onBusLost: error => this.trouble.raise(error),
      onLost: ({ error }) => this.trouble.raise(error)
    })
  }

  /** setup starts the provider and the requestors. */
  setup() {
    return this.phases.guarded('setup', () => this.#sides.start())
  }

  /** make makes the files. */
  make() {
    return this.phases.guarded('files', async () => {
      this.#measured.files = await this.#sides.make()
      this.#traces = await this.#openTraces()
      const blocks = this.#measured.files.reduce((sum, file) => sum + file.blocks, 0)
      return `${counted(this.#measured.files.length, 'file')}, ${counted(blocks, 'block')}`
    })
  }

  /** warmUp moves the files once by each way, without a line, between namespaces over that of the first round; that is not counted. */
  warmUp() {
    return this.phases.guarded('warmup', async () => {
      const round = { latencyMs: 0, bytesPerSecond: null }
      for (const way of this.#plan.ways)
        await this.#move(way, { round, name: `warmup/${way}`, curves: false })
      this.#known.settings = await this.#sides.settings()
    })
  }

  measure() {
    return this.phases.guarded('measure', async () => {
      const repeats = this.#repeats()
      await this.#sides.rounds.begin()
      for (const [done, { way, round, repeat }] of repeats.entries()) {
        this.log.progress({ phase: 'measure', done, total: repeats.length, unit: 'repeats' })
        await this.#sides.rounds.go(round)
        const moved = await this.#move(way, { round, name: `${done}`, curves: repeat === 0 })
        const place = { way, ...round, repeat }
        this.#measured.add(place, moved)
        await this.#traces?.add(transferSpans(place, moved, this.#measured.files))
        await this.#expectWhole()
        if (way === repeats[done + 1]?.way || done % this.#plan.ways.length === 0) this.phases.emitPartial()
      }
      return `${grouped(this.#measured.transfers.length)} transfers`
    })
  }

  cooldown() {
    return this.phases.guarded('cooldown', async () => {
      this.#known.most = await this.#sides.most()
      await this.#sides.rounds.over()
      await this.#fleet?.settle()
      this.document.header.completed()
    })
  }

  teardown() {
    return this.log.phase('teardown', async () => {
      await this.#sides.stop({ failed: !this.document.header.complete })
      await this.#closeTraces()
      return {}
    })
  }

  async #openTraces() {
    if (!isTraced(this.#plan)) return null
    const { TraceLog } = await import('./trace-log.js')
    return new TraceLog(this.#to)
  }

  async #closeTraces() {
    await this.#traces?.close()
    if (this.#traces?.lost) this.log.warn('SPANS_LOST', this.#traces.lost)
  }

  /** @returns {{ way: Way, round: Round, repeat: number }[]} in their order */
  #repeats() {
    return roundsOf(this.#plan).flatMap((round, index) =>
      orderOf(this.#plan, index).flatMap((ways, repeat) => ways.map(way => ({ way, round, repeat })))
    )
  }

  /** @param {Way} way @param {{ round: Round, name: string, curves: boolean }} what */
  async #move(way, { round, name, curves }) {
    const { security, transport, concurrency } = this.#plan
    const between = this.#sides.between(round)
    try {
      return await this.#sides.move(way, {
        files: this.#measured.files,
        settings: { ...between, security, transport, connections: concurrency },
        name,
        curves
      })
    } catch (error) {
      await sleep(DEATH_IS_KNOWN_MS)
      throw this.trouble.error ?? asTransferError(way, /** @type {Error} */ (error))
    }
  }

  /** A transfer that failed ends the run: what it measured until then is kept. */
  async #expectWhole() {
    const failed = this.#measured.transfers.find(({ outcome }) => outcome !== 'OK')
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

/**
 * runTransfer moves files by a plan. It never throws for what goes wrong with the run: the last record is always the result, whose
 * `status` and `reason` tell.
 *
 * @type {import('../../scenario.js').Run}
 */
export const runTransfer = (plan, options) =>
  recordsOf(emit =>
    execute(new TransferRun(transferPlan(plan), options, emit), async run => {
      await run.setup()
      await run.make()
      await run.warmUp()
      await run.measure()
      await run.cooldown()
    })
  )
