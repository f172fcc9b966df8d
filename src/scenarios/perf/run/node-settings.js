/** MANY is more than there ever are. */
export const MANY = 100_000

/** NODE_SETTINGS are what nodes of ours have otherwise than libp2p, and why. */
export const NODE_SETTINGS = {
  'connectionMonitor.enabled': { value: false, why: 'no pings beside what is measured' },
  'connectionManager.dialTimeout': { value: '24 h', why: '--timeout decides' },
  'connectionManager.inboundConnectionThreshold': {
    value: MANY,
    why: 'all connections come from one host; so for other limits of number'
  },
  maxStreams: { value: MANY, why: 'streams still closing count' },
  maxEarlyStreams: { value: MANY, why: 'streams of a transfer are opened as soon as there is a connection' },
  'mplex.disconnectThreshold': {
    value: MANY,
    why: 'it ends a connection on which more streams are opened in a second than this, 5 by default'
  }
}
