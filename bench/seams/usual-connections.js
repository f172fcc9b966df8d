/** Libp2p lists connections itself. @returns {(components: { connectionManager: object }) => object} */
export const listedConnections =
  () =>
  ({ connectionManager }) =>
    connectionManager
