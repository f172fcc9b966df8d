import { subStream } from '../kit/random.js'

/**
 * serversInTurn gives all servers in the order in which a client goes to them: its own, and then the others, drawn for each client, so that those of
 * a server that is gone are spread over all that are left.
 *
 * @param {number} client - they are dealt like cards
 * @param {number} servers
 * @param {number} seed
 * @returns {number[]} from 0
 */
export function serversInTurn(client, servers, seed) {
  const own = client % servers
  const weights = Array.from({ length: servers }, (_, server) => subStream(seed, 'sticky', client, server)())
  const others = weights.map((_, server) => server).filter(server => server !== own)
  return [own, ...others.sort((a, b) => weights[b] - weights[a])]
}
