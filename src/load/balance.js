import { subStream } from '../kit/random.js'

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
  return byWeight(client, servers, seed)[0]
}

/**
 * serversInTurn gives all servers in the order in which a client goes to them: its own, and then the others, drawn for each client, so that those of
 * a server that is gone are spread over all that are left.
 *
 * @param {Parameters<typeof serverOf>} of
 * @returns {number[]} from 0
 */
export function serversInTurn(...of) {
  const [client, servers, { seed }] = of
  const own = serverOf(...of)
  return [own, ...byWeight(client, servers, seed).filter(server => server !== own)]
}

/** @param {number} client @param {number} servers @param {number} seed @returns {number[]} the heaviest first */
function byWeight(client, servers, seed) {
  const weights = Array.from({ length: servers }, (_, server) => subStream(seed, 'sticky', client, server)())
  return weights.map((_, server) => server).sort((a, b) => weights[b] - weights[a])
}
