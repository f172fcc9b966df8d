/**
 * @typedef {import('@libp2p/gossipsub/metrics').MetricsRegister} MetricsRegister
 * @typedef {import('../node-host.js').Counters} Counters
 * @typedef {import('../node-host.js').NodeBytes} NodeBytes
 * @typedef {Exclude<keyof Counters, 'accepted' | 'ignored' | 'rejected' | 'foreign'>} LibraryCounter - those of Counters that the
 *   library counts
 */

/**
 * What each counter is in the library (read in the sources of @libp2p/gossipsub 17.1.1).
 *
 * | counter | what is counted there |
 * |---|---|
 * | duplicates | copies whose id was in the seen cache, own messages that came back among them. With signing and without fast ids the signature of each has been checked by then |
 * | bytesSent, bytesReceived | encoded RPCs without their length prefix; sent: handed to the stream, whether or not they have left it |
 * | rpcsSent, rpcsReceived | RPCs, also those of peers whose score is too low to be listened to |
 * | messagesSent, messagesReceived | messages inside RPCs, first copies and further ones |
 * | ihaveSent, iwantSent | entries of control messages: an IHAVE is one topic to one peer, an IWANT one request; each names many message ids |
 * | graftSent, pruneSent | entries: one topic to one peer |
 * | idontwantSent | entries: in this library each names one message id |
 * | promisesBroken | a message id drawn from each IWANT is remembered; broken when it has not come within gossipsubIWantFollowupMs. Looked at on heartbeats |
 *
 * @type {Readonly<Record<string, LibraryCounter>>}
 */
export const METRICS = {
  gossipsub_pre_validation_duplicate_total: 'duplicates',
  gossipsub_rpc_sent_bytes_total: 'bytesSent',
  gossipsub_rpc_recv_bytes_total: 'bytesReceived',
  gossipsub_rpc_sent_count_total: 'rpcsSent',
  gossipsub_rpc_recv_count_total: 'rpcsReceived',
  gossipsub_rpc_sent_message_total: 'messagesSent',
  gossipsub_rpc_recv_message_total: 'messagesReceived',
  gossipsub_rpc_sent_ihave_total: 'ihaveSent',
  gossipsub_rpc_sent_iwant_total: 'iwantSent',
  gossipsub_rpc_sent_graft_total: 'graftSent',
  gossipsub_rpc_sent_prune_total: 'pruneSent',
  gossipsub_rpc_sent_idontwant_total: 'idontwantSent',
  gossipsub_iwant_promise_broken: 'promisesBroken'
}

/** GRAFT_REASONS are why peers came into a mesh. `subscribed`: they sent a GRAFT, or subscribed while the mesh was below D_low. */
export const GRAFT_REASONS = /** @type {const} */ ([
  ...['fanout', 'random', 'subscribed', 'outbound', 'notEnough', 'opportunistic', 'unknown']
])

/** PRUNE_REASONS are why peers left a mesh. `prune`: they sent a PRUNE. */
export const PRUNE_REASONS = /** @type {const} */ (['disconnected', 'badScore', 'prune', 'excess', 'unknown'])

const inSnakeCase = (/** @type {string} */ name) =>
  name.replace(/[A-Z]/g, letter => `_${letter.toLowerCase()}`)

/** Metrics that count peers coming into meshes, and leaving them. */
const MESH_CHANGES = [
  ...GRAFT_REASONS.map(reason => `gossipsub_mesh_peer_inclusion_events_${inSnakeCase(reason)}_total`),
  ...PRUNE_REASONS.map(reason => `gossipsub_peer_churn_events_${inSnakeCase(reason)}_total`)
]

const nothing = () => {}
const UNCOUNTED = { inc: nothing, set: nothing, addCollect: nothing }
const UNTIMED = { startTimer: () => nothing, observe: nothing, reset: nothing }
const UNSEEN = { set: nothing }

/**
 * countingRegister makes what gossipsub takes as `metricsRegister`, which counts what Counters needs and nothing else. All nodes of a host
 * share one: their counts are summed.
 *
 * @param {{ perNode?: boolean }} [how] - `perNode`: bytes of each node are counted, too
 * @returns {{ register: MetricsRegister, registerOf: (node: number) => MetricsRegister, counts: () => Record<LibraryCounter, number>, bytes: () => NodeBytes,
 *   meshChanges: () => number[] }} `meshChanges`: by GRAFT_REASONS, and then PRUNE_REASONS
 */
export function countingRegister({ perNode = false } = {}) {
  const counts = /** @type {Record<LibraryCounter, number>} */ (
    Object.fromEntries(Object.values(METRICS).map(counter => [counter, 0]))
  )
  /** @type {Map<number, { bytesSent: number, bytesReceived: number }>} */
  const nodes = new Map()
  const meshChanges = MESH_CHANGES.map(() => 0)
  /** @param {LibraryCounter} counter @param {{ bytesSent: number, bytesReceived: number }} [own] */
  const adder = (counter, own) =>
    own !== undefined && (counter === 'bytesSent' || counter === 'bytesReceived')
      ? (by = 1) => {
          counts[counter] += by
          own[counter] += by
        }
      : (by = 1) => {
          counts[counter] += by
        }
  /** @param {{ bytesSent: number, bytesReceived: number }} [own] @returns {MetricsRegister} */
  const registerWith = own => {
    const gauge = (/** @type {{ name: string, labelNames?: string[] }} */ { name, labelNames }) => {
      const counter = METRICS[name]
      const change = MESH_CHANGES.indexOf(name)
      if (counter === undefined && change < 0) return UNCOUNTED
      const ofMesh = (by = 1) => {
        meshChanges[change] += by
      }
      const add = change < 0 ? adder(counter, own) : ofMesh
      // the library passes labels first where there are any
      const inc = labelNames === undefined ? add : (/** @type {unknown} */ _labels, by = 1) => add(by)
      return { ...UNCOUNTED, inc }
    }
    return /** @type {MetricsRegister} */ (
      /** @type {unknown} */ ({ gauge, histogram: () => UNTIMED, avgMinMax: () => UNSEEN })
    )
  }
  const register = registerWith()
  return {
    register,
    registerOf(node) {
      if (!perNode) return register
      const own = nodes.get(node) ?? { bytesSent: 0, bytesReceived: 0 }
      nodes.set(node, own)
      return registerWith(own)
    },
    counts: () => ({ ...counts }),
    meshChanges: () => [...meshChanges],
    bytes: () => ({
      node: Uint16Array.from(nodes.keys()),
      sent: Float64Array.from(nodes.values(), ({ bytesSent }) => bytesSent),
      received: Float64Array.from(nodes.values(), ({ bytesReceived }) => bytesReceived)
    })
  }
}
