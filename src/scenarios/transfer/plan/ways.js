import { packageLacks } from '../../../docker/installed-packages.js'

const PACKAGE = '@chainsafe/libp2p-quic'
/** Its module is made for this Node and later ones, and is not installed on others. */
const LEAST_NODE = 22

/**
 * quicLacks says why transport quic cannot be used here.
 *
 * @param {string} node - version of Node
 * @returns {string | null} null: it can
 */
export function quicLacks(node) {
  if (Number(node.split('.')[0]) < LEAST_NODE)
    return `wants Node ${LEAST_NODE} or later (${PACKAGE} 2); this is ${node}: use tcp or websocket`
  const why = packageLacks([PACKAGE], { node, install: `npm install ${PACKAGE}@2` })
  return why.length === 0 ? null : `cannot be used here: ${why.join('; ')}`
}

/**
 * @typedef {'blocks' | 'http' | 'https' | 'libp2p-http' | 'stream' | 'perf' | 'tcp' | 'tls' | 'http2'} Protocol - how the bytes move
 * @typedef {'files' | 'upload' | 'download' | 'latency' | 'handshakes'} Measure
 *
 * @typedef {object} Traits - of a protocol
 * @property {string} describe
 * @property {boolean} libp2p - it goes over a connection of libp2p
 * @property {boolean} files - it moves files
 * @property {string} [zeros] - what it is called where it moves bytes that nobody keeps; none: it does not
 * @property {boolean} [handshake] - setting up a connection is more than that of TCP
 * @property {string} [wants] - of Node, by packages that its own bring along: npm leaves them out where that is not so
 * @property {readonly (readonly string[])[]} [needs] - packages beside those that every node has; the first of each by which the next is found
 */

/** PROTOCOLS there are, in the order of all views. @type {Readonly<Record<Protocol, Traits>>} */
export const PROTOCOLS = Object.freeze({
  blocks: {
    describe: 'blocks in the order of a depth-first walk, each asked for by its root',
    libp2p: true,
    files: true
  },
  http: {
    describe: 'HTTP/1.1 of Node, a file as a CAR',
    libp2p: false,
    files: true,
    zeros: 'HTTP/1.1'
  },
  https: { describe: 'the same over TLS', libp2p: false, files: true, zeros: 'HTTPS' },
  'libp2p-http': {
    describe: '@libp2p/http, the blocks as a CAR',
    libp2p: true,
    files: true,
    needs: [['@libp2p/http'], ['@libp2p/http', 'undici']],
    wants: '>=22.19.0'
  },
  stream: { describe: 'one raw libp2p stream, the blocks as a CAR', libp2p: true, files: true },
  perf: { describe: '/perf/1.0.0', libp2p: true, files: false, zeros: 'libp2p', handshake: true },
  tcp: { describe: 'a plain socket', libp2p: false, files: false, zeros: 'TCP', handshake: true },
  tls: { describe: 'the same over TLS 1.3', libp2p: false, files: false, zeros: 'TLS', handshake: true },
  http2: { describe: 'HTTP/2 without TLS', libp2p: false, files: false, zeros: 'HTTP/2' }
})

/** PROTOCOL_NAMES in the order of all views. */
export const PROTOCOL_NAMES = Object.freeze(/** @type {Protocol[]} */ (Object.keys(PROTOCOLS)))

/** FILE_PROTOCOLS move files. */
export const FILE_PROTOCOLS = Object.freeze(PROTOCOL_NAMES.filter(name => PROTOCOLS[name].files))

/** CORE_PROTOCOLS are taken for files where none are named. */
export const CORE_PROTOCOLS = Object.freeze(
  /** @type {Protocol[]} */ (['blocks', 'http', 'libp2p-http', 'stream'])
)

/** ZEROS_PROTOCOLS move bytes that nobody keeps, in the order of their rows; perf goes before what it is compared with. */
export const ZEROS_PROTOCOLS = Object.freeze(
  /** @type {Protocol[]} */ (['perf', 'tcp', 'tls', 'http', 'https', 'http2'])
)

/** MEASURES there are, in the order in which they are taken. */
export const MEASURES = Object.freeze(
  /** @type {Measure[]} */ (['files', 'upload', 'download', 'latency', 'handshakes'])
)

/**
 * measuresOf is what is measured: where nothing is said files, unless by a protocol that moves none.
 *
 * @param {{ measures?: readonly Measure[], protocols?: readonly Protocol[] }} values
 * @returns {readonly Measure[]}
 */
export const measuresOf = ({ measures, protocols = [] }) =>
  measures ??
  MEASURES.filter(name => (name === 'files') === protocols.every(protocol => PROTOCOLS[protocol].files))

/** movesFiles says what is moved: files that are kept and checked, or else zeros that are thrown away. @param {{ measures: readonly string[] }} values */
export const movesFiles = ({ measures }) => measures.includes('files')

/**
 * @typedef {object} Way - one of those that take turns: a protocol, and what a node of libp2p is made of
 * @property {string} name - in results
 * @property {Protocol} protocol
 * @property {string} [stack] - generation of libp2p; default: the present one
 * @property {'noise' | 'plaintext' | 'tls'} [security]
 * @property {'yamux' | 'mplex'} [muxer]
 */

/**
 * waysOf are the ways that a plan compares.
 *
 * @param {import('../transfer-plan.js').TransferPlan} plan
 * @returns {Way[]}
 */
export const waysOf = plan =>
  plan.ways.flatMap(protocol => {
    if (movesFiles(plan)) return [{ name: protocol, protocol, security: plan.security[0] }]
    return protocol === 'perf' ? nodesOf(plan) : [{ name: String(PROTOCOLS[protocol].zeros), protocol }]
  })

/** Every stack with every security and muxer; QUIC has its own. @param {import('../transfer-plan.js').TransferPlan} plan @returns {Way[]} */
const nodesOf = ({ stack, security, muxer, transport }) =>
  transport === 'quic'
    ? stack.map(stack => ({ name: `${stack} quic`, protocol: 'perf', stack }))
    : stack.flatMap(stack =>
        security.flatMap(security =>
          muxer.map(muxer => ({
            name: [stack, security, muxer, ...(transport === 'tcp' ? [] : [transport])].join(' '),
            protocol: /** @type {const} */ ('perf'),
            ...{ stack, security, muxer }
          }))
        )
      )

/**
 * protocolLacks says why a protocol cannot be used here.
 *
 * @param {Protocol} protocol
 * @param {string} [node] - version of Node
 * @returns {string | null} null: it can
 */
export function protocolLacks(protocol, node = process.versions.node) {
  const { needs = [], wants } = PROTOCOLS[protocol]
  const why = needs.flatMap(chain => packageLacks(chain, { node, wants }))
  return why.length === 0 ? null : `${protocol} cannot be used here: ${why.join('; ')}`
}
