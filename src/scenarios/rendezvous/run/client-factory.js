import { startClientNode } from './client-node.js'
import { LoadClient } from './load-client.js'

/**
 * startClient starts one client.
 *
 * @param {number} index - among all clients of the run
 * @param {Omit<import('./load-client.js').LoadClientComponents, 'node' | 'signedPeerRecord' | 'wire'>} components
 */
export const startClient = async (index, components) =>
  new LoadClient(index, {
    ...components,
    ...(await startClientNode(index, { ...components, server: components.servers[0] }))
  })
