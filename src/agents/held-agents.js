import { randomUUID } from 'node:crypto'
import { closeBus, connectBus } from '../bus/connect.js'
import { KEY } from '../bus/names.js'
import { startPresence } from '../bus/presence.js'
import { AgentLink } from './agent-link.js'
import { chooseAgents, FleetError } from './choose-agents.js'
import { Fleet } from './fleet.js'
import { passedOver } from './from-bus.js'
import { listAgents } from './list-agents.js'
import { FORMAT } from './messages.js'
import { shareOf } from './paths.js'

/**
 * @typedef {import('../plan/plan.js').AnyPlan} AnyPlan
 * @typedef {import('../workers/fleet.js').Fleets} FleetsSeam
 *
 * @typedef {object} Held - agents that are a study's
 * @property {string} study - its id
 * @property {readonly import('./agent.js').AgentCard[]} cards
 *
 * @typedef {object} HeldOptions
 * @property {import('../plan/bus-address.js').BusAddress} bus
 * @property {string | null} address - of this machine, at which agents reach what listens here; null: that which reaches the bus
 * @property {import('../plan/agents-option.js').Wanted} wanted
 * @property {'continue' | 'stop'} onLostAgent
 * @property {string} version - of this tool
 * @property {readonly AnyPlan[]} plans - that are to be run, as far as they are known
 * @property {(text: string) => void} say - what becomes of agents between runs, and what stands on the bus that is none of ours
 */

/** Between runs they have nothing to do that would hold them up. */
const ANSWER_WITHIN_MS = 4000

/**
 * HeldAgents are those of a study: they are taken once, for all of its runs, and nobody else has them between two of them.
 *
 * @implements {FleetsSeam}
 */
export class HeldAgents {
  #options
  #connection
  #study = randomUUID().slice(0, 8)
  /** @type {AgentLink[]} */
  #links = []
  /** @type {import('../bus/presence.js').Presence | null} */
  #presence = null

  /** @param {HeldOptions} options @param {import('@nats-io/transport-node').NatsConnection} connection */
  constructor(options, connection) {
    this.#options = options
    this.#connection = connection
  }

  /**
   * open takes agents that agree to all plans, and tries who reaches whom for the first of them. Nothing is started.
   *
   * @param {HeldOptions} options
   * @returns {Promise<HeldAgents>}
   * @throws {FleetError | import('./door.js').AddressError | import('../bus/connect.js').BusError}
   */
  static async open(options) {
    const held = new HeldAgents(options, await connectBus(options.bus, 'libp2p-loadtest study'))
    try {
      await held.#take()
      return held
    } catch (error) {
      await held.close()
      throw error
    }
  }

  async #take() {
    const { wanted, version, bus, plans } = this.#options
    const cards = chooseAgents(await listAgents(this.#connection, passedOver(this.#options.say)), wanted, {
      version,
      format: FORMAT
    })
    const of = { connection: this.#connection, run: this.#study }
    this.#links = cards.map(card => new AgentLink(card, of))
    const key = KEY.run(this.#study)
    const silent = { clockOf: null, watched: key, onEntry: () => {}, onLost: () => {} }
    this.#presence = await startPresence({ address: bus, key, value: { version, format: FORMAT }, ...silent })
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
        const shares = plans.map(plan => ({ plan, workers: shareOf(plan, i, links.length) }))
        return link.ask({ kind: 'hold', version, format: FORMAT, plans: shares }, ANSWER_WITHIN_MS)
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
    for (const { agent, why } of refusals) this.#options.say(`${agent} has no part in the next run: ${why}`)
    return this.#lend(plan, there)
  }

  /** close gives the agents back. */
  async close() {
    await Promise.allSettled(this.#links.map(link => link.ask({ kind: 'release' }, ANSWER_WITHIN_MS)))
    await this.#presence?.end()
    await closeBus(this.#connection)
  }
}
