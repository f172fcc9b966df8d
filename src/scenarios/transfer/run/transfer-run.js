import { setTimeout as sleep } from 'node:timers/promises'
import { counted, grouped } from '../../../kit/numbers.js'
import { documentAround, Run } from '../../run.js'
import { orderOf } from '../plan/order.js'
import { roundsOf } from '../plan/rounds.js'
import { isTraced } from '../transfer-plan.js'
import { Sides } from './sides.js'
import { transferSpans } from './traces/transfer-spans.js'
import { TransferLog } from './transfer-log.js'
import { transferResult } from './transfer-result.js'
import { TransferError } from './walk.js'

/**
 * @typedef {import('../transfer-plan.js').TransferPlan} TransferPlan
 * @typedef {import('../transfer-plan.js').Round} Round
 * @typedef {import('../plan/ways.js').Way} Way
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
  /** @type {import('./traces/trace-log.js').TraceLog | null} */
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
    const { TraceLog } = await import('./traces/trace-log.js')
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
