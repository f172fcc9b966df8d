// The interface that every transfer protocol implements, and its loader. Also measures steady rates and the resources of
// the own process.
import { TokenBucket } from '../../../libp2p/line.js'
import { collectGarbage } from '../../../measure/resources.js'

/**
 * @typedef {import('../plan/transfer-plan.js').ProtocolSetup} ProtocolSetup
 * @typedef {import('./blocks.js').Block} Block
 * @typedef {import('./file-tree.js').FileTree} FileTree
 * @typedef {import('./blocks.js').FileReceiver} FileReceiver
 *
 * @typedef {object} Request - what a requestor asks for
 * @property {string} root - CID
 * @property {string} transfer - its name in the run
 *
 * @typedef {(request: Request, peer: string) => AsyncGenerator<Block>} Serve - the blocks under a root, in order; a block is
 *   released when the next one is requested; waits for its turn
 *
 * @typedef {object} ProviderContent - the content that a provider serves
 * @property {Serve} blocks - of files
 * @property {(bytes: number) => void} onReceived - called with the size of each piece of an upload that arrives
 * @property {(sentBytes: number) => void} onSent - called with the size of each reply of zeros that was written completely
 *
 * @typedef {object} SideConnection - the connection between the sides
 * @property {import('../../../libp2p/line.js').LineSpec | null} line - null: none
 * @property {string} host - address at which the provider listens
 * @property {readonly string[] | null} [peers] - addresses that may connect; null: any, for it listens on this machine alone
 *
 * @typedef {object} Settings
 * @property {ProtocolSetup} way
 * @property {'tcp' | 'websocket' | 'quic'} transport - of libp2p
 * @property {number} [connections] - open before the first request, for protocols that need one for each file
 * @property {string} [peer] - name of the requestor
 * @property {number | null} [windowBytes] - of a stream of Yamux; null: as libp2p has it
 * @property {number} [timeoutMs] - without a byte
 * @property {import('../../../libp2p/node-settings.js').SettingsReader} [reader] - of what nodes have, in the process that makes them
 *
 * @typedef {SideConnection & Settings} NodeSettings
 *
 * @typedef {object} OpenProvider - the provider's side, open
 * @property {any} address - for requestors; structured clone carries it
 * @property {() => Promise<unknown>} close
 *
 * @typedef {object} ExchangeAmounts - of one exchange of zeros
 * @property {number} uploadBytes
 * @property {number} downloadBytes
 * @property {AbortSignal} signal
 * @property {(bytes: number) => void} [onReceived] - called with the size of each piece of the reply
 *
 * @typedef {Pick<import('../../../client/perf-request.js').PerfExchange, 'receivedBytes' | 'firstByteNs' | 'endedNs'>} ExchangeSummary
 *
 * @typedef {object} Link - a connection of a requestor
 * @property {() => unknown} close
 *
 * @typedef {object} FileLink - and of a protocol that moves files
 * @property {() => Promise<void>} roundTrip - with as few bytes as possible
 * @property {(file: FileTree, transfer: string, receiving: FileReceiver, signal: AbortSignal) => Promise<void>} fetch - ends when all blocks
 *   of the file are stored
 * @property {() => number | null} wireBytes - that went through its sockets so far, both ways; null: they cannot be counted
 *
 * @typedef {object} ZerosLink - and of a protocol that moves zeros
 * @property {(signal: AbortSignal) => Promise<(amounts: ExchangeAmounts) => Promise<ExchangeSummary>>} open - opens a stream; gives a function
 *   that makes one exchange on it
 *
 * @typedef {Link & Partial<FileLink & ZerosLink>} AnyLink
 *
 * @typedef {object} ProtocolClient - a requestor's side
 * @property {(signal: AbortSignal) => Promise<AnyLink>} connect - opens a connection of its own
 * @property {() => unknown} stop
 *
 * @typedef {object} ProtocolModule
 * @property {(served: ProviderContent, settings: NodeSettings) => Promise<OpenProvider>} provide
 * @property {(address: any, settings: NodeSettings) => Promise<ProtocolClient>} client
 */

/**
 * shareBandwidth makes all connections of this side share its bandwidth, like those of a host.
 *
 * @template {SideConnection} S
 * @param {S} settings
 * @returns {S}
 */
export function shareBandwidth(settings) {
  const { line } = settings
  if (line === null || line.bytesPerSecond === null) return settings
  const bucket = new TokenBucket({ bytesPerSecond: line.bytesPerSecond })
  return { ...settings, line: { ...line, bucket } }
}

/** @type {Readonly<Record<import('../plan/transfer-plan.js').Protocol, () => Promise<ProtocolModule>>>} */
const MODULES = Object.freeze({
  blocks: async () => (await import('./node-protocols.js')).BLOCKS,
  http: async () => (await import('./socket-protocols.js')).HTTP,
  https: async () => (await import('./socket-protocols.js')).HTTPS,
  http2: async () => (await import('./socket-protocols.js')).HTTP2,
  'libp2p-http': async () => (await import('./libp2p-http.js')).LIBP2P_HTTP,
  stream: async () => (await import('./node-protocols.js')).STREAM,
  perf: async () => (await import('./node-protocols.js')).PERF,
  tcp: async () => (await import('./socket-protocols.js')).TCP,
  tls: async () => (await import('./socket-protocols.js')).TLS
})

/** loadProtocol imports a protocol with the packages it needs. @param {Pick<ProtocolSetup, 'protocol'>} way */
export const loadProtocol = ({ protocol }) => MODULES[protocol]()

const LOOK_EVERY_MS = 20

/**
 * readOwnUsage reads what this process has used so far.
 *
 * @returns {{ cpuMicros: number, rssBytes: number }}
 */
export function readOwnUsage() {
  const { user, system } = process.cpuUsage()
  return { cpuMicros: user + system, rssBytes: process.memoryUsage.rss() }
}

/** A shorter second half came out of buffers, and says nothing about the line. */
const MIN_SECONDS = 0.05

/**
 * SteadyRate measures the rate of the second half of a transfer. That is the steady state, when windows have grown and the line is full.
 */
export class SteadyRate {
  #expectedBytes
  #bytes = 0
  /** @type {{ ns: bigint, bytes: number } | null} */
  #half = null
  /** @type {{ ns: bigint, bytes: number } | null} */
  #last = null

  /** @param {number} expectedBytes - in all its streams together */
  constructor(expectedBytes) {
    this.#expectedBytes = expectedBytes
  }

  /** bytes that arrived. */
  get bytes() {
    return this.#bytes
  }

  /** took adds a piece that arrived. @param {number} bytes @param {bigint} ns - when */
  took(bytes, ns) {
    this.#bytes += bytes
    this.#last = { ns, bytes: this.#bytes }
    if (this.#half === null && this.#bytes * 2 >= this.#expectedBytes) this.#half = this.#last
  }

  /** steadyBytesPerSecond is the rate of the second half; null: it was too short. */
  get steadyBytesPerSecond() {
    if (this.#half === null || this.#last === null) return null
    const seconds = Number(this.#last.ns - this.#half.ns) / 1e9
    return seconds >= MIN_SECONDS ? (this.#last.bytes - this.#half.bytes) / seconds : null
  }
}

/** @typedef {import('../plan/transfer-plan.js').Batch['provider']} Usage - of a process, during a repeat */

/** startUsageWatch begins to measure the use of resources by this process. @returns {() => Usage} ends it */
export function startUsageWatch() {
  const [beganMs, before] = [performance.now(), process.cpuUsage()]
  let peakBytes = process.memoryUsage.rss()
  const look = () => {
    peakBytes = Math.max(peakBytes, process.memoryUsage.rss())
  }
  const timer = setInterval(look, LOOK_EVERY_MS)
  return () => {
    clearInterval(timer)
    look()
    const { user, system } = process.cpuUsage(before)
    return { cpuMs: (user + system) / 1000, wallMs: performance.now() - beganMs, peakBytes }
  }
}

/**
 * @typedef {Pick<NonNullable<import('../plan/transfer-plan.js').FilesOutcome['memory']>[number], 'blocks' | 'before' | 'after'>} MemoryReading
 */

/** @returns {MemoryReading['before']} */
function readOwnMemory() {
  const { rss, heapUsed, external } = process.memoryUsage()
  return { residentBytes: rss, heapBytes: heapUsed, externalBytes: external }
}

/** readMemory reads the memory of this process, before and after a full collection. @param {number | null} blocks @returns {MemoryReading} */
export function readMemory(blocks) {
  const before = readOwnMemory()
  collectGarbage()
  return { blocks, before, after: readOwnMemory() }
}
