import { Fifo } from '../../../src/kit/collections.js'
import { PipeSending, QueuedReceiving } from '../../../src/network/links/direction.js'
import { openTcpSending } from '../../../src/network/links/tcp-connection.js'

/**
 * @typedef {import('../../../src/network/links/direction.js').Sending} Sending
 * @typedef {import('../../../src/network/links/direction.js').Receiving} Receiving
 * @typedef {import('../../../src/network/links/direction.js').SegmentAck} SegmentAck
 */

/** Direction is both halves of one way of a connection: the sender's figures, and writes that can be read. */
export class Direction {
  #sending
  #receiving
  /** @type {Fifo<{ writes: number, atNs: number }>} on their way to a receiver without a queue */
  #arriving = new Fifo()

  /**
   * @param {(far: import('../../../src/network/links/direction.js').FarEnd) => Sending} sending
   * @param {(answer: (answer: SegmentAck) => void) => Receiving | null} receiving - null: no line into the receiver is limited
   */
  constructor(sending, receiving) {
    this.#receiving = receiving(answer => this.#sending.answered(answer))
    this.#sending = sending({
      arrives: (writes, atNs) => this.#arriving.push({ writes, atNs }),
      written: end => this.#receiving?.written(end),
      flies: flight => this.#receiving?.flies(flight)
    })
  }

  /** @param {import('../../../src/network/links/direction.js').WriteSize} written @param {number} nowNs */
  send(written, nowNs) {
    this.#sending.send(written, nowNs)
  }

  get nextNs() {
    return Math.min(
      this.#sending.nextNs,
      this.#receiving?.nextNs ?? Infinity,
      this.#arriving.peek()?.atNs ?? Infinity
    )
  }

  /** @param {number} nowNs @returns {number} writes that can be read now, too */
  advance(nowNs) {
    let readable = this.#receiving?.advance(nowNs) ?? 0
    this.#sending.run(nowNs)
    for (let next = this.#arriving.peek(); next && next.atNs <= nowNs; next = this.#arriving.peek()) {
      this.#arriving.shift()
      readable += next.writes
    }
    return readable
  }

  get departures() {
    return this.#sending.departures
  }
}

/**
 * directionOf opens one way of a connection of a model.
 *
 * @param {import('../../../src/network/link-model.js').LinkModel} model
 * @param {number} from
 * @param {number} to
 * @param {number} [connection]
 */
export const directionOf = (model, from, to, connection = 0) =>
  new Direction(
    far => model.sending(from, to, connection, far),
    answer => model.receiving(from, to, answer)
  )

/** tcpDirection is one way of a TCP connection. @param {import('../../../src/network/links/tcp-connection.js').TcpParts} parts */
export const tcpDirection = parts =>
  new Direction(
    far => openTcpSending(parts, far),
    answer =>
      new QueuedReceiving({
        pass: flight => parts.path.arrive(flight),
        answer: ({ atNs, ...answered }) => answer({ ...answered, atNs: atNs + parts.returnNs })
      })
  )

/** pipeDirection is one way of a connection on which writes pass as a whole. @param {ConstructorParameters<typeof PipeSending>[0]} parts */
export const pipeDirection = parts =>
  new Direction(
    far => new PipeSending(parts, far),
    () => new QueuedReceiving({ pass: flight => parts.path.arrive(flight), answer: null })
  )
