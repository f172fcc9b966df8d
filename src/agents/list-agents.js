import { jsonIn, openPresence } from '../bus/stores.js'
import { cardIn } from './from-bus.js'

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
