// Spreads one simulation over several processes: exchanges messages between them, and advances their virtual time
// together.
import { Columns } from '../../kit/collections.js'
import { ByteCache } from '../network/shared-bytes.js'
import { watchSettlement } from './driver.js'

/**
 * @typedef {import('../network/connection.js').ConnectionMessage} ConnectionMessage
 * @typedef {import('../network/wire.js').WireDirection} WireDirection
 * @typedef {import('../../network/links/direction.js').Flight} Flight
 * @typedef {import('../../network/links/direction.js').SegmentAck} SegmentAck
 *
 * @typedef {object} DirectionColumns
 * @property {Uint16Array} from
 * @property {Uint16Array} to
 * @property {Uint16Array} connection
 *
 * @typedef {object} ProcessMessages - what nodes of one process have sent to those of another one since the last time
 * @property {DirectionColumns & { kind: Uint8Array, stream: Uint32Array, text: Uint16Array, data: Uint32Array, at: Float64Array }} loads - `at`: when it is
 *   there, or where it ends on a way to a limited line; `text` and `data`: places below, and NONE of data
 * @property {DirectionColumns & { place: Float64Array, places: Uint16Array, end: Float64Array, bytes: Float64Array, firstNs: Float64Array,
 *   lastNs: Float64Array }} flights
 * @property {DirectionColumns & { place: Float64Array, places: Uint16Array, next: Float64Array, atNs: Float64Array }} answers
 * @property {string[]} texts
 * @property {Uint32Array} ends - of each data in `bytes`
 * @property {Uint8Array} bytes - what several loads carry is there once
 */

const DIRECTION = { from: Uint16Array, to: Uint16Array, connection: Uint16Array }
const LOADS = {
  ...DIRECTION,
  kind: Uint8Array,
  stream: Uint32Array,
  text: Uint16Array,
  data: Uint32Array,
  at: Float64Array
}
const FLIGHT = {
  place: Float64Array,
  places: Uint16Array,
  end: Float64Array,
  bytes: Float64Array,
  firstNs: Float64Array,
  lastNs: Float64Array
}
const ANSWER = { place: Float64Array, places: Uint16Array, next: Float64Array, atNs: Float64Array }

/** NO_DATA is the place of data that there is not. */
const NO_DATA = 0xffff_ffff

/** Outbox keeps what is sent to nodes of another process until it is handed over. */
export class Outbox {
  /** @type {Columns<ProcessMessages['loads']>} */
  #loads = new Columns(LOADS)
  /** @type {Columns<ProcessMessages['flights']>} */
  #flights = new Columns({ ...DIRECTION, ...FLIGHT })
  /** @type {Columns<ProcessMessages['answers']>} */
  #answers = new Columns({ ...DIRECTION, ...ANSWER })
  /** @type {Map<string, number>} */
  #texts = new Map()
  /** @type {Map<NonNullable<ConnectionMessage['data']>, number>} */
  #data = new Map()
  /** When the first of it happens there; Infinity: there is nothing. */
  soonestNs = Infinity
  /** How much there is. */
  size = 0

  /** brings takes a load that is there then. @param {WireDirection} direction @param {ConnectionMessage} load @param {number} atNs */
  brings(direction, load, atNs) {
    this.#load(direction, load, atNs)
    this.#count(atNs)
  }

  /** written takes a load that is under way, and ends there. @param {WireDirection} direction @param {ConnectionMessage} load @param {number} end */
  written(direction, load, end) {
    this.#load(direction, load, end)
    this.size += 1
  }

  /** @param {WireDirection} direction @param {Flight} flight */
  flies(direction, flight) {
    this.#flights.add({ ...direction, ...flight })
    this.#count(flight.firstNs)
  }

  /** @param {WireDirection} direction - that it acknowledges @param {SegmentAck} answer */
  answers(direction, answer) {
    this.#answers.add({ ...direction, ...answer })
    this.#count(answer.atNs)
  }

  /** take hands it over, and begins anew. @returns {ProcessMessages | null} null: there is nothing */
  take() {
    if (this.size === 0) return null
    const data = [...this.#data.keys()].map(each => each.subarray())
    let end = 0
    const box = {
      loads: this.#loads.take(),
      flights: this.#flights.take(),
      answers: this.#answers.take(),
      texts: [...this.#texts.keys()],
      ends: Uint32Array.from(data, ({ length }) => (end += length)),
      bytes: new Uint8Array(Buffer.concat(data))
    }
    this.#texts.clear()
    this.#data.clear()
    this.soonestNs = Infinity
    this.size = 0
    return box
  }

  /** @param {WireDirection} direction @param {ConnectionMessage} load @param {number} at */
  #load(direction, { kind, stream, text, data }, at) {
    this.#loads.add({
      ...direction,
      kind,
      stream,
      text: indexIn(this.#texts, text),
      data: data === null ? NO_DATA : indexIn(this.#data, data),
      at
    })
  }

  /** @param {number} atNs */
  #count(atNs) {
    this.size += 1
    if (atNs < this.soonestNs) this.soonestNs = atNs
  }
}

/**
 * readProcessMessages gives what is in a box, in the order of sending on each way.
 *
 * @param {ProcessMessages} box
 * @param {object} to
 * @param {(bytes: Uint8Array) => Uint8Array} to.intern - gives bytes that may be kept, from those of the box
 * @param {(direction: WireDirection, load: ConnectionMessage, at: number) => void} to.load
 * @param {(direction: WireDirection, flight: Flight) => void} to.flight
 * @param {(direction: WireDirection, answer: SegmentAck) => void} to.answer
 */
export function readProcessMessages({ loads, flights, answers, texts, ends, bytes }, to) {
  const data = Array.from(ends, (end, place) =>
    to.intern(bytes.subarray(place === 0 ? 0 : ends[place - 1], end))
  )
  for (let row = 0; row < loads.at.length; row++) {
    const of = loads.data[row]
    const load = {
      kind: loads.kind[row],
      stream: loads.stream[row],
      text: texts[loads.text[row]],
      data: of === NO_DATA ? null : data[of]
    }
    to.load(readWireDirection(loads, row), load, loads.at[row])
  }
  for (let row = 0; row < flights.place.length; row++)
    to.flight(readWireDirection(flights, row), /** @type {Flight} */ (rowOf(flights, FLIGHT, row)))
  for (let row = 0; row < answers.place.length; row++)
    to.answer(readWireDirection(answers, row), /** @type {SegmentAck} */ (rowOf(answers, ANSWER, row)))
}

/** @param {any} columns @param {object} names - keys of the object that the row becomes @param {number} row @returns {any} */
function rowOf(columns, names, row) {
  /** @type {Record<string, number>} */
  const values = {}
  for (const name in names) values[name] = columns[name][row]
  return values
}

/** @param {DirectionColumns} columns @param {number} row @returns {WireDirection} */
const readWireDirection = ({ from, to, connection }, row) => ({
  from: from[row],
  to: to[row],
  connection: connection[row]
})

/** @template T @param {Map<T, number>} places @param {T} value @returns {number} its place, which it has from now on */
function indexIn(places, value) {
  const known = places.get(value) ?? places.size
  if (known === places.size) places.set(value, known)
  return known
}

/** What nodes remember of a message is there once, also when it came from several processes, or again. */
const MAX_KNOWN_BYTES = 16e6

/** RemoteProcesses is the rest of a network, whose nodes are in other processes. */
export class RemoteProcesses {
  #own
  #workerOf
  #outboxes
  /** @type {ByteCache<Uint8Array>} */
  #known = new ByteCache(MAX_KNOWN_BYTES)

  /**
   * @param {object} split
   * @param {number} split.worker - this process
   * @param {number} split.workers
   * @param {(node: number) => number} split.workerOf
   */
  constructor({ worker, workers, workerOf }) {
    this.#own = worker
    this.#workerOf = workerOf
    this.#outboxes = Array.from({ length: workers }, () => new Outbox())
  }

  /** has says whether a node is in another process. @param {number} node */
  has(node) {
    return this.#workerOf(node) !== this.#own
  }

  /** towards gives the other end of a way to one of its nodes. @param {WireDirection} direction @returns {import('../network/wire.js').WireReceiver<ConnectionMessage>} */
  towards(direction) {
    const outbox = this.#outboxes[this.#workerOf(direction.to)]
    return {
      brings: (load, atNs) => outbox.brings(direction, load, atNs),
      written: (load, end) => outbox.written(direction, load, end),
      flies: flight => outbox.flies(direction, flight)
    }
  }

  /** answers acknowledges to one of its nodes. @param {WireDirection} direction - that it is of @param {SegmentAck} answer */
  answers(direction, answer) {
    this.#outboxes[this.#workerOf(direction.from)].answers(direction, answer)
  }

  /** When the first of what was sent there happens; Infinity: nothing was. */
  get soonestNs() {
    return Math.min(...this.#outboxes.map(({ soonestNs }) => soonestNs))
  }

  /** How much is to be handed over. */
  get size() {
    return this.#outboxes.reduce((sum, { size }) => sum + size, 0)
  }

  /** take hands over what was sent. @returns {(ProcessMessages | null)[]} by process */
  take() {
    return this.#outboxes.map(outbox => outbox.take())
  }

  /** opened gives what came from there to a network. @param {ProcessMessages} box @param {Omit<Parameters<typeof readProcessMessages>[1], 'intern'>} to */
  opened(box, to) {
    readProcessMessages(box, {
      ...to,
      // the box is not to be kept for the sake of a part of it
      intern: bytes => this.#known.of(new Uint8Array(bytes), own => own)
    })
  }
}

/**
 * @typedef {object} ProcessReport - what a process of a simulation reports to the others when they synchronise
 * @property {(ProcessMessages | null)[]} boxes - for each of them
 * @property {number} nextNs - the time of its next event
 * @property {boolean} settled - the promise that it waits for is settled
 * @property {boolean} ended - it was asked to stop
 *
 * @typedef {Omit<ProcessReport, 'boxes'> & { boxes: ProcessMessages[] }} JointReport - what all processes together reported: `boxes` for this one,
 *   `settled` at all of them, `ended` at one of them at least
 *
 * @typedef {object} JointParts
 * @property {import('./driver.js').TimeDriver} driver
 * @property {import('../virtual-time.js').VirtualTime} time
 * @property {number} lookaheadNs - above 0
 * @property {RemoteProcesses} remote
 * @property {(report: ProcessReport) => Promise<JointReport>} meet - resolves when all processes have reported
 * @property {(box: ProcessMessages) => void} take - puts into the network what came
 */

/**
 * JointTimePassing advances the virtual time of a simulation that several processes share. Each process runs its own nodes for the lookahead: so
 * long nothing of what other processes do can arrive. Then the processes exchange what was sent. It stops where Passage stops.
 */
export class JointTimePassing {
  #parts
  /** All events before this time are known, also those that come from other processes. */
  #horizonNs = 0
  /** The time of the next event in any process. */
  #nextNs = 0
  /** meetings so far, and what was handed over at them. */
  meetings = 0
  handedOver = 0

  /** @param {JointParts} parts */
  constructor(parts) {
    this.#parts = parts
  }

  /** @param {number} ns @param {() => boolean} [ended] - ends it early */
  async pass(ns, ended) {
    this.#begin()
    await this.#passTo(this.#parts.time.nowNs + ns, ended)
  }

  /**
   * @template T
   * @param {Promise<T>} promise
   * @param {number} [withinNs]
   * @returns {Promise<T>}
   */
  async passUntil(promise, withinNs = Infinity) {
    const { time, lookaheadNs } = this.#parts
    const isSettled = watchSettlement(promise)
    this.#begin()
    this.#nextNs = time.nowNs
    const lastNs = time.nowNs + withinNs
    for (;;) {
      const fromNs = Math.max(time.nowNs, this.#nextNs)
      if (fromNs === Infinity || fromNs > lastNs)
        throw new Error('the simulation waits in vain: what it waits for has not come')
      const endNs = (Math.floor(fromNs / lookaheadNs) + 1) * lookaheadNs
      await this.#passTo(endNs - 1)
      time.rest(endNs)
      if ((await this.#meet(isSettled(), false)).settled) return promise
    }
  }

  /** A call from outside can start something now. */
  #begin() {
    const { time, lookaheadNs } = this.#parts
    this.#horizonNs = Math.min(this.#horizonNs, time.nowNs + lookaheadNs)
  }

  /** @param {number} untilNs @param {() => boolean} [ended] */
  async #passTo(untilNs, ended = () => false) {
    const { driver, time } = this.#parts
    while (untilNs >= this.#horizonNs) {
      if (this.#horizonNs > time.nowNs) await driver.pass(this.#horizonNs - 1 - time.nowNs)
      if ((await this.#meet(false, ended())).ended) return
    }
    await driver.pass(untilNs - time.nowNs)
  }

  /** @param {boolean} settled @param {boolean} ended */
  async #meet(settled, ended) {
    const { time, remote, meet, take, lookaheadNs } = this.#parts
    this.meetings += 1
    this.handedOver += remote.size
    const nextNs = Math.min(time.nextNs, remote.soonestNs)
    const heard = await meet({ boxes: remote.take(), nextNs, settled, ended })
    for (const box of heard.boxes) take(box)
    this.#nextNs = heard.nextNs
    this.#horizonNs = Math.max(heard.nextNs, time.nowNs) + lookaheadNs
    return heard
  }
}
