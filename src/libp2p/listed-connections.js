/**
 * @typedef {import('@libp2p/interface').PeerId} PeerId
 * @typedef {import('@libp2p/interface-internal').ConnectionManager} ConnectionManager
 */

/**
 * listedConnections has libp2p's connection manager list its connections in time that grows with their number. By itself it copies the list
 * anew for each peer in it, and does so with each connection that opens: 5,000 of one peer each take longer than all else that they cost.
 *
 * Given as the service `connectionManager`.
 *
 * @returns {(components: { connectionManager: ConnectionManager }) => ConnectionManager} the same one
 */
export const listedConnections =
  () =>
  ({ connectionManager }) => {
    const ofPeer = connectionManager.getConnections.bind(connectionManager)
    connectionManager.getConnections = peer =>
      peer === undefined ? [...connectionManager.getConnectionsMap().values()].flat() : ofPeer(peer)
    return connectionManager
  }
