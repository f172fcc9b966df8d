import { Fifo } from './fifo.js'
import { openTcp } from './open-tcp.js'
import { PipeSending } from './pipe-sending.js'
import { QueuedReceiving } from './queued-receiving.js'

/**
 * @typedef {import('./direction.js').Sending} Sending
 * @typedef {import('./direction.js').Far} Far
 * @typedef {import('./path.js').Path} Path
 */

/** WholeDirection is both halves of a way in one hand: a Direction. */
class WholeDirection {
  #sending
  #receiving
  /** @type {Fifo<{ writes: number, atNs: number }>} on their way to a receiver without a queue */
  #arriving = new Fifo()

  /**
   * @param {Path} path
   * @param {(far: Far) => Sending} sending
   * @param {number | null} returnNs - latency of acknowledgements; null: there are none
   */
  constructor(path, sending, returnNs) {
    this.#receiving = new QueuedReceiving({
      pass: flight => path.arrive(flight),
      answer:
        returnNs === null
          ? null
          : ({ atNs, ...answered }) => this.#sending.answered({ ...answered, atNs: atNs + returnNs })
    })
    const receiving = this.#receiving
    this.#sending = sending({
      arrives: (writes, atNs) => this.#arriving.push({ writes, atNs }),
      written: end => receiving.written(end),
      flies: flight => receiving.flies(flight)
    })
  }

  /** @param {import('./wire-bytes.js').Written} written @param {number} nowNs */
  send(written, nowNs) {
    this.#sending.send(written, nowNs)
  }

  get nextNs() {
    return Math.min(this.#sending.nextNs, this.#receiving.nextNs, this.#arriving.peek()?.atNs ?? Infinity)
  }

  /** @param {number} nowNs @returns {number} writes that can be read now, too */
  advance(nowNs) {
    let readable = this.#receiving.advance(nowNs)
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

/** TcpDirection is one way of a TCP connection. */
export class TcpDirection extends WholeDirection {
  /** @param {import('./tcp-sending.js').TcpParts} parts */
  constructor(parts) {
    super(parts.path, far => openTcp(parts, far), parts.returnNs)
  }
}

/** PipeDirection is one way of a connection on which writes pass as a whole. */
export class PipeDirection extends WholeDirection {
  /** @param {ConstructorParameters<typeof PipeSending>[0]} parts */
  constructor(parts) {
    super(parts.path, far => new PipeSending(parts, far), null)
  }
}
