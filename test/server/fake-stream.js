import { decodeMessage, FrameDecoder } from '../../src/protocol/rendezvous.js'

/**
 * FakeStream is the server's end of a stream, as libp2p's streams behave: what arrives while nobody reads is kept. It costs a
 * hundredth of a pair of streams.
 */
export class FakeStream extends EventTarget {
  status = 'open'
  readStatus = 'readable'
  readableEnded = false
  writableNeedsDrain = false
  writeBufferLength = 0
  maxReadBufferLength = 1 << 22
  sentBytes = 0
  /** @type {Uint8Array[]} */
  #kept = []
  /** @type {Uint8Array[]} */
  #sent = []

  /** arrive is what the client does. @param {Uint8Array} data */
  arrive(data) {
    if (this.status !== 'open') return
    if (this.readStatus === 'paused') this.#keep(data)
    else this.dispatchEvent(Object.assign(new Event('message'), { data }))
  }

  /** @param {Uint8Array} data */
  #keep(data) {
    this.#kept.push(data)
    const bytes = this.#kept.reduce((sum, { length }) => sum + length, 0)
    if (bytes > this.maxReadBufferLength) this.abort(new Error('too much is kept'))
  }

  /** end is what the client does behind its last request. */
  end() {
    this.readableEnded = true
    this.dispatchEvent(new Event('end'))
  }

  /** @param {import('../../src/server/rendezvous/stream-session.js').Reply} data */
  send(data) {
    this.sentBytes += data.length
    this.#sent.push(data.subarray())
    if (this.writableNeedsDrain) this.writeBufferLength += data.length
    return !this.writableNeedsDrain
  }

  /** take is what a client does that had not read. @param {number} bytes */
  take(bytes) {
    this.writeBufferLength = Math.max(0, this.writeBufferLength - bytes)
    if (this.writeBufferLength === 0) this.writableNeedsDrain = false
    this.dispatchEvent(new Event('drain'))
  }

  pause() {
    this.readStatus = 'paused'
  }

  resume() {
    this.readStatus = 'readable'
    for (const data of this.#kept.splice(0)) this.arrive(data)
  }

  /** @param {Error} _ */
  abort(_) {
    this.#closed('aborted')
  }

  async close() {
    this.#closed('closed')
  }

  /** @param {string} status */
  #closed(status) {
    if (this.status !== 'open') return
    this.status = status
    this.readStatus = 'closed'
    this.#kept = []
    this.dispatchEvent(new Event('close'))
  }

  /** replies are all that were sent. */
  replies() {
    const decoder = new FrameDecoder(1 << 24)
    return this.#sent.flatMap(data => [...decoder.push(data)].map(decodeMessage))
  }
}
