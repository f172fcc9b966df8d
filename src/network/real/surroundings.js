import { networkInterfaces } from 'node:os'
import { throttledMs } from '../../kit/control-group.js'
import { atAddress } from '../../kit/ip-address.js'
import { ownContainerMemory } from '../../measure/own-container.js'
import { isRouted } from '../links/asks-of-links.js'
import { deviceCounts } from '../namespaces/device-counts.js'
import { addressOf } from '../namespaces/frames.js'

/**
 * @typedef {import('../node-host.js').HostSetup} HostSetup
 * @typedef {HostSetup['plan']} Plan
 */

/** Who is alone in its namespace is found at the same place when it returns. */
const PORT = 4001

/** listenIn is where nodes listen. @param {HostSetup} setup @returns {string | undefined} multiaddr of TCP; undefined: on loopback */
export function listenIn({ plan, worker, nodes, address }) {
  if (plan.network === 'loopback') return address === undefined ? undefined : `${atAddress(address)}/tcp/0`
  const own = isRouted(plan) ? addressOf(worker) : ownAddress()
  return `/ip4/${own}/tcp/${nodes.length === 1 ? PORT : 0}`
}

/** That the engine gave this container. */
const ownAddress = () =>
  Object.values(networkInterfaces())
    .flatMap(all => all ?? [])
    .find(({ family, internal }) => family === 'IPv4' && !internal)?.address

/** @param {string} network */
function countsOf(network) {
  const { receivedBytes, sentBytes } = deviceCounts()
  const heldBackMs = network === 'docker' ? throttledMs() : null
  return { receivedBytes, sentBytes, ...(heldBackMs !== null && { heldBackMs }) }
}

/** aroundOf is what nodes have around them to be measured. @param {Plan} plan @returns {Partial<import('./usage-meter.js').Around>} */
export const aroundOf = ({ network }) => ({
  ...(network !== 'loopback' && { counts: () => countsOf(network) }),
  ...(network === 'docker' && { memoryBytes: () => ownContainerMemory() })
})
