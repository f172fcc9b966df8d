// Reserves the agents that hold the workers of a run or of all runs of a study, and starts, calls and releases these
// workers.
import { randomBytes, randomUUID } from 'node:crypto'
import { findLargest, median } from '../kit/collections.js'
import { findLoopbackHost, formatMultiaddrHost } from '../kit/host-address.js'
import { waitAtMost } from '../kit/time.js'
import { AgentLink, CLOCK_BURST, SMALL_CLOCK_BURST } from './agent-link.js'
import { listAgents } from './agent-list.js'
import { followReports } from './bus/message-parts.js'
import { BUS_STREAM, closeBus, connectBus, PRESENCE_KEYS, reportSubject } from './bus-connection.js'
import { BUS_FORMAT, MESSAGE_SCHEMAS, makeIgnoredReport, parseBusMessage, readAgentCard } from './messages.js'
import { chooseAgents, countAgentWorkers, FleetError, findPaths } from './placement.js'
import { startPresence } from './presence.js'
import { findOwnAddress, openProbePort } from './reachability.js'

/** StartSpread are the starts of a run that workers on several machines were told of ahead. */
export class StartSpread {
  /** @type {{ earliestMs: number, latestMs: number, workers: number }[]} in their order */
  #starts = []
  /** @type {Map<number, number>} by worker: which of them it began last */
  #startIndexes = new Map()

  /** began takes how late a worker began the next one. @param {number} worker @param {number} lateMs */
  began(worker, lateMs) {
    const place = this.#startIndexes.get(worker) ?? 0
    this.#startIndexes.set(worker, place + 1)
    const { earliestMs, latestMs, workers } = this.#starts[place] ?? {
      earliestMs: lateMs,
      latestMs: lateMs,
      workers: 0
    }
    const ends = { earliestMs: Math.min(earliestMs, lateMs), latestMs: Math.max(latestMs, lateMs) }
    this.#starts[place] = { ...ends, workers: workers + 1 }
  }

  /** summarize computes how far apart the workers began. @returns {NonNullable<import('../report/schema.js').Result['run']['starts']> | null} null: none had more than one worker */
  summarize() {
    const spreads = this.#starts
      .filter(({ workers }) => workers > 1)
      .map(({ earliestMs, latestMs }) => latestMs - earliestMs)
    if (spreads.length === 0) return null
    return { count: spreads.length, spreadMs: median(spreads), worstMs: findLargest(spreads) }
  }
}

/**
 * @typedef {object} PathDial - that an agent is to try
 * @property {string} to - multiaddr, with an address or name and a port of TCP
 * @property {string | null} word - shared secret of the probe port there; null: a server of others
 * @property {string} whose - in messages
 */

/** An agent that cannot reach many others takes some seconds to know. */
const TRIED_WITHIN_MS = 30_000
const HERE = 'this machine, where the run is'

/**
 * tryPaths has each that will dial another one try it, before anything is started.
 *
 * @param {object} of
 * @param {readonly AgentLink[]} of.links
 * @param {any} of.plan
 * @param {string} of.address - of this machine
 * @returns {Promise<string[]>} addresses that agents come from to this machine
 * @throws {FleetError} who does not reach whom
 * @throws {import('./reachability.js').AddressError}
 */
export async function tryPaths({ links, plan, address }) {
  const paths = findPaths(plan, links.length)
  const word = randomBytes(16).toString('hex')
  const probePort = paths.here.length > 0 ? await openProbePort(address, word) : null
  const listening = [...new Set(paths.between.map(([, to]) => to))]
  try {
    const probeAddresses = new Map(
      await Promise.all(
        listening.map(async to => {
          const { port } = await askNamed(links[to], { kind: 'open', word }, MESSAGE_SCHEMAS.opened)
          return /** @type {const} */ ([to, `${formatMultiaddrHost(links[to].card.address)}/tcp/${port}`])
        })
      )
    )
    const here =
      probePort === null
        ? []
        : [{ to: `${formatMultiaddrHost(address)}/tcp/${probePort.port}`, word, whose: HERE }]
    const theirs = paths.targets.map(to => ({ to, word: null, whose: 'the target' }))
    const tried = links.map((link, agent) => {
      const between = paths.between
        .filter(([from]) => from === agent)
        .map(([, to]) => ({ to: probeAddresses.get(to) ?? '', word, whose: links[to].name }))
      return findUnreachable(link, [...(paths.here.includes(agent) ? here : []), ...theirs, ...between])
    })
    const refusals = (await Promise.all(tried)).flat()
    if (refusals.length > 0) throw new FleetError(refusals)
    return [...(probePort?.callers.values() ?? [])]
  } finally {
    probePort?.close()
    await Promise.allSettled(listening.map(to => links[to].ask({ kind: 'shut' })))
  }
}

/** @param {AgentLink} link @param {PathDial[]} dials @returns {Promise<import('./placement.js').AgentRefusal[]>} */
async function findUnreachable(link, dials) {
  if (dials.length === 0) return []
  const knocks = dials.map(({ to, word }) => ({ to, word }))
  const { obstacles } = await askNamed(link, { kind: 'knock', dials: knocks }, MESSAGE_SCHEMAS.tried)
  return dials.flatMap(({ to, whose, word }, i) => {
    const [, , host, , port] = to.split('/')
    // a probe port has a free port number that tells a reader nothing
    const where = word === null ? `${host}:${port}` : host
    return obstacles[i] == null
      ? []
      : [{ agent: link.name, why: `does not reach ${whose}, at ${where}: ${obstacles[i]}` }]
  })
}

/**
 * Asks an agent. An error names the agent.
 *
 * @template {import('zod').ZodType} S
 * @param {AgentLink} link
 * @param {{ kind: string } & Record<string, any>} what
 * @param {S} schema - of the answer
 * @returns {Promise<import('zod').infer<S>>}
 */
async function askNamed(link, what, schema) {
  try {
    return parseBusMessage(schema, await link.ask(what, TRIED_WITHIN_MS))
  } catch (error) {
    throw new FleetError([{ agent: link.name, why: /** @type {Error} */ (error).message }])
  }
}

/**
 * @typedef {import('../run/fleet.js').Fleet} FleetSeam
 * @typedef {import('../run/fleet.js').FleetListeners} FleetListeners
 *
 * @typedef {object} FleetOptions
 * @property {import('../plan/agents.js').BusAddress} bus
 * @property {string | null} address - of this machine, at which agents reach what listens here; null: that which reaches the bus
 * @property {import('../plan/agents.js').WantedAgents | StudyAgentCards} from - which agents: how many, or those that a
 *   study has
 * @property {'continue' | 'stop'} onLostAgent
 * @property {string} run - its id
 * @property {string} version - of this tool
 * @property {any} plan
 * @property {(text: string) => void} say - what stands on the bus that is none of ours
 */

const CLOCK_EVERY_MS = 1000
/** Time for every agent to hear of a start. */
const START_AFTER_MS = 300

/**
 * Fleet is the agents that hold the workers of a run: worker w is on agent w mod n.
 *
 * @implements {FleetSeam}
 */
export class Fleet {
  #options
  #connection
  #passOver
  /** @type {AgentLink[]} */
  #links = []
  /** @type {import('./presence.js').Presence | null} */
  #presence = null
  /** @type {import('@nats-io/jetstream').JetStreamManager | null} */
  #manager = null
  /** @type {FleetListeners | null} */
  #listeners = null
  /** @type {NodeJS.Timeout | undefined} */
  #timer
  #leased = false
  #starts = new StartSpread()
  startAfterMs = START_AFTER_MS
  /** Of this machine. */
  address = findLoopbackHost()
  /** Addresses that agents come from to this machine. @type {readonly string[]} */
  peers = []

  /** @param {FleetOptions} options @param {import('@nats-io/transport-node').NatsConnection} connection */
  constructor(options, connection) {
    this.#options = options
    this.#connection = connection
    this.#passOver = makeIgnoredReport(options.say)
  }

  /**
   * open finds agents, has each of them agree to the plan, and tries who reaches whom. Nothing is started.
   *
   * @param {FleetOptions} options
   * @returns {Promise<Fleet>}
   * @throws {FleetError | import('./reachability.js').AddressError | import('./bus-connection.js').BusError}
   */
  static async open(options) {
    const connection = await connectBus(options.bus, `libp2p-loadtest run ${options.run}`)
    const fleet = new Fleet(options, connection)
    try {
      await fleet.#lease()
      return fleet
    } catch (error) {
      await fleet.close()
      throw error
    }
  }

  async #lease() {
    const { from, run, version, plan, bus, address } = this.#options
    const cards =
      'study' in from
        ? from.cards
        : chooseAgents(await listAgents(this.#connection, this.#passOver), from, {
            version,
            format: BUS_FORMAT
          })
    this.#links = cards.map(
      card =>
        new AgentLink(card, {
          connection: this.#connection,
          run,
          onSilent: () => this.#lost(PRESENCE_KEYS.agent(card.id), 'it does not answer'),
          onBegan: (worker, lateMs) => this.#starts.began(worker, lateMs)
        })
    )
    this.#manager = await followReports(this.#connection, reportSubject(run, '*'), {
      take: message => {
        const id = message.subject.split('.').at(-1)
        const link = this.#links.find(({ card }) => card.id === id)
        link?.onMessage(message).catch(() => this.#passOver(`a message of ${link.name}`))
      },
      onBroken: error => this.#busLost(error.message)
    })
    const presence = await this.#watchAgents()
    await this.#agreed()
    for (const { card } of this.#links) presence.expect(PRESENCE_KEYS.agent(card.id))
    this.address = address ?? (await findOwnAddress(bus))
    this.peers = await tryPaths({ links: this.#links, plan, address: this.address })
    await Promise.all(this.#links.map(link => link.measureClock(CLOCK_BURST)))
    this.#timer = setInterval(() => {
      for (const link of this.#links) if (link.lost === null) void link.measureClock(SMALL_CLOCK_BURST)
    }, CLOCK_EVERY_MS)
    this.#leased = true
  }

  async #watchAgents() {
    const { bus, run, version } = this.#options
    this.#presence = await startPresence({
      address: bus,
      key: PRESENCE_KEYS.run(run),
      value: { version, format: BUS_FORMAT },
      clockOf: null,
      watched: 'agent.*',
      onEntry: (key, value) => {
        if (value === null) this.#lost(key, 'it was ended')
        else this.#entered(key, readAgentCard(key, value))
      },
      onLost: (key, silentMs) => this.#lost(key, `no message from it for ${(silentMs / 1000).toFixed(1)} s`),
      onBack: key =>
        void this.#linkOf(key)
          ?.ask({ kind: 'end' })
          .catch(() => {})
    })
    return this.#presence
  }

  /** Each agent has agreed to hold workers of the plan. */
  async #agreed() {
    const { version, plan, from } = this.#options
    const request = {
      kind: 'lease',
      study: 'study' in from ? from.study : null,
      version,
      format: BUS_FORMAT,
      plan
    }
    const answers = await Promise.allSettled(
      this.#links.map((link, i) =>
        link.ask({ ...request, workers: countAgentWorkers(plan, i, this.#links.length) })
      )
    )
    const refused = answers.flatMap((answer, i) =>
      answer.status === 'rejected' ? [{ agent: this.#links[i].name, why: answer.reason.message }] : []
    )
    if (refused.length > 0) throw new FleetError(refused)
  }

  /** @param {string} key */
  #linkOf(key) {
    return this.#links.find(({ card }) => PRESENCE_KEYS.agent(card.id) === key)
  }

  /** One that was cut off for long gives a run up by itself. @param {string} key @param {ReturnType<typeof readAgentCard>} card */
  #entered(key, card) {
    if (card === null) return this.#passOver(`entry ${key}`)
    const link = this.#linkOf(key)
    const withUs = card.busy === this.#options.run
    if (link === undefined) return
    if (link.reserved && !withUs) this.#lost(key, 'it gave up the run')
    link.reserved = withUs
  }

  /** @param {string} key @param {string} why */
  #lost(key, why) {
    if (key === 'bus') return this.#busLost(`the connection to the bus at ${this.#options.bus.url} was lost`)
    const link = this.#linkOf(key)
    if (link === undefined || link.lost !== null || !this.#leased) return
    const error = link.lose(why)
    const goesOn = this.#options.onLostAgent === 'continue' && this.#links.some(({ lost }) => lost === null)
    this.#listeners?.onLost({ name: link.name, workers: link.workers, error, goesOn })
  }

  /** @param {string} why */
  #busLost(why) {
    for (const link of this.#links) link.lose('the connection to the bus was lost')
    this.#listeners?.onBusLost(Object.assign(new Error(why), { code: 'BUS_LOST' }))
  }

  /** watch sets the listeners of lost agents and of a lost bus. @param {FleetListeners} listeners */
  watch(listeners) {
    this.#listeners = listeners
    const lost = this.#links.find(link => link.lost !== null)
    if (lost?.lost) listeners.onBusLost(lost.lost)
  }

  /** @param {number} worker */
  #of(worker) {
    return this.#links[worker % this.#links.length]
  }

  /** start has an agent start a worker. @type {FleetSeam['start']} */
  start(worker, options) {
    return this.#of(worker).start(worker, options)
  }

  /** clockOf the machine of a worker. @param {number} worker */
  clockOf(worker) {
    return this.#of(worker).clock
  }

  /** addressOf the machine of a worker. @param {number} worker */
  addressOf(worker) {
    return this.#of(worker).card.address
  }

  /** hasCoreToSpare says whether the machine of a worker has more cores than workers. @param {number} worker @param {number} workers */
  hasCoreToSpare(worker, workers) {
    return Math.ceil(workers / this.#links.length) < this.#of(worker).card.cores
  }

  /** settle measures the clocks once more. */
  async settle() {
    clearInterval(this.#timer)
    await Promise.all(
      this.#links.filter(({ lost }) => lost === null).map(link => link.measureClock(CLOCK_BURST))
    )
  }

  /** agents as they are in the result, a row for each. @type {FleetSeam['agents']} */
  agents(sinceBeginMs) {
    return this.#links.map(({ card, clock, lost, lostNs, lateMs, workers }) => {
      const { id, host, tags, cores, memoryBytes, node } = card
      const loss = lost && lostNs !== null ? { atMs: sinceBeginMs(lostNs), why: lost.message } : null
      return {
        ...{ id, host, tags: [...tags], cores, memoryBytes, node, workers },
        ...{ clock: clock.getOffset(), lateMs, lost: loss }
      }
    })
  }

  /** starts of the run that were agreed ahead. @type {FleetSeam['starts']} */
  starts() {
    return this.#starts.summarize()
  }

  /** close gives the agents back. */
  async close() {
    clearInterval(this.#timer)
    this.#listeners = null
    this.#leased = false
    await waitAtMost(Promise.allSettled(this.#links.map(link => link.ask({ kind: 'end' }))), 3000)
    const purged = this.#manager?.streams.purge(BUS_STREAM, { filter: reportSubject(this.#options.run, '*') })
    await waitAtMost(
      purged?.catch(() => {}),
      1000
    )
    await this.#presence?.end()
    await closeBus(this.#connection)
  }
}

/**
 * @typedef {import('../scenarios/index.js').AnyPlan} AnyPlan
 * @typedef {import('../run/fleet.js').FleetPool} FleetsSeam
 *
 * @typedef {object} StudyAgentCards - agents that are a study's
 * @property {string} study - its id
 * @property {readonly import('./agent.js').AgentCard[]} cards
 *
 * @typedef {object} StudyAgentsOptions
 * @property {import('../plan/agents.js').BusAddress} bus
 * @property {string | null} address - of this machine, at which agents reach what listens here; null: that which reaches the bus
 * @property {import('../plan/agents.js').WantedAgents} wanted
 * @property {'continue' | 'stop'} onLostAgent
 * @property {string} version - of this tool
 * @property {readonly AnyPlan[]} plans - that are to be run, as far as they are known
 * @property {(text: string) => void} say - what becomes of agents between runs, and what stands on the bus that is none of ours
 */

/** Between runs they have nothing to do that would hold them up. */
const ANSWER_WITHIN_MS = 4000

/**
 * StudyAgents are those of a study: they are taken once, for all of its runs, and nobody else has them between two of them.
 *
 * @implements {FleetsSeam}
 */
export class StudyAgents {
  #options
  #connection
  #study = randomUUID().slice(0, 8)
  /** @type {AgentLink[]} */
  #links = []
  /** @type {import('./presence.js').Presence | null} */
  #presence = null

  /** @param {StudyAgentsOptions} options @param {import('@nats-io/transport-node').NatsConnection} connection */
  constructor(options, connection) {
    this.#options = options
    this.#connection = connection
  }

  /**
   * open takes agents that agree to all plans, and tries who reaches whom for the first of them. Nothing is started.
   *
   * @param {StudyAgentsOptions} options
   * @returns {Promise<StudyAgents>}
   * @throws {FleetError | import('./reachability.js').AddressError | import('./bus-connection.js').BusError}
   */
  static async open(options) {
    const study = new StudyAgents(options, await connectBus(options.bus, 'libp2p-loadtest study'))
    try {
      await study.#take()
      return study
    } catch (error) {
      await study.close()
      throw error
    }
  }

  async #take() {
    const { wanted, version, bus, plans } = this.#options
    const cards = chooseAgents(
      await listAgents(this.#connection, makeIgnoredReport(this.#options.say)),
      wanted,
      {
        version,
        format: BUS_FORMAT
      }
    )
    const of = { connection: this.#connection, run: this.#study }
    this.#links = cards.map(card => new AgentLink(card, of))
    const key = PRESENCE_KEYS.run(this.#study)
    const silent = { clockOf: null, watched: key, onEntry: () => {}, onLost: () => {} }
    this.#presence = await startPresence({
      address: bus,
      key,
      value: { version, format: BUS_FORMAT },
      ...silent
    })
    const { refusals } = await this.#hold(plans)
    if (refusals.length > 0) throw new FleetError(refusals)
    if (plans.length > 0) await (await this.#lend(plans[0], this.#links)).close()
  }

  /** Those that were lost and are back are held again. @param {readonly AnyPlan[]} plans - that they are to agree to */
  async #hold(plans) {
    const { version } = this.#options
    const links = this.#links
    const answers = await Promise.allSettled(
      links.map((link, i) => {
        const shares = plans.map(plan => ({ plan, workers: countAgentWorkers(plan, i, links.length) }))
        return link.ask({ kind: 'hold', version, format: BUS_FORMAT, plans: shares }, ANSWER_WITHIN_MS)
      })
    )
    return {
      there: links.filter((_, i) => answers[i].status === 'fulfilled'),
      refusals: answers.flatMap((answer, i) =>
        answer.status === 'fulfilled' ? [] : [{ agent: links[i].name, why: answer.reason.message }]
      )
    }
  }

  /** @param {AnyPlan} plan @param {readonly AgentLink[]} links */
  async #lend(plan, links) {
    const { bus, address, onLostAgent, version, say } = this.#options
    const from = { study: this.#study, cards: links.map(({ card }) => card) }
    const run = randomUUID().slice(0, 8)
    const fleet = await Fleet.open({ bus, address, from, onLostAgent, run, version, plan, say })
    return { fleet, close: () => fleet.close() }
  }

  /** forRun lends them to a run. @type {FleetsSeam['forRun']} */
  async forRun(plan) {
    const { there, refusals } = await this.#hold([plan])
    const goesOn = this.#options.onLostAgent === 'continue' && there.length > 0
    if (refusals.length > 0 && !goesOn) throw new FleetError(refusals)
    for (const { agent, why } of refusals) this.#options.say(`${agent} is not part of the next run: ${why}`)
    return this.#lend(plan, there)
  }

  /** close gives the agents back. */
  async close() {
    await Promise.allSettled(this.#links.map(link => link.ask({ kind: 'release' }, ANSWER_WITHIN_MS)))
    await this.#presence?.end()
    await closeBus(this.#connection)
  }
}
