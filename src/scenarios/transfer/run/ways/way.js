import { TokenBucket } from '../../../../line/token-bucket.js'

/**
 * What a way of moving bytes has at each side. Only types live here.
 *
 * @typedef {import('../car.js').Block} Block
 * @typedef {import('../file-tree.js').FileTree} FileTree
 * @typedef {import('../receiving.js').Receiving} Receiving
 *
 * @typedef {object} Request - what a requestor asks for
 * @property {string} root - CID
 * @property {string} transfer - its name in the run
 *
 * @typedef {(request: Request, peer: string) => AsyncGenerator<Block>} Serve - the blocks under a root, in order, each of which is let go
 *   of when the next one is asked for; it waits for its turn
 *
 * @typedef {object} NodeSettings - of what is between the sides
 * @property {import('../../../../line/line.js').LineSpec | null} line - null: none
 * @property {string} host - address at which the provider listens
 * @property {readonly string[] | null} [peers] - addresses that it takes connections of; null: of everybody, on this machine alone
 * @property {'noise' | 'plaintext' | 'tls'} security - of libp2p
 * @property {'tcp' | 'websocket' | 'quic'} transport - of libp2p
 * @property {number} connections - transfers of a requestor at once, for ways that need a connection for each
 * @property {import('../../../../libp2p/node-settings.js').SettingsReader} [reader] - of what nodes have, in the process that makes them
 *
 * @typedef {object} Provided - the provider's side, open
 * @property {string} address - for requestors
 * @property {() => Promise<void>} close
 *
 * @typedef {object} Connected - a requestor's side, connected
 * @property {() => Promise<void>} roundTrip - there and back, as little as goes
 * @property {(file: FileTree, transfer: string, receiving: Receiving, signal: AbortSignal) => Promise<void>} fetch - ends when all blocks
 *   of the file are stored
 * @property {() => number | null} wireBytes - that went through its sockets so far, both ways; null: they cannot be counted
 * @property {() => Promise<void>} close
 *
 * @typedef {object} WayProvider
 * @property {(serve: Serve, settings: NodeSettings) => Promise<Provided>} provide
 *
 * @typedef {object} WayRequestor
 * @property {(address: string, how: { settings: NodeSettings, peer: string, signal: AbortSignal }) => Promise<Connected>} connect -
 *   `peer`: its name
 *
 * @typedef {WayProvider & WayRequestor} WayModule
 */

/**
 * withOwnLimit has all connections of this side share what it can send, as those of a host do.
 *
 * @param {NodeSettings} settings
 * @returns {NodeSettings}
 */
export function withOwnLimit(settings) {
  const { line } = settings
  if (line === null || line.bytesPerSecond === null) return settings
  const bucket = new TokenBucket({ bytesPerSecond: line.bytesPerSecond })
  return { ...settings, line: { ...line, bucket } }
}
