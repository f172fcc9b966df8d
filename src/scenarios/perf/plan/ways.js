/**
 * @typedef {'tcp' | 'tls' | 'http' | 'http2'} Baseline
 * @typedef {'upload' | 'download' | 'latency' | 'handshakes'} Measure
 *
 * @typedef {object} Way - how bytes move
 * @property {string} name
 * @property {'libp2p' | Baseline} kind
 * @property {string} [stack] - generation, of libp2p; so the others
 * @property {string} [security]
 * @property {string} [muxer]
 */

/** MEASURES there are, in the order in which they are taken. */
export const MEASURES = /** @type {const} */ (['upload', 'download', 'latency', 'handshakes'])

/** BASELINES there are: what moves the same bytes over the same line without libp2p. */
export const BASELINES = /** @type {const} */ (['tcp', 'tls', 'http', 'http2'])

/** What baselines are called. */
const NAMES = { tcp: 'TCP', tls: 'TLS', http: 'HTTP/1.1', http2: 'HTTP/2' }

/**
 * waysOf are the ways that a plan compares, those over libp2p first.
 *
 * @param {Pick<import('../perf-plan.js').PerfPlan, 'stack' | 'security' | 'muxer' | 'baselines'>} plan
 * @returns {Way[]}
 */
export const waysOf = ({ stack, security, muxer, baselines }) => [
  ...stack.flatMap(stack =>
    security.flatMap(security =>
      muxer.map(muxer => ({
        name: `${stack} ${security} ${muxer}`,
        kind: /** @type {const} */ ('libp2p'),
        stack,
        security,
        muxer
      }))
    )
  ),
  ...baselines.map(kind => ({ name: NAMES[kind], kind }))
]

/** A request of HTTP is no part of a handshake: these are the same as TCP. */
const NO_HANDSHAKE = new Set(['http', 'http2'])

/** shakesHands says whether a way has a handshake of its own. @param {Way} way */
export const shakesHands = ({ kind }) => !NO_HANDSHAKE.has(kind)
