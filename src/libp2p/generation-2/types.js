/**
 * What generation 2 of libp2p calls things, as far as it is used here. Multiaddrs are given to it and taken from it as strings.
 *
 * @typedef {import('uint8arraylist').Uint8ArrayList} Uint8ArrayList
 * @typedef {import('@libp2p/interface').AbortOptions} AbortOptions
 * @typedef {import('@libp2p/interface').PeerId} PeerId
 *
 * @typedef {object} Stream2 - a duplex: it is read from its source, and what its sink is given is sent
 * @property {string} id
 * @property {'inbound' | 'outbound'} direction
 * @property {string} [protocol]
 * @property {'open' | 'closing' | 'closed' | 'aborted' | 'reset'} status
 * @property {import('@libp2p/interface').Logger} log
 * @property {AsyncIterable<Uint8Array | Uint8ArrayList>} source
 * @property {(source: AsyncIterable<Uint8Array | Uint8ArrayList>) => Promise<void>} sink
 * @property {(options?: AbortOptions) => Promise<void>} closeRead
 * @property {(error: Error) => void} abort
 *
 * @typedef {object} Connection2
 * @property {string} id
 * @property {{ toString: () => string }} remoteAddr
 * @property {PeerId} remotePeer
 * @property {Stream2[]} streams
 * @property {'inbound' | 'outbound'} direction
 * @property {{ open: number, upgraded?: number, close?: number }} timeline
 * @property {string} [multiplexer]
 * @property {string} [encryption]
 * @property {'open' | 'closing' | 'closed'} status
 * @property {import('@libp2p/interface').ConnectionLimits} [limits]
 * @property {number} [rtt]
 * @property {import('@libp2p/interface').Logger} log
 * @property {(protocols: string | string[], options?: object) => Promise<Stream2>} newStream
 * @property {(options?: AbortOptions) => Promise<void>} close
 * @property {(error: Error) => void} abort
 *
 * @typedef {(data: { stream: Stream2, connection: Connection2 }) => void} StreamHandler2
 *
 * @typedef {object} Components2
 * @property {{ handle: (protocol: string, handler: StreamHandler2, options?: object) => Promise<void>,
 *   unhandle: (protocol: string) => Promise<void>,
 *   register: (protocol: string, topology: Topology2) => Promise<string> }} registrar
 * @property {{ openConnection: (peer: any, options?: object) => Promise<Connection2> }} connectionManager
 * @property {{ dial: (address: any, options?: object) => Promise<Connection2> }} transportManager
 * @property {{ getAddresses: () => { toString: () => string }[] }} addressManager
 *
 * @typedef {object} Topology2
 * @property {(peerId: PeerId, connection: Connection2) => void} [onConnect]
 *
 * @typedef {object} Node2
 * @property {PeerId} peerId
 * @property {Record<string, unknown>} services
 * @property {unknown} peerStore
 * @property {string} status
 * @property {() => void | Promise<void>} start
 * @property {() => void | Promise<void>} stop
 * @property {(peerId?: PeerId) => Connection2[]} getConnections
 * @property {() => PeerId[]} getPeers
 * @property {() => { toString: () => string }[]} getMultiaddrs
 * @property {() => string[]} getProtocols
 * @property {(peer: any, options?: object) => Promise<Connection2>} dial
 * @property {(peer: any, options?: object) => Promise<void>} hangUp
 * @property {(type: any, listener: any, options?: any) => void} addEventListener
 * @property {(type: any, listener: any, options?: any) => void} removeEventListener
 */

export {}
