import { isLoopbackHost, LOOPBACK_NETWORKS, networkOfOne } from '../kit/ip-address.js'

const OF_LOOPBACK = LOOPBACK_NETWORKS.join(',')
/** Addresses of network namespaces, see network/namespaces/frames.js. */
const OF_NAMESPACES = '/ip4/10.0.0.0/ipcidr/8'

/** @typedef {import('../workers/fleet.js').Fleet} Fleet */

/**
 * ownMachines are the options of our server by which it knows the machines of a run: none of them is held to what a stranger may, and
 * where others could reach the server, it listens to none of them.
 *
 * @param {Pick<Fleet, 'address' | 'peers'>} [fleet] - none: all of the run is on this machine
 * @param {'loopback' | 'namespaces'} [network] - what joins the processes on it
 * @returns {{ unlimitedFrom: string, onlyFrom?: string }}
 */
export function ownMachines(fleet, network = 'loopback') {
  if (network === 'namespaces') return { unlimitedFrom: `${OF_LOOPBACK},${OF_NAMESPACES}` }
  if (fleet === undefined) return { unlimitedFrom: OF_LOOPBACK }
  const others = [...new Set([fleet.address, ...fleet.peers])].filter(address => !isLoopbackHost(address))
  const all = [OF_LOOPBACK, ...others.map(networkOfOne)].join(',')
  return { unlimitedFrom: all, ...(!isLoopbackHost(fleet.address) && { onlyFrom: all }) }
}
