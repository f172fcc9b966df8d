// An agent: the process on another machine that starts the workers of runs, sends back their reports, and tests which
// machines it reaches.
import { randomBytes } from 'node:crypto'
import { hostname, totalmem } from 'node:os'
import { setTimeout as sleep } from 'node:timers/promises'
import pLimit from 'p-limit'
import { countUsableCores } from '../kit/linux.js'
import { waitAtMost } from '../kit/time.js'
import { GENERATOR_FLAGS, startForkedProcess } from '../run/workers.js'
import { SCENARIOS } from '../scenarios/index.js'
import { admitAddress, admitPlan, makeAdmissionCheck, NotAdmittedError } from './admission.js'
import { MessageAssembler, splitMessage } from './bus/message-parts.js'
import {
  BUS_SUBJECTS,
  closeBus,
  connectBus,
  openReportStream,
  PRESENCE_KEYS,
  reportSubject
} from './bus-connection.js'
import {
  AGENT_ENTRIES,
  AGENT_SCENARIOS,
  BUS_FORMAT,
  MESSAGE_SCHEMAS,
  parseBusMessage,
  REQUEST_SCHEMA
} from './messages.js'
import { compareReleases } from './placement.js'
import { startPresence } from './presence.js'
import { findOwnAddress, openProbePort, probeAddress } from './reachability.js'

/** Connections that are tried at once. */
const PROBES_AT_ONCE = 128
/** No machine has more neighbours. */
const MAX_DIALS = 2048

/** PathProbe finds out, before a run, which machines an agent reaches, and lets others find out whether they reach it. */
export class PathProbe {
  #address
  #name
  /** @type {import('./reachability.js').ProbePort | null} */
  #probePort = null

  /** @param {{ address: string, name: string }} of - the agent's machine, and what it calls itself */
  constructor({ address, name }) {
    this.#address = address
    this.#name = name
  }

  /** open listens on a port, for those who know the word. @param {string} word @returns {Promise<{ port: number }>} */
  async open(word) {
    this.shut()
    this.#probePort = await openProbePort(this.#address, word)
    return { port: this.#probePort.port }
  }

  /**
   * knock tries to reach others.
   *
   * @param {readonly Pick<import('./fleet.js').PathDial, 'to' | 'word'>[]} dials
   * @param {(to: string) => void} admit - throws for what the owner of the machine does not allow
   * @returns {Promise<{ obstacles: (string | null)[] }>} what is in the way of each
   */
  async knock(dials, admit) {
    if (dials.length > MAX_DIALS) throw new Error(`at most ${MAX_DIALS} connections are tried`)
    for (const { to } of dials) admit(to)
    const limit = pLimit(PROBES_AT_ONCE)
    const probe = (/** @type {typeof dials[number]} */ { to, word }) => {
      const [, , host, protocol, port] = to.split('/')
      if (protocol !== 'tcp' || !/^\d+$/.test(port ?? '')) throw new Error(`${to} names no port of TCP`)
      return probeAddress({ host, port: Number(port) }, word === null ? null : { word, name: this.#name })
    }
    return { obstacles: await Promise.all(dials.map(dial => limit(() => probe(dial)))) }
  }

  /** shut closes its port. */
  shut() {
    this.#probePort?.close()
    this.#probePort = null
  }
}

/**
 * @typedef {import('../run/workers.js').ForkedProcess} ForkedProcess
 * @typedef {import('./messages.js').WorkerRequest} WorkerRequest
 */

/** Calls that name a file. */
const WRITES = new Set(['startProfile', 'stopProfile', 'startAllocations', 'stopAllocations'])
/** What workers know when a run is broken off they hand over in so long. */
const LAST_WORDS_MS = 700
/** What they handed over may wait so long for a bus that is away. */
const HAND_OVER_MS = 5000

/** LeasedRun is what an agent holds for one run: its workers, and what they tell. */
export class LeasedRun {
  /** @type {Map<number, { started: Promise<ForkedProcess>, ending: AbortController }>} `ending`: ends it at once while it starts */
  #workers = new Map()
  #maxWorkers
  #telling
  #admit

  /**
   * @param {object} parts
   * @param {string} parts.run - its id
   * @param {any} parts.plan
   * @param {number} parts.workers - of the plan's that it may start
   * @param {MessageSender} parts.telling
   * @param {(worker: any) => void} parts.admit - throws for what the owner of the machine does not allow
   */
  constructor({ run, plan, workers, telling, admit }) {
    this.run = run
    this.plan = plan
    this.#maxWorkers = workers
    this.#telling = telling
    this.#admit = admit
  }

  /** take carries out a request and sends its result. @param {WorkerRequest} request */
  async take(request) {
    const { id } = request
    try {
      await this.#telling.tell({ kind: 'result', id, result: await this.#do(request) })
    } catch (error) {
      const { message, code } = /** @type {Error & { code?: string }} */ (error)
      await this.#telling.tell({ kind: 'result', id, error: { message, code } })
    }
  }

  /** @param {WorkerRequest} request @returns {Promise<any>} */
  async #do(request) {
    if (request.kind === 'start') return this.#start(request)
    const { kind, worker } = request
    const handle = this.#workers.get(worker)
    if (handle === undefined) throw new Error(`there is no worker ${worker}`)
    if (kind === 'kill') handle.ending.abort()
    const { call, stop, kill } = await handle.started
    if (kind === 'stop') return stop()
    if (kind === 'kill') return kill()
    const { method, args } = request
    if (method === 'setup') throw new Error(`worker ${worker} was set up already`)
    if (WRITES.has(method)) throw new Error(`an agent writes no files: ${method} was requested`)
    for (const arg of args) this.#admit(arg)
    return call(method, ...args)
  }

  /** @param {Extract<WorkerRequest, { kind: 'start' }>} asked */
  async #start({ worker, entry, name, setup, calls, graceMs }) {
    if (!Object.hasOwn(AGENT_ENTRIES, entry)) throw new Error(`an agent runs no ${entry}`)
    if (this.#workers.has(worker)) throw new Error(`worker ${worker} was started already`)
    if (this.#workers.size >= this.#maxWorkers)
      throw new NotAdmittedError(`this agent runs at most ${this.#maxWorkers} of the workers of the run`)
    this.#admit(setup)
    const ending = new AbortController()
    const started = startForkedProcess({
      entry: AGENT_ENTRIES[/** @type {keyof typeof AGENT_ENTRIES} */ (entry)],
      execArgv: GENERATOR_FLAGS,
      name,
      setup,
      handlers: Object.fromEntries(
        calls.map(method => [
          method,
          (/** @type {any[]} */ ...args) => this.#telling.tell({ kind: 'called', worker, method, args })
        ])
      ),
      onDied: ({ message }) => void this.#telling.tell({ kind: 'died', worker, message }),
      graceMs: graceMs ?? undefined,
      signal: ending.signal
    })
    this.#workers.set(worker, { started, ending })
    await started
  }

  /** end ends all workers; those of a run that was broken off may hand over what they know first. @param {{ brokenOff: string | null }} how */
  async end({ brokenOff }) {
    const workers = [...this.#workers.values()]
    if (brokenOff !== null) for (const { ending } of workers) ending.abort()
    const left = await Promise.allSettled(workers.map(({ started }) => started))
    const processes = left.flatMap(one => (one.status === 'fulfilled' ? [one.value] : []))
    if (brokenOff !== null)
      await Promise.race([
        Promise.allSettled(processes.map(({ call }) => call('abort', brokenOff))).then(() => sleep(100)),
        sleep(LAST_WORDS_MS)
      ])
    await Promise.allSettled(processes.map(({ kill }) => kill()))
    await this.#telling.end(HAND_OVER_MS)
  }
}

const RETRY_MS = 200
const ACK_WITHIN_MS = 1500

/** MessageSender hands over values in order, each once, as soon as the bus takes them: what a link lost is sent again. */
export class MessageSender {
  #stream
  #subject
  #number = 0
  #over = false
  /** @type {Promise<unknown>} */
  #last = Promise.resolve()

  /**
   * @param {Pick<import('@nats-io/jetstream').JetStreamClient, 'publish'>} stream
   * @param {string} subject
   */
  constructor(stream, subject) {
    this.#stream = stream
    this.#subject = subject
  }

  /** tell hands a value over. @param {unknown} value @returns {Promise<void>} when the bus has kept it; it never comes where the end was first */
  tell(value) {
    const id = String(this.#number++)
    const parts = splitMessage(value, id)
    const sending = this.#last.then(async () => {
      for (const [i, part] of parts.entries()) await this.#send(part, `${this.#subject}.${id}.${i}`)
    })
    this.#last = sending
    return sending
  }

  /** @param {import('./bus/message-parts.js').MessagePart} part @param {string} msgID - by which the bus knows what came twice */
  async #send({ payload, headers }, msgID) {
    while (!this.#over)
      try {
        await this.#stream.publish(this.#subject, payload, { msgID, headers, timeout: ACK_WITHIN_MS })
        return
      } catch {
        await sleep(RETRY_MS)
      }
  }

  /** end waits until all is handed over, or the time is up. @param {number} withinMs */
  async end(withinMs) {
    await waitAtMost(this.#last, withinMs)
    this.#over = true
  }
}

/**
 * @typedef {object} AgentOptions
 * @property {import('../plan/agents.js').BusAddress} address - of the bus
 * @property {string | null} ownAddress - of this machine, at which others reach what listens here; null: that which reaches the bus
 * @property {readonly string[]} tags
 * @property {import('./admission.js').AdmissionLimits} limits
 * @property {string} version - of this tool
 * @property {string} [format] - of what it says on the bus
 * @property {(text: string) => void} say - what happens
 *
 * @typedef {{ plan: any, workers: number }} PlanShare - of a run: `workers` of its plan that fall to an agent
 * @typedef {import('./messages.js').AgentCard} AgentCard
 */

/** Requests whose answers are kept: no more are repeated after the bus was away. */
const MAX_TAKEN = 1024

/** Agent holds workers for runs that are made elsewhere. It runs plans, and takes neither code nor paths from the bus. */
export class Agent {
  #options
  #connection
  #stream
  /** @type {import('./presence.js').Presence | null} */
  #presence = null
  /** @type {LeasedRun | null} */
  #leased = null
  /** The study whose runs alone it takes. @type {string | null} */
  #study = null
  #joining = new MessageAssembler()
  /** What came of what it was asked last, by id. @type {Map<string, Promise<object>>} */
  #taken = new Map()
  #pathProbe
  /** @type {AgentCard} */
  card

  /**
   * @param {AgentOptions} options
   * @param {object} parts
   * @param {import('@nats-io/transport-node').NatsConnection} parts.connection
   * @param {import('@nats-io/jetstream').JetStreamClient} parts.stream
   * @param {string} parts.address - of this machine
   */
  constructor(options, { connection, stream, address }) {
    this.#options = options
    this.#connection = connection
    this.#stream = stream
    const id = randomBytes(4).toString('hex')
    this.#pathProbe = new PathProbe({ address, name: id })
    this.card = {
      id,
      host: hostname(),
      address,
      tags: [...options.tags],
      cores: countUsableCores(),
      memoryBytes: totalmem(),
      version: options.version,
      format: options.format ?? BUS_FORMAT,
      node: process.version,
      busy: null
    }
  }

  /**
   * @param {AgentOptions} options
   * @returns {Promise<Agent>}
   * @throws {import('./bus-connection.js').BusError | import('./reachability.js').AddressError}
   */
  static async start(options) {
    const connection = await connectBus(options.address, 'libp2p-loadtest agent')
    try {
      const address = options.ownAddress ?? (await findOwnAddress(options.address))
      const probePort = await openProbePort(address, '')
      probePort.close()
      const agent = new Agent(options, { connection, address, ...(await openReportStream(connection)) })
      await agent.#begin()
      return agent
    } catch (error) {
      await closeBus(connection)
      throw error
    }
  }

  async #begin() {
    const { id } = this.card
    this.#presence = await startPresence({
      address: this.#options.address,
      key: PRESENCE_KEYS.agent(id),
      value: this.card,
      clockOf: id,
      watched: 'run.*',
      onEntry: (key, value) => {
        if (value === null) this.#onPresenceLost(key, 'the coordinator ended it')
      },
      onLost: key => {
        if (key === 'bus') void this.#endAll('the connection to the bus was lost')
        else this.#onPresenceLost(key, 'the coordinator disconnected')
      }
    })
    this.#connection.subscribe(BUS_SUBJECTS.request(id), {
      callback: (_, message) => void this.#onRequest(message)
    })
  }

  /** @param {string} key - of who is gone @param {string} why */
  #onPresenceLost(key, why) {
    if (this.#study !== null && key === PRESENCE_KEYS.run(this.#study)) void this.#endAll(why)
    else if (this.#leased !== null && key === PRESENCE_KEYS.run(this.#leased.run)) void this.#end(why)
  }

  /** @param {import('@nats-io/transport-node').Msg} message */
  async #onRequest(message) {
    try {
      const whole = this.#joining.add(/** @type {any} */ (message))
      this.#answer(
        message,
        whole === null
          ? {}
          : await this.#takeOnce({ ...whole, value: parseBusMessage(MESSAGE_SCHEMAS.request, whole.value) })
      )
    } catch (error) {
      const { message: text, code } = /** @type {Error & { code?: string }} */ (error)
      this.#answer(message, { error: { message: text, code } })
    }
  }

  /** @param {import('@nats-io/transport-node').Msg} message @param {object} answer */
  #answer(message, answer) {
    const [{ payload, headers }] = splitMessage(answer, 'answer')
    message.respond(payload, { headers })
  }

  /** One that did not get its answer, as where the bus was away, asks again. @param {{ id: string, value: any }} asked */
  #takeOnce({ id, value }) {
    const before = this.#taken.get(id)
    if (before !== undefined) return before
    const taken = this.#take(value)
    taken.catch(() => {})
    this.#taken.set(id, taken)
    const [oldest] = this.#taken.keys()
    if (this.#taken.size > MAX_TAKEN) this.#taken.delete(oldest)
    return taken
  }

  /** @param {any} message */
  async #take(message) {
    // checked first: messages of another release may have another form
    if (message.kind === 'hold' || message.kind === 'lease') {
      const other = compareReleases(message, this.card)
      if (other !== null) throw new NotAdmittedError(`it is ${other.ours}, and the run is of ${other.theirs}`)
    }
    const { data, error } = REQUEST_SCHEMA.safeParse(message)
    if (error !== undefined) throw new NotAdmittedError(`it refuses the message: ${error.message}`)
    const request = data
    if (request.kind === 'hold') return this.#hold(request)
    if (request.kind === 'release') {
      if (this.#study === request.run) await this.#endAll(null)
      return {}
    }
    if (request.kind === 'lease') return this.#lease(request)
    const leased = this.#leased
    if (leased === null || leased.run !== request.run)
      throw new NotAdmittedError('this agent no longer has this run')
    if (request.kind === 'open') return this.#pathProbe.open(request.word)
    if (request.kind === 'knock')
      return this.#pathProbe.knock(request.dials, to =>
        admitAddress(to, leased.plan, this.#options.limits.allowTargets)
      )
    if (request.kind === 'shut') this.#pathProbe.shut()
    else if (request.kind === 'end') await this.#end(null)
    else void leased.take(request)
    return {}
  }

  /**
   * It is there for the runs of one study alone, until that ends. A study that asks again is told whether it still is.
   *
   * @param {{ run: string, plans: readonly PlanShare[] }} asked - `run`: the study
   */
  async #hold({ run: study, plans }) {
    for (const share of plans) await this.#admit(share)
    this.#mustBeFreeFor(study)
    if (this.#study === study) return {}
    this.#study = study
    this.#presence?.expect(PRESENCE_KEYS.run(study))
    await this.#tell()
    return {}
  }

  /** @param {string | null} study - whose run is to begin; null: it is of none */
  #mustBeFreeFor(study) {
    if (this.#leased !== null) throw new NotAdmittedError(`it is busy with run ${this.#leased.run}`)
    if (this.#study !== null && this.#study !== study)
      throw new NotAdmittedError(`it is busy with the runs of study ${this.#study}`)
  }

  /** @param {PlanShare} share */
  async #admit({ plan, workers }) {
    const { limits } = this.#options
    if (!AGENT_SCENARIOS.includes(plan?.scenario))
      throw new NotAdmittedError(
        `agents run workers of ${AGENT_SCENARIOS.join(', ')} only, not of ${plan?.scenario}`
      )
    const scenario = await SCENARIOS[plan.scenario].open()
    const { plan: schema } = await scenario.schemas()
    const { error } = schema.safeParse(plan)
    if (error !== undefined) throw new NotAdmittedError(`it refuses the plan: ${error.message}`)
    admitPlan(plan, { limits, workers })
  }

  /** @param {{ run: string, study: string | null } & PlanShare} asked */
  async #lease({ run, study, plan, workers }) {
    const { limits, say } = this.#options
    await this.#admit({ plan, workers })
    this.#mustBeFreeFor(study)
    this.#leased = new LeasedRun({
      run,
      plan,
      workers,
      telling: new MessageSender(this.#stream, reportSubject(run, this.card.id)),
      admit: makeAdmissionCheck(plan, { limits, workers, address: this.card.address })
    })
    this.#presence?.expect(PRESENCE_KEYS.run(run))
    await this.#tell()
    say(`run ${run} begins: ${plan.scenario}`)
    return {}
  }

  /** @param {string | null} brokenOff - why */
  async #endAll(brokenOff) {
    const study = this.#study
    this.#study = null
    if (study !== null) {
      this.#joining.forget(study)
      this.#presence?.forget(PRESENCE_KEYS.run(study))
    }
    await this.#end(brokenOff)
    await this.#tell()
  }

  /** @param {string | null} brokenOff - why */
  async #end(brokenOff) {
    const leased = this.#leased
    if (leased === null) return
    this.#leased = null
    this.#joining.forget(leased.run)
    this.#pathProbe.shut()
    this.#presence?.forget(PRESENCE_KEYS.run(leased.run))
    await leased.end({ brokenOff })
    await this.#tell()
    this.#options.say(`run ${leased.run} has ended${brokenOff === null ? '' : `: ${brokenOff}`}`)
  }

  /** Who has it, on the bus: whoever looks afterwards sees it. */
  async #tell() {
    this.card = { ...this.card, busy: this.#leased?.run ?? this.#study }
    await this.#presence?.tell(this.card)
  }

  /** stop ends the agent, and what it holds. */
  async stop() {
    await this.#endAll('the agent was ended')
    await this.#presence?.end()
    await closeBus(this.#connection)
  }
}
