import { closeBus, connectBus } from '../bus/connect.js'
import { significant } from '../kit/numbers.js'
import { asMarkdown, tableFrom } from '../kit/table.js'
import { AgentLink, BURST } from './agent-link.js'
import { passedOver } from './from-bus.js'
import { listAgents } from './list-agents.js'

/**
 * @typedef {import('./agent.js').AgentCard & { clock: import('../bus/clock-estimate.js').Offset | null }} Listed
 */

/**
 * agentsOn gives the agents on a bus, with how their clocks stand to ours.
 *
 * @param {import('../plan/bus-address.js').BusAddress} address
 * @param {(text: string) => void} say - what else is there
 * @returns {Promise<Listed[]>}
 * @throws {import('../bus/connect.js').BusError}
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

/** @type {readonly import('../kit/table.js').Column<Listed>[]} */
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
