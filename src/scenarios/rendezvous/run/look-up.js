import { multiaddr } from '@multiformats/multiaddr'
import { clientAddressFor } from '../../../client/client-address.js'
import { dialAny } from '../../../client/dial.js'
import { Purpose, privateKeyOf, signerOfIdentity } from '../../../client/identities.js'
import { createClientNode } from '../../../client/node.js'
import { StreamPerRequest } from '../../../client/stream-per-request.js'
import { subStream } from '../../../kit/random.js'
import { within } from '../../../kit/time-limit.js'
import { LOOK_UP_FOR_MS, OUT_OF_TIME } from '../../../load/outcomes.js'
import { clientNamespaces } from '../../../load/registration-ledger.js'
import { shareInterval } from '../../../measure/share-interval.js'
import { registrantNamespaces } from '../../../plan/namespaces.js'
import { peerIdOfKey } from '../../../protocol/signed-record.js'
import { drawPlaces } from '../measure/look-up-sample.js'
import { topicsOf } from '../plan/full-peers.js'
import { findIn } from './find-in.js'

/**
 * @typedef {import('../../../plan/plan.js').Plan} Plan
 * @typedef {import('../../../plan/namespaces.js').Namespaces} Namespaces
 * @typedef {import('./load-worker.js').Registered} Registered
 * @typedef {import('../../../result/types.js').LookUp} LookUp
 *
 * @typedef {object} Confirmed - a registration that the server has said OK to
 * @property {string} ns
 * @property {string} purpose - with `index`: whose it is, see identities.js
 * @property {number} index
 * @property {number} expiresMs - when its time to live is over, on the monotonic clock of the host
 *
 * @typedef {object} LookUpOptions
 * @property {Plan} plan
 * @property {readonly string[]} addresses - multiaddrs of servers that hold the same: the first that is there is asked
 * @property {Namespaces} namespaces
 * @property {number} preloadExpiresMs - when the first of the preloaded registrations is over
 * @property {Registered[]} registered - by clients
 * @property {AbortSignal} stop
 */

/**
 * lookUp asks the server for what it has confirmed, as anybody would: all of it, or a sample drawn from the seed.
 *
 * @param {LookUpOptions} options
 * @returns {Promise<LookUp | null>} null: nothing is registered there
 */
export async function lookUp(options) {
  const { plan, addresses, stop } = options
  const { count, at } = everything(options)
  if (count === 0) return null
  const sample = drawPlaces(count, subStream(plan.seed, 'lookUp')).map(at)
  const servers = addresses.map(address => multiaddr(address))
  const node = await createClientNode({
    privateKey: await privateKeyOf(plan.seed, Purpose.LOOK_UP, 0),
    localAddress: clientAddressFor(servers[0], plan.nClients, process.platform),
    stock: plan.stock
  })
  await node.start()
  try {
    const signal = within(stop, LOOK_UP_FOR_MS)
    const connect = async () => new StreamPerRequest(await dialAny(node, servers, { signal }))
    return {
      registrations: count,
      drawn: sample.length,
      ...(await find(sample, { seed: plan.seed, connect, signal }))
    }
  } finally {
    await node.stop()
  }
}

/** @param {LookUpOptions} options @returns {{ count: number, at: (place: number) => Confirmed }} preloaded ones come first */
function everything({ plan, namespaces, preloadExpiresMs, registered }) {
  const { initialRegistrations: preloaded, nNamespaces } = plan
  const ofRegistrant = registrantNamespaces(plan, namespaces)
  const topics = topicsOf(plan)
  const ends = registered.map(() => 0)
  let count = preloaded
  for (const [i, { numbers }] of registered.entries()) ends[i] = count += numbers.length
  return {
    count,
    at: place => {
      if (place < preloaded)
        return {
          ns: ofRegistrant(place),
          purpose: Purpose.REGISTRANT,
          index: place,
          expiresMs: preloadExpiresMs
        }
      const whose = ends.findIndex(end => place < end)
      const { client, numbers, expireMs } = registered[whose]
      const own = place - (ends[whose] - numbers.length)
      return {
        ns: clientNamespaces(namespaces, nNamespaces, client, { ...topics, own: topics.of(client) })(
          numbers[own]
        ),
        purpose: Purpose.CLIENT,
        index: client,
        expiresMs: expireMs[own]
      }
    }
  }
}

/** @param {Confirmed[]} sample @returns {Map<string, Confirmed[]>} */
function byNamespace(sample) {
  /** @type {Map<string, Confirmed[]>} */
  const spaces = new Map()
  for (const one of sample) {
    const space = spaces.get(one.ns)
    if (space === undefined) spaces.set(one.ns, [one])
    else space.push(one)
  }
  return spaces
}

/** Gives peer ids of confirmed registrations, multihashes in hexadecimal; a client has many. @param {number} seed */
function peerIds(seed) {
  /** @type {Map<number, string>} */
  const clients = new Map()
  const made = (/** @type {Confirmed} */ { purpose, index }) =>
    Buffer.from(peerIdOfKey(signerOfIdentity(seed, purpose, index).publicKey)).toString('hex')
  return (/** @type {Confirmed} */ one) => {
    if (one.purpose !== Purpose.CLIENT) return made(one)
    const id = clients.get(one.index) ?? made(one)
    clients.set(one.index, id)
    return id
  }
}

/**
 * @param {Confirmed[]} sample - in random order, so that namespaces come in random order too
 * @param {object} options
 * @param {number} options.seed - of the plan
 * @param {() => Promise<StreamPerRequest>} options.connect
 * @param {AbortSignal} options.signal
 * @returns {Promise<Omit<LookUp, 'registrations' | 'drawn'>>}
 */
async function find(sample, { seed, connect, signal }) {
  const peerId = peerIds(seed)
  let [lookedUp, missing] = [0, 0]
  /** @type {string | null} */
  let problem = null
  try {
    const requests = await connect()
    for (const [ns, confirmed] of byNamespace(sample)) {
      const wanted = new Map(confirmed.map(one => [peerId(one), one.expiresMs]))
      try {
        await findIn(ns, wanted, { requests, signal })
      } catch (error) {
        if (signal.aborted) throw error
        problem ??= /** @type {Error} */ (error).message
        continue
      }
      // those that may have expired say nothing, whether they were found or not
      const nowMs = Number(process.hrtime.bigint()) / 1e6
      lookedUp += confirmed.filter(({ expiresMs }) => expiresMs > nowMs).length
      missing += [...wanted.values()].filter(expiresMs => expiresMs > nowMs).length
    }
  } catch (error) {
    problem ??= signal.aborted ? OUT_OF_TIME : /** @type {Error} */ (error).message
  }
  const interval = lookedUp === 0 ? null : shareInterval(missing, lookedUp)
  return { lookedUp, missing, interval, problem }
}
