import { subStream } from '../kit/random.js'

/** BALANCES are the ways in which clients are shared out among servers. */
export const BALANCES = Object.freeze(['round-robin', 'random', 'sticky'])

/**
 * serverOf says which server a client goes to.
 *
 * `round-robin`: dealt like cards. `random`: drawn for each client. `sticky`: by the client alone (rendezvous hashing, Thaler and Ravishankar
 * 1998): of those that had another server before, only the share of the new one goes elsewhere when there is one more.
 *
 * @param {number} client
 * @param {number} servers
 * @param {{ balance: string, seed: number }} plan
 * @returns {number} from 0
 */
export function serverOf(client, servers, { balance, seed }) {
  if (balance === 'random') return Math.floor(subStream(seed, 'balance', client)() * servers)
  if (balance === 'round-robin') return client % servers
  const weights = Array.from({ length: servers }, (_, server) => subStream(seed, 'sticky', client, server)())
  return weights.indexOf(Math.max(...weights))
}
