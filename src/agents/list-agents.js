import { openPresence } from '../bus/stores.js'

/**
 * listAgents gives the agents that are there.
 *
 * @param {import('@nats-io/transport-node').NatsConnection} connection
 * @returns {Promise<import('./agent.js').AgentCard[]>} by host, then id
 */
export async function listAgents(connection) {
  const presence = await openPresence(connection)
  /** @type {Map<string, import('./agent.js').AgentCard>} one that beats meanwhile is told twice */
  const cards = new Map()
  for await (const key of await presence.keys('agent.*')) {
    const entry = await presence.get(key)
    if (entry?.operation === 'PUT') cards.set(key, entry.json())
  }
  return [...cards.values()].sort((a, b) => (`${a.host} ${a.id}` < `${b.host} ${b.id}` ? -1 : 1))
}
