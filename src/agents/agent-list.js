// Agents that are on the bus, in a table.

import { significant } from '../kit/numbers.js'
import { asMarkdown, tableFrom } from '../kit/text-layout.js'
import { AgentLink, BURST } from './agent-link.js'
import { closeBus, connectBus, jsonIn, openPresence } from './bus/connection.js'
import { cardIn, passedOver } from './messages.js'

/**
 * listAgents gives the agents that are there.
 *
 * @param {import('@nats-io/transport-node').NatsConnection} connection
 * @param {(place: string) => void} passOver - is told where something else stands
 * @returns {Promise<import('./agent.js').AgentCard[]>} by host, then id
 */
export async function listAgents(connection, passOver) {
  const presence = await openPresence(connection)
  /** @type {Map<string, import('./agent.js').AgentCard>} one that beats meanwhile is told twice */
  const cards = new Map()
  for await (const key of await presence.keys('agent.*')) {
    const entry = await presence.get(key)
    if (entry?.operation !== 'PUT') continue
    const card = cardIn(key, jsonIn(entry))
    if (card === null) passOver(`entry ${key}`)
    else cards.set(key, card)
  }
  return [...cards.values()].sort((a, b) => (`${a.host} ${a.id}` < `${b.host} ${b.id}` ? -1 : 1))
}

/**
 * @typedef {import('./agent.js').AgentCard & { clock: import('./agent-link.js').Offset | null }} Listed
 */

/**
 * agentsOn gives the agents on a bus, with how their clocks stand to ours.
 *
 * @param {import('../plan/agents.js').BusAddress} address
 * @param {(text: string) => void} say - what else is there
 * @returns {Promise<Listed[]>}
 * @throws {import('./bus/connection.js').BusError}
 */
export async function agentsOn(address, say) {
  const connection = await connectBus(address, 'libp2p-loadtest agents')
  try {
    const cards = await listAgents(connection, passedOver(say))
    const links = cards.map(card => new AgentLink(card, { connection, run: '' }))
    await Promise.all(links.map(link => link.measureClock(BURST)))
    return links.map(({ card, clock }) => ({ ...card, clock: clock.told() }))
  } finally {
    await closeBus(connection)
  }
}

/** @type {readonly import('../kit/text-layout.js').Column<Listed>[]} */
const COLUMNS = [
  { heading: 'Agent', align: 'l', cell: ({ id }) => id },
  { heading: 'Host', align: 'l', cell: ({ host }) => host },
  { heading: 'Address', align: 'l', cell: ({ address }) => address },
  { heading: 'Tags', align: 'l', cell: ({ tags }) => tags.join(', ') },
  { heading: 'Cores', cell: ({ cores }) => String(cores) },
  { heading: 'Memory GB', cell: ({ memoryBytes }) => significant(memoryBytes / 1e9) },
  { heading: 'Version', align: 'l', cell: ({ version }) => version },
  { heading: 'Node', align: 'l', cell: ({ node }) => node },
  {
    heading: 'Clock ms',
    cell: ({ clock }) =>
      clock === null ? '–' : `${significant(clock.offsetMs)} ± ${significant(clock.errorMs)}`
  },
  { heading: 'Busy with', align: 'l', cell: ({ busy }) => busy ?? '–' }
]

/** agentTable shows agents. @param {readonly Listed[]} agents */
export const agentTable = agents => asMarkdown(tableFrom(COLUMNS, agents))
