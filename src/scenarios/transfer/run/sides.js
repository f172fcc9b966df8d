import { rm } from 'node:fs/promises'
import { temporaryFolder } from '../../../kit/folders.js'
import { present } from '../../../kit/lists.js'
import { mergedSettings } from '../../../libp2p/node-settings.js'
import { answeredWithin } from '../../../workers/answered-within.js'
import { ProcessGroup } from '../../../workers/process-group.js'
import { atAddressOf } from '../../listening-at.js'
import { Joined } from '../../namespaces/joined.js'
import { networkPlan } from '../../namespaces/network-plan.js'
import { roundsOf } from '../plan/rounds.js'
import { TransferError } from './receiving.js'

/**
 * @typedef {import('../transfer-plan.js').TransferPlan} TransferPlan
 * @typedef {import('../transfer-plan.js').Round} Round
 * @typedef {import('../../gossip/gossip-types.js').NamespaceFigures} NamespaceFigures
 * @typedef {Round & NamespaceFigures} RoundFigures - what is known of the links of a round
 */

/** JoinedRounds are the links between the sides, those of one round after the other: at sockets, or between network namespaces. */
export class JoinedRounds {
  #plan
  /** @type {Round} the one that goes on */
  #round
  /** @type {RoundFigures[]} */
  #past = []
  joined = new Joined()

  /** @param {TransferPlan} plan */
  constructor(plan) {
    this.#plan = plan
    this.#round = roundsOf(plan)[0]
  }

  /** start makes what joins the sides in the first round. @param {(error: Error) => void} onTrouble */
  async start(onTrouble) {
    if (this.#plan.network === 'namespaces') await this.joined.start(this.#links(this.#round), onTrouble)
  }

  /** begin is told when it is measured from now on. */
  begin() {
    return this.joined.begin()
  }

  /** go goes on to a round, when nothing is sent. @param {Round} round */
  async go(round) {
    const { network } = this.joined
    const { latencyMs, bytesPerSecond } = this.#round
    const isSame = latencyMs === round.latencyMs && bytesPerSecond === round.bytesPerSecond
    if (network === null || isSame) return
    await this.over()
    this.#past = this.figures
    this.#round = round
    await network.relink(this.#links(round))
    await this.begin()
  }

  /** over keeps what the links of a round were found to be, and what went over them. */
  over() {
    return this.joined.over()
  }

  /** settings of what is between the sides. @param {Round} round @returns {Pick<import('./ways/way.js').NodeSettings, 'line' | 'host'>} */
  settings(round) {
    const free = round.latencyMs === 0 && round.bytesPerSecond === null
    return { host: this.joined.host(0), line: free || this.joined.network !== null ? null : round }
  }

  /** figures of each round so far; none where no namespaces were asked for. @returns {RoundFigures[]} */
  get figures() {
    const { figures } = this.joined
    return figures === null ? this.#past : [...this.#past, { ...this.#round, ...figures }]
  }

  stop() {
    return this.joined.stop()
  }

  /** @param {Round} round */
  #links({ latencyMs, bytesPerSecond }) {
    const { seed, linkLossShare } = this.#plan
    const asked = {
      ...{ seed, linkLossShare },
      linkLatency: latencyMs === 0 ? null : { kind: /** @type {const} */ ('constant'), ms: latencyMs },
      upBandwidthBytesPerSecond: bytesPerSecond
    }
    return networkPlan(asked, 1 + this.#plan.requestors)
  }
}

/**
 * @typedef {import('../plan/ways.js').Way} Way
 * @typedef {import('../../../workers/fleet.js').Fleet} Fleet
 * @typedef {import('../../../workers/fleet.js').HeldProcess} HeldProcess
 * @typedef {import('./file-tree.js').FileTree} FileTree
 * @typedef {import('./ways/way.js').NodeSettings} NodeSettings
 *
 * @typedef {object} Moved - what a repeat of a way came to
 * @property {import('./provider.js').Provision} provision
 * @property {(import('./requestor.js').Fetching & import('./requestor.js').Left & { connectMs: number, roundTripMs: number })[]} fetchings - of each requestor
 */

const PROVIDER = new URL('./provider-entry.js', import.meta.url)
const REQUESTOR = new URL('./requestor-entry.js', import.meta.url)
/** A process that answers at all tells what became of its own time limit within this. */
const TELLS_WITHIN_MS = 500

/** Sides are the processes of a run: the provider and the requestors. */
export class Sides {
  #plan
  #onDied
  #fleet
  #processes = new ProcessGroup()
  /** What joins them. */
  rounds
  /** What they keep on disk goes with it, however they end, and while it is still being made. @type {Promise<string> | null} */
  #folder = null
  /** @type {HeldProcess | null} */
  #theProvider = null
  /** @type {HeldProcess[]} */
  #requestors = []

  /**
   * @param {TransferPlan} plan
   * @param {(error: Error) => void} onDied
   * @param {Fleet} [fleet] - machines that hold the requestors; none: this one does
   */
  constructor(plan, onDied, fleet) {
    this.#plan = plan
    this.#onDied = onDied
    this.#fleet = fleet
    this.rounds = new JoinedRounds(plan)
  }

  /** start starts them. */
  async start() {
    const plan = this.#plan
    this.#folder = temporaryFolder('libp2p-loadtest-transfer-')
    const folder = await this.#folder
    await this.rounds.start(this.#onDied)
    const { joined } = this.rounds
    const common = { handlers: {}, onDied: this.#onDied, env: { TMPDIR: folder } }
    const fleet = this.#fleet
    const names = Array.from({ length: plan.requestors }, (_, i) => `requestor ${i}`)
    ;[this.#theProvider, ...this.#requestors] = await Promise.all([
      this.#processes.start({
        ...common,
        entry: PROVIDER,
        name: 'the provider',
        setup: plan,
        through: joined.through(0)
      }),
      ...names.map((peer, i) =>
        this.#processes.start(
          {
            ...common,
            entry: REQUESTOR,
            name: peer,
            setup: { plan, peer },
            through: joined.through(1 + i)
          },
          fleet && (options => fleet.start(i, options))
        )
      )
    ])
    joined.hold(present([this.#provider, ...this.#requestors].map(({ pid }) => pid)))
  }

  /** between is what is between the sides, and where the provider listens. @param {import('../transfer-plan.js').Round} round */
  between(round) {
    const { line, host } = this.rounds.settings(round)
    return { line, ...atAddressOf(this.#fleet, host) }
  }

  /** make has the provider make the files. @returns {Promise<FileTree[]>} */
  make() {
    return this.#provider.call('make')
  }

  /**
   * move has all requestors fetch all files once.
   *
   * @param {Way} way
   * @param {object} what
   * @param {FileTree[]} what.files
   * @param {NodeSettings} what.settings
   * @param {string} what.name - of the repeat, in the run
   * @param {boolean} what.curves - are kept
   * @returns {Promise<Moved>}
   */
  async move(way, { files, settings, name, curves }) {
    const address = await this.#within(this.#provider.call('open', way, settings), 'the provider')
    const connected = await this.#each('connect', way, address, settings)
    await this.#within(this.#provider.call('begin'), 'the provider')
    const fetched = await this.#each('fetch', files, name, { curves })
    const provision = await this.#within(this.#provider.call('end'), 'the provider')
    const left = await this.#each('disconnect')
    await this.#within(this.#provider.call('shut'), 'the provider')
    return { provision, fetchings: fetched.map((each, i) => ({ ...each, ...connected[i], ...left[i] })) }
  }

  /** most is what was reached of the provider's limits. @returns {Promise<ReturnType<import('./provider.js').Provider['most']>>} */
  most() {
    return this.#within(this.#provider.call('most'), 'the provider')
  }

  /** settings are what nodes of both sides have other than what libp2p takes by itself. */
  async settings() {
    const provider = await this.#within(this.#provider.call('settings'), 'the provider')
    const requestors = await this.#each('settings')
    return mergedSettings([{ provider: mergedSettings([provider]), requestor: mergedSettings(requestors) }])
  }

  /** stop ends them; after a failure at once, for they may hang. @param {{ failed: boolean }} how */
  async stop(how) {
    await this.#processes.end(how)
    await this.rounds.stop()
    const folder = await this.#folder?.catch(() => null)
    if (folder) await rm(folder, { recursive: true, force: true })
  }

  get #provider() {
    return /** @type {HeldProcess} */ (this.#theProvider)
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
   */
  #within(call, who) {
    const { timeoutMs } = this.#plan
    return answeredWithin(
      call,
      timeoutMs + TELLS_WITHIN_MS,
      () => new TransferError('TIMEOUT', `${who} did not answer within --timeout ${timeoutMs / 1000}s`)
    )
  }
}
