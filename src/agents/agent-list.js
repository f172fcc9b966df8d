// The list of agents on the bus.
import { MISSING, significant } from '../kit/numbers.js'
import { asMarkdown } from '../kit/text-layout.js'
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

/** @type {readonly [heading: string, cell: (agent: Listed) => string, align: 'l' | 'r'][]} */
const COLUMNS = [
  ['Agent', ({ id }) => id, 'l'],
  ['Host', ({ host }) => host, 'l'],
  ['Address', ({ address }) => address, 'l'],
  ['Tags', ({ tags }) => tags.join(', '), 'l'],
  ['Cores', ({ cores }) => String(cores), 'r'],
  ['Memory GB', ({ memoryBytes }) => significant(memoryBytes / 1e9), 'r'],
  ['Version', ({ version }) => version, 'l'],
  ['Node', ({ node }) => node, 'l'],
  [
    'Clock ms',
    ({ clock }) =>
      clock === null ? MISSING : `${significant(clock.offsetMs)} ± ${significant(clock.errorMs)}`,
    'r'
  ],
  ['Busy with', ({ busy }) => busy ?? MISSING, 'l']
]

/** agentTable shows agents. @param {readonly Listed[]} agents */
export const agentTable = agents =>
  asMarkdown({
    headings: COLUMNS.map(([heading]) => heading),
    align: COLUMNS.map(([, , align]) => align),
    rows: agents.map(agent => COLUMNS.map(([, cell]) => cell(agent)))
  })
