import { subscriptionsOf } from '../../../load/subscriptions.js'
import { byteRange } from '../../../plan/ranges.js'
import { onOrOff } from '../../../plan/values.js'
import { maxMessageBytes, messageBytesProblem } from '../../gossip/plan/gossipsub-params.js'
import { topics } from '../../gossip/plan/topics.js'

/**
 * Full peers are clients that are nodes of a gossip network too: they register, discover one another, dial, and publish.
 *
 * @typedef {import('../../../plan/option.js').Option} Option
 * @typedef {import('../../../plan/option.js').Rule} Rule
 * @typedef {Record<string, any>} Values - of options, by flag
 */

/** Nonce of the run and number of the message stand in every payload. */
const MIN_BYTES = 8
/** Rows of deliveries number nodes by 16 bits. */
const MAX_PEERS = 60_000

/** DIALS: gossipsub's D, so many peers of each of its topics a client dials. */
export const DIALS = 6

/** WARM_UP_MESSAGES: messages of the warm-up are numbered from here, so that those that arrive later are not taken for others. */
export const WARM_UP_MESSAGES = 2 ** 31

/**
 * publishes says whether the clients of a plan are full peers.
 *
 * @param {{ mix?: Record<string, number | undefined> | null }} plan
 */
export const publishes = ({ mix }) => (mix?.publish ?? 0) > 0

/**
 * peerSubscriptions are the topics of each client. Whoever draws none is in one all the same, since it publishes.
 *
 * @param {Parameters<typeof subscriptionsOf>[0]} network
 */
export const peerSubscriptions = network =>
  subscriptionsOf(network).map((own, client) => (own.length > 0 ? own : [client % network.topics.length]))

/**
 * topicsOf says in which topics clients are.
 *
 * @param {Pick<import('../../../plan/plan.js').Plan, 'seed' | 'nClients' | 'mix' | 'topics'>} plan
 * @returns {{ all: number, of: (client: number) => readonly number[] }} `all`: how many there are; 0: clients are no full peers
 */
export function topicsOf({ seed, nClients, mix, topics = [] }) {
  if (!publishes({ mix })) return { all: 0, of: () => [] }
  const subscriptions = peerSubscriptions({ seed, nodes: nClients, topics })
  return { all: topics.length, of: client => subscriptions[client] }
}

/** @param {Values} values */
const isAsked = ({ benchmarkType, mix }) => benchmarkType === 'MIXED' && publishes({ mix })

/** @type {Readonly<import('../../../plan/option.js').Condition>} */
const OF_PEERS = {
  of: 'publish in --mix',
  needs: ['mix', 'benchmarkType'],
  met: isAsked,
  otherwise: 'needs publish in --mix, as in --mix register=1,discover=8,publish=4'
}

const PLACE = {
  only: OF_PEERS,
  ofSomePlans: true,
  ofCase: true
}

/**
 * peerOptions say what full peers publish, under the names of the scenario gossip.
 *
 * @param {string} group - heading in --help
 * @returns {Readonly<Record<string, Readonly<Option>>>}
 */
export const peerOptions = group => ({
  topics: {
    group,
    default: '1',
    ...topics(),
    ...PLACE,
    describe:
      'with publish in --mix: how many of the namespaces are topics, in which clients register, discover and publish; or topics with the chance that a client is in each: foo=0.7,bar=0.4'
  },
  messageBytes: {
    group,
    default: '1000',
    ...byteRange({ least: MIN_BYTES, most: maxMessageBytes(), why: messageBytesProblem }),
    ...PLACE,
    describe: 'with publish in --mix: size of a message, or a range of sizes, such as 64kB or 8KiB-16KiB'
  },
  signing: {
    group,
    default: 'on',
    ...onOrOff(),
    ...PLACE,
    describe: 'with publish in --mix: messages are signed (StrictSign), or carry no author (StrictNoSign)'
  }
})

/**
 * withMix takes a mix that somebody asks for as a wish for MIXED.
 *
 * @param {Values} values
 * @param {ReadonlyMap<string, unknown>} given
 * @returns {Values}
 */
export const withMix = (values, given) =>
  given.has('mix') && !given.has('benchmarkType') ? { ...values, benchmarkType: 'MIXED' } : values

/** PEER_RULES are the combinations with full peers that cannot be run. @type {readonly Rule[]} */
export const PEER_RULES = [
  {
    flag: 'nClients',
    needs: OF_PEERS.needs,
    refuse: values =>
      isAsked(values) &&
      !(values.nClients >= 2 && values.nClients <= MAX_PEERS) &&
      `must be from 2 to ${MAX_PEERS} with publish in --mix: clients publish to one another`
  },
  {
    flag: 'topics',
    needs: [...OF_PEERS.needs, 'nNamespaces'],
    refuse: ({ topics, nNamespaces, ...values }) =>
      isAsked(values) &&
      topics.length > nNamespaces &&
      `are ${topics.length}, but there are only --nNamespaces ${nNamespaces}: a topic is one of them`
  }
]
