import { randomBytes } from 'node:crypto'
import { atAddress } from '../kit/ip-address.js'
import { FleetError } from './choose-agents.js'
import { openDoor } from './door.js'
import { knockedIn, openedIn } from './from-bus.js'
import { pathsOf } from './paths.js'

/**
 * @typedef {import('./agent-link.js').AgentLink} Link
 *
 * @typedef {object} Dial - that an agent is to try
 * @property {string} to - multiaddr, with an address or name and a port of TCP
 * @property {string | null} word - of the door there; null: a server of others
 * @property {string} whose - in messages
 */

/** An agent that cannot reach many others takes some seconds to know. */
const TRIED_WITHIN_MS = 30_000
const HERE = 'this machine, where the run is'

/**
 * tryPaths has each that will dial another one try it, before anything is started.
 *
 * @param {object} of
 * @param {readonly Link[]} of.links
 * @param {any} of.plan
 * @param {string} of.address - of this machine
 * @returns {Promise<string[]>} addresses that agents come from to this machine
 * @throws {FleetError} who does not reach whom
 * @throws {import('./door.js').AddressError}
 */
export async function tryPaths({ links, plan, address }) {
  const paths = pathsOf(plan, links.length)
  const word = randomBytes(16).toString('hex')
  const door = paths.here.length > 0 ? await openDoor(address, word) : null
  const listening = [...new Set(paths.between.map(([, to]) => to))]
  try {
    const doors = new Map(
      await Promise.all(
        listening.map(async to => {
          const { port } = await asked(links[to], { kind: 'open', word }, openedIn)
          return /** @type {const} */ ([to, `${atAddress(links[to].card.address)}/tcp/${port}`])
        })
      )
    )
    const here = door === null ? [] : [{ to: `${atAddress(address)}/tcp/${door.port}`, word, whose: HERE }]
    const theirs = paths.targets.map(to => ({ to, word: null, whose: 'the target' }))
    const tried = links.map((link, agent) => {
      const between = paths.between
        .filter(([from]) => from === agent)
        .map(([, to]) => ({ to: doors.get(to) ?? '', word, whose: links[to].name }))
      return inTheWay(link, [...(paths.here.includes(agent) ? here : []), ...theirs, ...between])
    })
    const found = (await Promise.all(tried)).flat()
    if (found.length > 0) throw new FleetError(found)
    return [...(door?.seen.values() ?? [])]
  } finally {
    door?.close()
    await Promise.allSettled(listening.map(to => links[to].ask({ kind: 'shut' })))
  }
}

/** @param {Link} link @param {Dial[]} dials @returns {Promise<import('./choose-agents.js').Refusal[]>} */
async function inTheWay(link, dials) {
  if (dials.length === 0) return []
  const knocks = dials.map(({ to, word }) => ({ to, word }))
  const { found } = await asked(link, { kind: 'knock', dials: knocks }, knockedIn)
  return dials.flatMap(({ to, whose, word }, i) => {
    const [, , host, , port] = to.split('/')
    // the port of a door was any that was free
    const where = word === null ? `${host}:${port}` : host
    return found[i] == null
      ? []
      : [{ agent: link.name, why: `does not reach ${whose}, at ${where}: ${found[i]}` }]
  })
}

/**
 * Asks an agent, and names it in what it says against it.
 *
 * @template T
 * @param {Link} link
 * @param {{ kind: string } & Record<string, any>} what
 * @param {(answer: unknown) => T} read
 * @returns {Promise<T>}
 */
async function asked(link, what, read) {
  try {
    return read(await link.ask(what, TRIED_WITHIN_MS))
  } catch (error) {
    throw new FleetError([{ agent: link.name, why: /** @type {Error} */ (error).message }])
  }
}
