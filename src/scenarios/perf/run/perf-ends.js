import { setTimeout as sleep } from 'node:timers/promises'
import { present } from '../../../kit/lists.js'
import { mergedSettings } from '../../../libp2p/node-settings.js'
import { processReading } from '../../../target/process-reading.js'
import { answeredWithin } from '../../../workers/answered-within.js'
import { ProcessGroup } from '../../../workers/process-group.js'
import { atAddressOf } from '../../listening-at.js'
import { Joined } from '../../namespaces/joined.js'
import { hostOf, linksOf } from '../perf-plan.js'
import { waysOf } from '../plan/ways.js'

/**
 * foreignServer reads what is known of a target: CPU and memory, where its process is named.
 *
 * @param {number | null} pid
 * @returns {Pick<ServerSide, 'begin' | 'count'>}
 */
export function foreignServer(pid) {
  let cpuMs = 0
  return {
    async begin() {
      if (pid !== null) cpuMs = (await processReading(pid)).cpuMs
    },
    async count() {
      if (pid === null) return {}
      const reading = await processReading(pid)
      return { cpuMicros: (reading.cpuMs - cpuMs) * 1000, rssBytes: reading.rssBytes }
    }
  }
}

/**
 * @typedef {import('../perf-plan.js').PerfPlan} PerfPlan
 * @typedef {import('./perf-client.js').TransferAsked} TransferAsked
 * @typedef {import('./perf-client.js').Transferred} Transferred
 *
 * @typedef {object} ServerSide - the other end, ours or a target
 * @property {Record<string, unknown>} addresses - by way
 * @property {number | null} [pid] - of ours
 * @property {(expectedBytes: number) => Promise<void>} begin - counts anew
 * @property {() => Promise<Partial<import('./perf-server.js').ServerCount>>} count - what is known since
 * @property {() => Promise<import('../../../libp2p/node-settings.js').SettingsByKind>} [settings] - of nodes of ours, by way
 *
 * @typedef {object} Starting
 * @property {import('../../../workers/process-group.js').ProcessGroup} processes
 * @property {(error: Error) => void} onDied
 * @property {import('../../namespaces/joined.js').Joined} joined - the server is in namespace 0, the client in 1
 * @property {import('../../../workers/fleet.js').Fleet} [fleet] - a machine that holds the client; none: this one does
 */

const ENTRIES = {
  server: new URL('./perf-server-entry.js', import.meta.url),
  client: new URL('./perf-client-entry.js', import.meta.url)
}

/** Over a bus, whose load is not to grow with what is measured: times of a repeat, which are enough for its quartiles. */
const MOST_TIMES_OVER_BUS = 500

/**
 * startServer starts the servers of all ways in a process of their own, or looks at the target.
 *
 * @param {PerfPlan} plan
 * @param {Starting} starting
 * @returns {Promise<ServerSide>}
 */
export async function startServer(plan, starting) {
  if (plan.target !== null) {
    const { target } = plan
    const addresses = Object.fromEntries(waysOf(plan).map(({ name }) => [name, target]))
    return { addresses, ...foreignServer(plan.targetPid) }
  }
  const at = atAddressOf(starting.fleet, hostOf(plan))
  const server = await startSide('server', { plan, at }, starting)
  return {
    addresses: await server.call('start'),
    pid: server.pid,
    begin: expectedBytes => server.call('begin', expectedBytes),
    count: () => server.call('count'),
    settings: () => server.call('settings')
  }
}

/**
 * startClient starts the clients of all ways in a process of their own.
 *
 * @param {PerfPlan} plan
 * @param {Record<string, unknown>} addresses - by way
 * @param {Starting} starting
 */
export const startClient = (plan, addresses, starting) => {
  const { fleet } = starting
  /** @type {import('../../../workers/process-group.js').Start | undefined} */
  const start = fleet && (options => fleet.start(0, options))
  const mostTimes = fleet === undefined ? Number.POSITIVE_INFINITY : MOST_TIMES_OVER_BUS
  return startSide('client', { plan, addresses, mostTimes }, starting, start)
}

/**
 * @param {'server' | 'client'} side
 * @param {unknown} setup
 * @param {Starting} starting
 * @param {import('../../../workers/process-group.js').Start} [start] - default: on this machine
 */
const startSide = (side, setup, { processes, onDied, joined }, start) =>
  processes.start(
    {
      entry: ENTRIES[side],
      name: `the ${side} process`,
      setup,
      handlers: {},
      onDied,
      through: joined.through(side === 'server' ? 0 : 1)
    },
    start
  )

/**
 * @typedef {import('../plan/ways.js').Way} Way
 * @typedef {import('../../../workers/fleet.js').HeldProcess} HeldProcess
 */

/** What is asked of a process is answered within --timeout, or the process hangs. */
const ANSWER_GRACE_MS = 5000
/** The server has counted what the client was told of in a moment. */
const [COUNTS_WITHIN, LOOK_EVERY_MS] = [400, 25]

/** PerfError says what went wrong while bytes moved. */
export class PerfError extends Error {
  name = 'PerfError'

  /** @param {string} code @param {string} message */
  constructor(code, message) {
    super(message)
    this.code = code
  }
}

/** PerfEnds are the two ends of a run, a process each, and what is asked of them. */
export class PerfEnds {
  #plan
  #onDied
  #fleet
  #processes = new ProcessGroup()
  /** What they are joined by, where it is a network of namespaces. */
  joined = new Joined()
  /** @type {ServerSide | null} */
  #server = null
  /** @type {HeldProcess | null} */
  #client = null

  /**
   * @param {import('../perf-plan.js').PerfPlan} plan
   * @param {(error: Error) => void} onDied
   * @param {import('../../../workers/fleet.js').Fleet} [fleet] - a machine that holds the client; none: this one does
   */
  constructor(plan, onDied, fleet) {
    this.#plan = plan
    this.#onDied = onDied
    this.#fleet = fleet
  }

  /** start starts the server, then the client. */
  async start() {
    const plan = this.#plan
    const starting = {
      ...{ processes: this.#processes, onDied: this.#onDied, joined: this.joined },
      fleet: this.#fleet
    }
    if (plan.network === 'namespaces') await this.joined.start(linksOf(plan), this.#onDied)
    this.#server = await startServer(plan, starting)
    this.#client = await startClient(plan, this.#server.addresses, starting)
    this.joined.hold(present([this.#server.pid, this.#client.pid]))
  }

  /** begin has the server count anew. @param {number} expectedBytes */
  begin(expectedBytes) {
    const server = /** @type {ServerSide} */ (this.#server)
    return answered(server.begin(expectedBytes), ANSWER_GRACE_MS, 'the server process')
  }

  /**
   * count is what the server has counted since: it is looked at again until that is whole, for a moment.
   *
   * @param {(counts: Partial<import('./perf-server.js').ServerCount>) => boolean} [whole]
   */
  async count(whole = () => true) {
    const server = /** @type {ServerSide} */ (this.#server)
    for (let look = 0; ; look++) {
      const counts = await answered(server.count(), ANSWER_GRACE_MS, 'the server process')
      if (whole(counts) || look === COUNTS_WITHIN) return counts
      await sleep(LOOK_EVERY_MS)
    }
  }

  /**
   * ask asks the client, and names the way in what goes wrong.
   *
   * @param {Way} way
   * @param {string} method
   * @param {object} asked
   * @param {number} [timeouts] - that it may take
   * @param {string} [what]
   * @returns {Promise<any>}
   * @throws {PerfError}
   */
  async ask(way, method, asked, timeouts = 1, what = method) {
    const client = /** @type {HeldProcess} */ (this.#client)
    const withinMs = timeouts * this.#plan.timeoutMs + ANSWER_GRACE_MS
    try {
      return await answered(client.call(method, asked), withinMs, 'the client process')
    } catch (cause) {
      const { code = 'PERF_FAILED', message } = /** @type {Error & { code?: string }} */ (cause)
      if (code === 'WORKER_DIED' || code === 'WORKER_HUNG') throw cause
      throw new PerfError(typeof code === 'string' ? code : 'TIMEOUT', `${way.name}, ${what}: ${message}`)
    }
  }

  /** settings are what nodes of ours have other than what libp2p takes by itself. */
  async settings() {
    const { settings = async () => ({}) } = /** @type {ServerSide} */ (this.#server)
    const client = /** @type {HeldProcess} */ (this.#client)
    const server = mergedSettings([await answered(settings(), ANSWER_GRACE_MS, 'the server process')])
    const ofClient = mergedSettings([
      await answered(client.call('settings'), ANSWER_GRACE_MS, 'the client process')
    ])
    return mergedSettings([{ ...(Object.keys(server).length > 0 && { server }), client: ofClient }])
  }

  /** stop ends them; after a failure at once, for they may hang. @param {{ failed: boolean }} how */
  async stop(how) {
    await this.#processes.end(how)
    await this.joined.stop()
  }
}

/** @template T @param {Promise<T>} answer @param {number} ms @param {string} whose */
const answered = (answer, ms, whose) =>
  answeredWithin(
    answer,
    ms,
    () => new PerfError('WORKER_HUNG', `${whose} has answered nothing for ${ms / 1000} s`)
  )
