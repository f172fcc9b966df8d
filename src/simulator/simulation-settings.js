// Lists for a result how a simulation differs from a real network. Also names the simulator version in digests, by which
// simulations are compared.
import { SEND_BUFFER_BYTES } from './network/wire.js'

/**
 * @typedef {import('../scenarios/gossip/options.js').GossipPlan} GossipPlan
 * @typedef {import('./network/node.js').ProcessingCosts} ProcessingCosts
 */

/**
 * What a node of the real scenario takes, calibrated on it: see docs/simulation.md. Signatures: Ed25519 and secp256k1 as libp2p
 * checks them.
 */
const RPC_NS = 80_000
const SIGNATURE_NS = { ed25519: 100_000, secp256k1: 1_200_000 }
/** For so long the library knows a message, if the plan says nothing else. */
const LIBRARY_SEEN_MS = 120_000

/**
 * makeProcessingCosts gives what nodes take for what comes.
 *
 * @param {Pick<GossipPlan, 'signing' | 'fastMsgId' | 'keyType' | 'gossipsub'>} plan
 * @returns {Readonly<ProcessingCosts>}
 */
export function makeProcessingCosts({ signing, fastMsgId, keyType, gossipsub }) {
  return {
    rpcNs: RPC_NS,
    signatureNs: signing ? SIGNATURE_NS[keyType] : 0,
    signatures: signing ? (fastMsgId ? 'first' : 'every') : 'none',
    seenNs: Number(gossipsub.seenTTL ?? LIBRARY_SEEN_MS) * 1e6
  }
}

/**
 * describeSimulatedSettings lists what a simulated node has other than the library's defaults, and what was assumed of the network beside
 * what the plan says, with the reason; for the result.
 *
 * @param {GossipPlan} plan
 * @returns {Record<string, { value: unknown, why: string }>}
 */
export function describeSimulatedSettings(plan) {
  const { rpcNs, signatureNs, signatures } = makeProcessingCosts(plan)
  return {
    ...SHARED_WORK,
    ...(plan.gossipsub.IPColocationFactorWeight === undefined && {
      'gossipsub.scoreParams.IPColocationFactorWeight': {
        value: 0,
        why: 'the same as on real TCP, where all nodes are on one host'
      }
    }),
    'gossipsub.metricsRegister': {
      value: 'counts RPCs, bytes, control messages and duplicates',
      why: 'the figures of the result'
    },
    'simulated.processing.rpcNs': { value: rpcNs, why: 'what a node takes for each RPC that comes' },
    'simulated.processing.signatureNs': {
      value: signatureNs,
      why: `what it takes to check a signature; checked: ${SIGNATURES_CHECKED[signatures]}`
    },
    ...(plan.signing && plan.keyType === 'ed25519' && SHARED_CHECKS),
    'simulated.heartbeatPhase': {
      value: 'random at each node',
      why: 'nodes are not started at the same moment'
    },
    'simulated.sendBufferBytes': {
      value: plan.sendQueue == null ? SEND_BUFFER_BYTES : null,
      why: 'waits for the line before streams hold on to more; null: --sendQueue is the bound'
    }
  }
}

/** What is done once for all nodes, which are in one process. What it costs a node in the simulation stands beside it. */
const SHARED_CHECKS = {
  'node:crypto.verify': {
    value: 'remembers what it has checked',
    why: 'the simulation itself checks each Ed25519 signature once, instead of once for each copy'
  }
}
const SHARED_WORK = {
  'gossipsub.msgIdFn, msgIdToStrFn': {
    value: 'the ids of the library',
    why: 'made once for all nodes, instead of once for each copy that one of them gets'
  }
}

/** @type {Record<ProcessingCosts['signatures'], string>} */
const SIGNATURES_CHECKED = {
  none: 'none',
  every: 'that of every copy',
  first: 'that of the first copy of a message'
}

/**
 * ENGINE is which order of events a simulation has. It stands before each digest: those of different engines say nothing about each other.
 *
 * 1: what happened to be asked for first came first. 2: what comes to a node at one moment comes in the order of who it is from; a node knows
 * of others what came over its links, and nothing sooner. 3: a node dials one peer after the other, as on every network. 4: what libp2p
 * hands a socket in parts is several segments, and losses are noticed as by Linux (RACK, TLP). 5: so are time-outs, which new segments put off.
 * 6: a link takes time where no latency is asked for. 7: nodes that connect say as much to one another, in as many segments, as stock ones.
 */
const ENGINE = 7

/** digestWithEngine puts the engine before a digest. @param {string} hex */
export const digestWithEngine = hex => `engine-${ENGINE}:${hex}`

/** readEngine is what simulated the run of a digest, as in `engine-7`; the first one had no name. @param {string} digest */
export const readEngine = digest => (digest.includes(':') ? digest.split(':')[0] : 'engine-1')
