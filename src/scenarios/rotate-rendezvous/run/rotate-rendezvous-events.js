import { Purpose, signerOfIdentity } from '../../../client/identities.js'
import { peerIdOfKey, readSignerUnverified } from '../../../protocol/signed-record.js'

/**
 * @typedef {import('../measure/events-in-order.js').RotateRendezvousEvent} RotateRendezvousEvent
 * @typedef {import('../measure/events-in-order.js').RegisterEvent} RegisterEvent
 * @typedef {import('../../../protocol/messages.js').Register} Register
 */

/** @param {Uint8Array} peerId */
const keyOf = peerId => Buffer.from(peerId.buffer, peerId.byteOffset, peerId.length).toString('latin1')

/**
 * peerNumbers are the numbers of all peers that ever are in a run, by their peer id.
 *
 * @param {number} seed - of the plan
 * @param {number} peers - how many there are
 * @returns {Map<string, number>}
 */
export const peerNumbers = (seed, peers) =>
  new Map(
    Array.from({ length: peers }, (_, number) => [
      keyOf(peerIdOfKey(signerOfIdentity(seed, Purpose.CLIENT, number).publicKey)),
      number
    ])
  )

/** RotateRendezvousEvents keeps what peers of a process were told, until it is handed over. */
export class RotateRendezvousEvents {
  #numbers
  #clock
  /** @type {RotateRendezvousEvent[]} */
  #events = []
  #cutOff = 0

  /** @param {Map<string, number>} numbers - of peerNumbers @param {() => number} [clock] - ns */
  constructor(numbers, clock = () => Number(process.hrtime.bigint())) {
    this.#numbers = numbers
    this.#clock = clock
  }

  /** @param {Omit<RegisterEvent, 'kind'>} registered */
  registered(registered) {
    this.#events.push({ kind: 'registered', ...registered })
  }

  /** @param {{ atNs: number, sentNs: number, node: number, ns: number, registrations: readonly Register[] }} reply */
  reply({ registrations, ...reply }) {
    const peers = registrations.map(record => this.#numberOf(record)).filter(number => number !== undefined)
    this.#events.push({
      kind: 'reply',
      ...reply,
      peers: Uint32Array.from(peers),
      unknown: registrations.length - peers.length
    })
  }

  /** cutOff counts an operation that was under way when its peer was killed. */
  cutOff() {
    this.#cutOff++
  }

  /** forgetReplies leaves out what was asked before the measurement. What is registered stays so. */
  forgetReplies() {
    this.#events = this.#events.filter(({ kind }) => kind !== 'reply')
    this.#cutOff = 0
  }

  /** take hands over what happened since the last time. */
  take() {
    const taken = { untilNs: this.#clock(), events: this.#events, cutOff: this.#cutOff }
    this.#events = []
    this.#cutOff = 0
    return taken
  }

  /** @param {Register} register @returns {number | undefined} */
  #numberOf({ signedPeerRecord }) {
    try {
      return this.#numbers.get(keyOf(readSignerUnverified(signedPeerRecord ?? new Uint8Array())))
    } catch {
      // no record at all: it is none of ours
      return undefined
    }
  }
}
