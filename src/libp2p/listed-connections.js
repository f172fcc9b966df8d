/**
 * @typedef {import('@libp2p/interface').Connection} Connection
 * @typedef {import('@libp2p/interface-internal').ConnectionManager} ConnectionManager
 *
 * @typedef {object} Components
 * @property {ConnectionManager} connectionManager
 * @property {import('@libp2p/interface').TypedEventTarget<import('@libp2p/interface').Libp2pEvents>} events
 */

/**
 * listedConnections keeps a list of a node's connections. Libp2p makes one whenever it counts them, peer by peer, three times for each connection that
 * opens: of 5,000 peers that takes longer than all else that they cost.
 *
 * Given as the service `connectionManager`.
 *
 * @returns {(components: Components) => ConnectionManager} libp2p's own one
 */
export const listedConnections =
  () =>
  ({ connectionManager, events }) => {
    /** @type {Connection[]} */
    const open = []
    events.addEventListener('connection:open', ({ detail }) => {
      // one that its peer has closed meanwhile is never told to be closed
      if (detail.status === 'open') open.push(detail)
    })
    events.addEventListener('connection:close', ({ detail }) => {
      const at = open.indexOf(detail)
      if (at >= 0) open.splice(at, 1)
    })
    const ofPeer = connectionManager.getConnections.bind(connectionManager)
    connectionManager.getConnections = peer => (peer === undefined ? open.slice() : ofPeer(peer))
    return connectionManager
  }
