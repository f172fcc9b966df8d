import { counted, spell } from '../../../kit/numbers.js'
import { isSimulated } from './is-simulated.js'

/** @typedef {import('../gossip-types.js').NetworkResult} NetworkResult */

/** What the choices of the nodes are called. @type {Record<string, string>} */
const NAMES = {
  noise: 'Noise',
  plaintext: 'no encryption',
  yamux: 'Yamux',
  mplex: 'mplex',
  ed25519: 'Ed25519',
  secp256k1: 'secp256k1'
}

/** @param {string} name */
const called = name =>
  name
    .split(',')
    .map(each => NAMES[each] ?? each)
    .join(' or ')

/** @param {string[]} texts */
const distinct = texts => [...new Set(texts)].join('; ')

/** @param {NetworkResult} result */
function nodes({ plan }) {
  const { workers, security, transport, muxer, signing, keyType, preset, seed } = plan
  const signed = signing ? `messages signed with ${called(keyType)} keys` : 'messages not signed'
  const parameters = preset === 'default' ? "the library's parameters" : `parameters of ${preset}`
  const joined = isSimulated(plan)
    ? `simulated, in virtual time`
    : `${transport === 'websocket' ? 'WebSockets' : 'TCP'} with ${called(security)} and ${called(muxer)}`
  return `in ${counted(workers, 'process', 'processes')}, ${joined}, ${signed}, ${parameters}, seed ${seed}`
}

/** @param {NetworkResult} result */
function protocol({ plan: { warmupMs, warmupTimeoutMs, cooldownMs } }) {
  const warmUp =
    warmupMs == null
      ? `until the mesh had formed, ${spell(warmupTimeoutMs)} at most`
      : `of ${spell(warmupMs)}`
  return `nodes started for the row alone; warm-up ${warmUp}; then the messages; then until everything had arrived, ${spell(cooldownMs)} at most`
}

/**
 * gossipSetting says how the rows of a matrix were measured.
 *
 * @param {NetworkResult[]} results
 * @returns {string[]} lines of markdown
 */
export const gossipSetting = results => [
  `- Nodes: ${distinct(results.map(nodes))}`,
  `- Each row: ${distinct(results.map(protocol))}`
]
