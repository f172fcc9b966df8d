// Sends messages between processes over plain byte streams, as into a container, with the interface of Node's channel to
// a forked process.
import { EventEmitter } from 'node:events'
import { deserialize, serialize } from 'node:v8'

const LENGTH_BYTES = 4

/**
 * MessagePipe carries messages as a process that was forked does, over streams of bytes: where there is no channel between processes,
 * as into a container. Each message is preceded by its length.
 */
export class MessagePipe extends EventEmitter {
  #output
  /** @type {Buffer[]} */
  #chunks = []
  #bytes = 0
  connected = true

  /** @param {{ input: import('node:stream').Readable, output: import('node:stream').Writable }} streams */
  constructor({ input, output }) {
    super()
    this.#output = output
    input.on('data', chunk => this.#take(chunk))
    for (const event of ['end', 'close', 'error']) input.on(event, () => this.#ended())
    // whoever reads is gone, and the input ends
    output.on('error', () => {})
  }

  /** send. @param {unknown} message - anything structured clone carries @param {(error: Error | null) => void} [sent] */
  send(message, sent) {
    const body = serialize(message)
    const length = Buffer.alloc(LENGTH_BYTES)
    length.writeUInt32BE(body.length)
    return this.#output.write(Buffer.concat([length, body]), error => sent?.(error ?? null))
  }

  /** disconnect ends the output: whoever reads it has no parent any more. */
  disconnect() {
    this.#output.end()
  }

  /** @param {Buffer} chunk */
  #take(chunk) {
    this.#chunks.push(chunk)
    this.#bytes += chunk.length
    let length = this.#nextLength()
    while (length !== null && this.#bytes >= LENGTH_BYTES + length) {
      const all = this.#joined()
      this.#chunks = [all.subarray(LENGTH_BYTES + length)]
      this.#bytes = this.#chunks[0].length
      this.emit('message', deserialize(all.subarray(LENGTH_BYTES, LENGTH_BYTES + length)))
      length = this.#nextLength()
    }
  }

  /** @returns {number | null} null: not yet known */
  #nextLength() {
    if (this.#bytes < LENGTH_BYTES) return null
    return (this.#chunks[0].length < LENGTH_BYTES ? this.#joined() : this.#chunks[0]).readUInt32BE()
  }

  #joined() {
    if (this.#chunks.length > 1) this.#chunks = [Buffer.concat(this.#chunks)]
    return this.#chunks[0]
  }

  #ended() {
    if (!this.connected) return
    this.connected = false
    this.emit('disconnect')
  }
}
