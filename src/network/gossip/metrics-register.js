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

const nothing = () => {}
const UNCOUNTED = { inc: nothing, set: nothing, addCollect: nothing }
const UNTIMED = { startTimer: () => nothing, observe: nothing, reset: nothing }
const UNSEEN = { set: nothing }

/**
 * countingRegister makes what gossipsub takes as `metricsRegister`, which counts what Counters needs and nothing else. All nodes of a host
 * share one: their counts are summed.
 *
 * @param {{ perNode?: boolean }} [how] - `perNode`: bytes of each node are counted, too
 * @returns {{ register: MetricsRegister, registerOf: (node: number) => MetricsRegister, counts: () => Record<LibraryCounter, number>, bytes: () => NodeBytes }}
 */
export function countingRegister({ perNode = false } = {}) {
  const counts = /** @type {Record<LibraryCounter, number>} */ (
    Object.fromEntries(Object.values(METRICS).map(counter => [counter, 0]))
  )
  /** @type {Map<number, { bytesSent: number, bytesReceived: number }>} */
  const nodes = new Map()
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
      if (counter === undefined) return UNCOUNTED
      const add = adder(counter, own)
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
    bytes: () => ({
      node: Uint16Array.from(nodes.keys()),
      sent: Float64Array.from(nodes.values(), ({ bytesSent }) => bytesSent),
      received: Float64Array.from(nodes.values(), ({ bytesReceived }) => bytesReceived)
    })
  }
}
