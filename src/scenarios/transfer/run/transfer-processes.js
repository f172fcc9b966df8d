// Base class of a transfer run: its provider and requestor processes, with the links between them.
import { rm } from 'node:fs/promises'
import { setTimeout as sleep } from 'node:timers/promises'
import { omitMissing } from '../../../kit/collections.js'
import { makeTemporaryFolder } from '../../../kit/files.js'
import { mergeNodeSettings } from '../../../libp2p/node-settings.js'
import { judgeThresholds } from '../../../report/checks.js'
import { chooseListenAddress } from '../../../run/fleet.js'
import { makeRunDocument, Run } from '../../../run/run.js'
import { ProcessGroup, waitUntilLate } from '../../../run/workers.js'
import { readProcess } from '../../../target/target.js'
import { makeNetworkPlan, NamespaceRun } from '../../namespace-run.js'
import { makeNamespaceWarnings } from '../../router-figures.js'
import { makeHandshakeWarnings, TRANSFER_FIGURES } from '../figures.js'
import { listProtocols, listRounds, movesFiles, TransferError } from '../plan/transfer-plan.js'

/**
 * @typedef {import('../plan/transfer-plan.js').TransferPlan} TransferPlan
 *
 * TransferRun is one run with the processes that it has started.
 *
 * @extends {Run<import('../../../run/run.js').RunDocument>}
 */
export class TransferRun extends Run {
  #fleet

  /**
   * @param {TransferPlan} plan
   * @param {import('../../index.js').RunOptions} options
   * @param {{ emit: (record: import('../../../report/schema.js').RunRecord) => void, packages: readonly string[] }} more - `packages`: whose
   *   version can change the measurements
   */
  constructor(plan, { id, signal, fleet }, { emit, packages }) {
    super({
      emit,
      signal,
      documentOf: makeRunDocument({ id, plan, packages }, header => {
        const namespaces = plan.network === 'namespaces' ? this.sides.rounds.figures : undefined
        /** @type {any} */
        const measured = this.outcome(namespaces)
        const thresholds = judgeThresholds(plan.thresholds, measured, TRANSFER_FIGURES, header.brokeOff)
        const warnings = [
          ...(namespaces ?? []).flatMap(makeNamespaceWarnings),
          ...(measured.handshakes === undefined ? [] : makeHandshakeWarnings(measured.handshakes))
        ]
        const outcome = { ...measured, thresholds }
        return { ...header.ending(), scenario: 'transfer', plan, outcome, run: header.run([], warnings) }
      })
    })
    this.plan = plan
    this.sides = new TransferProcesses(plan, error => this.failure.raise(error), fleet)
    this.#fleet = fleet
    this.document.header.fleet = fleet
  }

  /**
   * outcome is what was measured so far, without thresholds.
   *
   * @param {RoundLinkFigures[] | undefined} _namespaces - figures of the links of each round; undefined: on loopback
   * @returns {object}
   */
  outcome(_namespaces) {
    return {}
  }

  /** @override */
  begin() {
    super.begin()
    this.#fleet?.watch({
      onBusLost: error => this.failure.raise(error),
      onLost: ({ error }) => this.failure.raise(error)
    })
  }

  /** setup starts the sides. @param {string} [detail] */
  setup(detail) {
    return this.phases.guarded('setup', async () => {
      await this.sides.start()
      return detail
    })
  }

  /** measured reads the figures of links and machines at the end of the measurement. */
  async measured() {
    await this.sides.rounds.joined.over()
    await this.#fleet?.settle()
    this.document.header.completed()
  }

  teardown() {
    return this.log.phase('teardown', async () => {
      await this.sides.stop({ failed: !this.document.header.complete })
      await this.ended()
      return {}
    })
  }

  /** ended closes what a kind of run has opened in addition. */
  async ended() {}
}

/**
 * @typedef {import('../plan/transfer-plan.js').Round} Round
 * @typedef {NonNullable<import('../plan/transfer-plan.js').FilesOutcome['namespaces']>[number]} RoundLinkFigures - figures of the links of a round
 */

/** RoundLinks are the links between the sides, which change from round to round: lines at sockets, or links between network namespaces. */
export class RoundLinks {
  #plan
  /** @type {Round} the current one */
  #round
  /** @type {RoundLinkFigures[]} */
  #past = []
  joined = new NamespaceRun()

  /** @param {TransferPlan} plan */
  constructor(plan) {
    this.#plan = plan
    this.#round = listRounds(plan)[0]
  }

  /** start makes the links of the first round. @param {(error: Error) => void} onTrouble */
  async start(onTrouble) {
    if (this.#plan.network === 'namespaces') await this.joined.start(this.#links(this.#round), onTrouble)
  }

  /** go changes the links to those of a round. Nothing may be sent meanwhile. @param {Round} round */
  async go(round) {
    const { joined } = this
    const { latencyMs, bytesPerSecond } = this.#round
    const isSame = latencyMs === round.latencyMs && bytesPerSecond === round.bytesPerSecond
    if (joined.network === null || isSame) return
    await joined.over()
    this.#past = this.figures
    this.#round = round
    await joined.network.relink(this.#links(round))
    await joined.begin()
  }

  /** settings are those of the connection between the sides. @param {Round} round @returns {import('./protocol.js').SideConnection} */
  settings(round) {
    const free = round.latencyMs === 0 && round.bytesPerSecond === null
    return { host: this.joined.host(0), line: free || this.joined.network !== null ? null : round }
  }

  /** figures are those of each round so far; without namespaces there are none. @returns {RoundLinkFigures[]} */
  get figures() {
    const { figures } = this.joined
    return figures === null ? this.#past : [...this.#past, { ...this.#round, ...figures }]
  }

  /** @param {Round} round */
  #links({ latencyMs, bytesPerSecond }) {
    const { seed, linkLossShare } = this.#plan
    const asked = {
      seed,
      linkLossShare,
      linkLatency: latencyMs === 0 ? null : { kind: /** @type {const} */ ('constant'), ms: latencyMs },
      upBandwidthBytesPerSecond: bytesPerSecond
    }
    return makeNetworkPlan(asked, 1 + countRequestors(this.#plan))
  }
}

/** countRequestors is the number of requestor processes: zeros have one. @param {TransferPlan} plan */
const countRequestors = plan => (movesFiles(plan) ? plan.requestors : 1)

/**
 * @typedef {import('../../../run/fleet.js').Fleet} Fleet
 * @typedef {import('../../../run/fleet.js').WorkerProcess} WorkerProcess
 * @typedef {import('./file-tree.js').FileTree} FileTree
 * @typedef {import('./provider.js').ZerosCount} ZerosCount
 *
 * @typedef {object} MoveSummary - measurements of a repeat of a protocol
 * @property {import('./provider.js').Provision} provision
 * @property {(import('./requestors.js').FetchSummary & import('./requestors.js').FinalReadings & { connectMs: number, roundTripMs: number })[]} fetchings - of each requestor
 */

const PROVIDER = new URL('./provider-entry.js', import.meta.url)
const REQUESTOR = new URL('./requestor-entry.js', import.meta.url)
/** A process replies within this time after its own time limit. */
const ANSWER_GRACE_MS = 500
/** The same for a process that was busy with zeros. */
const ZEROS_GRACE_MS = 5000
/** The counts of the provider are read again until they are complete. */
const [MAX_COUNT_READS, READ_EVERY_MS] = [400, 25]
/** Times of a repeat that are sent over a bus: they are enough for quartiles, and the bus must not slow the measurement. */
const MAX_TIMES_OVER_BUS = 500

/** TargetReader reads CPU and memory of a provider that is not ours, if its process is known. */
class TargetReader {
  #pid
  #cpuMs = 0

  /** @param {number | null} pid */
  constructor(pid) {
    this.#pid = pid
  }

  async expect() {
    if (this.#pid !== null) this.#cpuMs = (await readProcess(this.#pid)).cpuMs
  }

  /** @returns {Promise<Partial<ZerosCount>>} */
  async count() {
    if (this.#pid === null) return {}
    const reading = await readProcess(this.#pid)
    return { cpuMicros: (reading.cpuMs - this.#cpuMs) * 1000, rssBytes: reading.rssBytes }
  }
}

/** TransferProcesses are the processes of a run: the provider and the requestors. */
export class TransferProcesses {
  #plan
  #onDied
  #fleet
  #processes = new ProcessGroup()
  rounds
  /** For all files of the processes; it is deleted at the end, even if it is still being made then. @type {Promise<string> | null} */
  #folder = null
  /** null: the provider is not ours. @type {WorkerProcess | null} */
  #provider = null
  /** @type {WorkerProcess[]} */
  #requestors = []
  /** @type {TargetReader | null} */
  #target

  /**
   * @param {TransferPlan} plan
   * @param {(error: Error) => void} onDied
   * @param {Fleet} [fleet] - machines that hold the requestors; none: this one does
   */
  constructor(plan, onDied, fleet) {
    this.#plan = plan
    this.#onDied = onDied
    this.#fleet = fleet
    this.rounds = new RoundLinks(plan)
    this.#target = plan.target == null ? null : new TargetReader(plan.targetPid)
  }

  /** start starts the processes. */
  async start() {
    const plan = this.#plan
    this.#folder = makeTemporaryFolder('libp2p-loadtest-transfer-')
    const folder = await this.#folder
    await this.rounds.start(this.#onDied)
    const { joined } = this.rounds
    const common = { handlers: {}, onDied: this.#onDied, env: { TMPDIR: folder } }
    const fleet = this.#fleet
    const maxTimes = fleet === undefined ? Number.POSITIVE_INFINITY : MAX_TIMES_OVER_BUS
    const names = Array.from({ length: countRequestors(plan) }, (_, i) => `requestor ${i}`)
    ;[this.#provider, ...this.#requestors] = await Promise.all([
      this.#target === null
        ? this.#processes.start({
            ...common,
            entry: PROVIDER,
            name: 'the provider',
            setup: plan,
            through: joined.through(0)
          })
        : null,
      ...names.map((peer, i) =>
        this.#processes.start(
          {
            ...common,
            entry: REQUESTOR,
            name: peer,
            setup: { plan, peer, maxTimes },
            through: joined.through(1 + i)
          },
          fleet && (options => fleet.start(i, options))
        )
      )
    ])
    joined.hold(omitMissing([this.#provider, ...this.#requestors].map(process => process?.pid ?? null)))
  }

  /** between is the line between the sides, with the address at which the provider listens. @param {Round} round @returns {import('./protocol.js').SideConnection} */
  between(round) {
    const { line, host } = this.rounds.settings(round)
    return { line, ...chooseListenAddress(this.#fleet, host) }
  }

  /** make makes the files at the provider. @returns {Promise<FileTree[]>} */
  make() {
    return /** @type {WorkerProcess} */ (this.#provider).call('make')
  }

  /**
   * move has all requestors fetch all files once.
   *
   * @param {object} what
   * @param {FileTree[]} what.files
   * @param {import('./protocol.js').NodeSettings} what.settings
   * @param {string} what.name - of the repeat, in the run
   * @param {boolean} what.curves - are kept
   * @returns {Promise<MoveSummary>}
   */
  async move({ files, settings, name, curves }) {
    const address = await this.#ofProvider('open', settings)
    const connected = await this.#each('connect', address, settings)
    await this.#ofProvider('begin')
    const fetched = await this.#each('fetch', files, name, { curves })
    const provision = await this.#ofProvider('end')
    const left = await this.#each('disconnect')
    await this.#ofProvider('shut')
    return { provision, fetchings: fetched.map((each, i) => ({ ...each, ...connected[i], ...left[i] })) }
  }

  /** most is how far the provider's limits were used. @returns {Promise<ReturnType<import('./provider.js').Provider['most']>>} */
  most() {
    return this.#ofProvider('most')
  }

  /** meet opens all protocols of zeros at the provider, then tells the requestor their addresses. @param {Round} round */
  async meet(round) {
    const { transport, windowBytes, timeoutMs, target } = this.#plan
    const { line, ...at } = this.between(round)
    // a target has no line of its own: our end emulates both
    const between = { ...at, line: line && { ...line, both: this.#target !== null } }
    /** @type {Record<string, import('./requestors.js').ProviderAddress>} */
    const met = {}
    await this.#each('meet', met)
    if (this.#target === null) await this.#ofProvider('shut')
    for (const way of listProtocols(this.#plan)) {
      const settings = { ...between, way, transport, windowBytes, timeoutMs }
      met[way.name] = { address: target ?? (await this.#ofProvider('open', settings)), settings }
    }
    await this.#each('meet', met)
  }

  /** expect resets the provider's counts of zeros. @param {number} bytes - of uploads */
  expect(bytes) {
    return this.#target?.expect() ?? this.#ofProvider('expect', bytes)
  }

  /**
   * count reads how many zeros the provider has counted since. It reads again until the counts are complete, for a limited time.
   *
   * @param {(counts: Partial<ZerosCount>) => boolean} [whole]
   */
  async count(whole = () => true) {
    for (let look = 0; ; look++) {
      /** @type {Partial<ZerosCount>} */
      const counts = await (this.#target?.count() ?? this.#ofProvider('count'))
      if (whole(counts) || look === MAX_COUNT_READS) return counts
      await sleep(READ_EVERY_MS)
    }
  }

  /**
   * ask calls the requestor of zeros.
   *
   * @param {string} method
   * @param {object} asked
   * @param {number} [timeouts] - that it may take
   * @returns {Promise<any>}
   */
  ask(method, asked, timeouts = 1) {
    const ms = timeouts * this.#plan.timeoutMs + ZEROS_GRACE_MS
    return this.#within(this.#requestors[0].call(method, asked), 'the requestor', ms)
  }

  /** settings are those in which nodes of both sides differ from the defaults of libp2p. */
  async settings() {
    const provider = this.#target === null ? mergeNodeSettings([await this.#ofProvider('settings')]) : {}
    const requestor = mergeNodeSettings(await this.#each('settings'))
    return mergeNodeSettings([{ ...(Object.keys(provider).length > 0 && { provider }), requestor }])
  }

  /** stop ends the processes; after a failure at once, for they may hang. @param {{ failed: boolean }} how */
  async stop(how) {
    await this.#processes.end(how)
    await this.rounds.joined.stop()
    const folder = await this.#folder?.catch(() => null)
    if (folder) await rm(folder, { recursive: true, force: true })
  }

  /** @param {string} method @param {...any} args @returns {Promise<any>} */
  #ofProvider(method, ...args) {
    const provider = /** @type {WorkerProcess} */ (this.#provider)
    return this.#within(provider.call(method, ...args), 'the provider')
  }

  /** @param {string} method @param {...any} args @returns {Promise<any[]>} of each requestor */
  #each(method, ...args) {
    return Promise.all(
      this.#requestors.map((requestor, i) => this.#within(requestor.call(method, ...args), `requestor ${i}`))
    )
  }

  /**
   * @template T
   * @param {Promise<T>} call
   * @param {string} who
   * @param {number} [ms]
   */
  #within(call, who, ms = this.#plan.timeoutMs + ANSWER_GRACE_MS) {
    return waitUntilLate(
      call,
      ms,
      () =>
        new TransferError('TIMEOUT', `${who} did not answer within --timeout ${this.#plan.timeoutMs / 1000}s`)
    )
  }
}
