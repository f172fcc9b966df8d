// Lists the agents that are connected to a NATS bus, with the offsets of their clocks, and prints them as a table.
import { formatSignificant, MISSING_TEXT } from '../kit/numbers.js'
import { formatMarkdownTable } from '../kit/text-layout.js'
import { AgentLink, CLOCK_BURST } from './agent-link.js'
import { closeBus, connectBus, openPresenceBucket, readJsonEntry } from './bus-connection.js'
import { makeIgnoredReport, readAgentCard } from './messages.js'

/**
 * listAgents gives the agents that are there.
 *
 * @param {import('@nats-io/transport-node').NatsConnection} connection
 * @param {(place: string) => void} passOver - is told where something else stands
 * @returns {Promise<import('./agent.js').AgentCard[]>} by host, then id
 */
export async function listAgents(connection, passOver) {
  const presence = await openPresenceBucket(connection)
  /** @type {Map<string, import('./agent.js').AgentCard>} one that beats meanwhile is told twice */
  const cards = new Map()
  for await (const key of await presence.keys('agent.*')) {
    const entry = await presence.get(key)
    if (entry?.operation !== 'PUT') continue
    const card = readAgentCard(key, readJsonEntry(entry))
    if (card === null) passOver(`entry ${key}`)
    else cards.set(key, card)
  }
  return [...cards.values()].sort((a, b) => (`${a.host} ${a.id}` < `${b.host} ${b.id}` ? -1 : 1))
}

/**
 * @typedef {import('./agent.js').AgentCard & { clock: import('./agent-link.js').ClockOffset | null }} AgentWithClock
 */

/**
 * listAgentsWithClocks gives the agents on a bus, with how their clocks stand to ours.
 *
 * @param {import('../plan/agents.js').BusAddress} address
 * @param {(text: string) => void} say - what else is there
 * @returns {Promise<AgentWithClock[]>}
 * @throws {import('./bus-connection.js').BusError}
 */
export async function listAgentsWithClocks(address, say) {
  const connection = await connectBus(address, 'libp2p-loadtest agents')
  try {
    const cards = await listAgents(connection, makeIgnoredReport(say))
    const links = cards.map(card => new AgentLink(card, { connection, run: '' }))
    await Promise.all(links.map(link => link.measureClock(CLOCK_BURST)))
    return links.map(({ card, clock }) => ({ ...card, clock: clock.getOffset() }))
  } finally {
    await closeBus(connection)
  }
}

/** @type {readonly [heading: string, cell: (agent: AgentWithClock) => string, align: 'l' | 'r'][]} */
const COLUMNS = [
  ['Agent', ({ id }) => id, 'l'],
  ['Host', ({ host }) => host, 'l'],
  ['Address', ({ address }) => address, 'l'],
  ['Tags', ({ tags }) => tags.join(', '), 'l'],
  ['Cores', ({ cores }) => String(cores), 'r'],
  ['Memory GB', ({ memoryBytes }) => formatSignificant(memoryBytes / 1e9), 'r'],
  ['Version', ({ version }) => version, 'l'],
  ['Node', ({ node }) => node, 'l'],
  [
    'Clock ms',
    ({ clock }) =>
      clock === null
        ? MISSING_TEXT
        : `${formatSignificant(clock.offsetMs)} ± ${formatSignificant(clock.errorMs)}`,
    'r'
  ],
  ['Busy with', ({ busy }) => busy ?? MISSING_TEXT, 'l']
]

/** formatAgentTable shows agents. @param {readonly AgentWithClock[]} agents */
export const formatAgentTable = agents =>
  formatMarkdownTable({
    headings: COLUMNS.map(([heading]) => heading),
    align: COLUMNS.map(([, , align]) => align),
    rows: agents.map(agent => COLUMNS.map(([, cell]) => cell(agent)))
  })
