/**
 * SendQueue is a source of chunks for the sink of a duplex stream, which asks for the next chunk when the multiplexer has taken the
 * one before: so it is known what is not sent yet, but for the chunk that the multiplexer has in hand.
 */
export class SendQueue {
  /** @type {Uint8Array[]} */
  #chunks = []
  /** What the sink has asked for and not yet handed on. */
  #takenBytes = 0
  /** @type {((result: IteratorResult<Uint8Array, undefined>) => void) | null} the sink waits */
  #hand = null
  #onEmpty
  /** bytes that are not sent yet. */
  bytes = 0
  /** ended is true when nothing more is taken. */
  ended = false

  /** @param {() => void} onEmpty - everything was sent */
  constructor(onEmpty) {
    this.#onEmpty = onEmpty
  }

  /** push puts a chunk at the end. @param {Uint8Array} chunk */
  push(chunk) {
    this.bytes += chunk.byteLength
    if (this.#hand === null) this.#chunks.push(chunk)
    else this.#handOver({ done: false, value: chunk })
  }

  /** end lets the sink end once it has sent what there is. */
  end() {
    this.ended = true
    if (this.#hand !== null) this.#handOver({ done: true, value: undefined })
  }

  /** @returns {Promise<IteratorResult<Uint8Array, undefined>>} */
  next() {
    this.bytes -= this.#takenBytes
    this.#takenBytes = 0
    const chunk = this.#chunks.shift()
    if (chunk !== undefined) return Promise.resolve(this.#taken({ done: false, value: chunk }))
    if (this.ended) return Promise.resolve({ done: true, value: undefined })
    const waiting = new Promise(resolve => {
      this.#hand = resolve
    })
    this.#onEmpty()
    return waiting
  }

  /** return drops what there is: the stream sends no more. @returns {Promise<IteratorResult<Uint8Array, undefined>>} */
  return() {
    this.#chunks = []
    this.bytes = 0
    this.#takenBytes = 0
    this.end()
    return Promise.resolve({ done: true, value: undefined })
  }

  [Symbol.asyncIterator]() {
    return this
  }

  /** @param {IteratorResult<Uint8Array, undefined>} result */
  #handOver(result) {
    const hand = this.#hand
    this.#hand = null
    hand?.(this.#taken(result))
  }

  /** @param {IteratorResult<Uint8Array, undefined>} result */
  #taken(result) {
    this.#takenBytes = result.value?.byteLength ?? 0
    return result
  }
}
