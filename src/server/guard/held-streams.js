import { setImmediate as turn } from 'node:timers/promises'

/**
 * @typedef {import('@libp2p/interface').Stream} Stream
 */

// with a round trip of 150 ms, a connection can open 100 streams a second
const MOST_SILENT = 32
// some are opened ahead
const SILENT_MS = 1000

/**
 * HeldStreams are those of a connection that must not agree on a protocol yet: to agree is dear, and nothing would come of it. Either the
 * client does not take the replies it asked for, and what it asks on a further stream would only wait; or it has asked for nothing on those
 * it opened just now. They are let in one by one.
 */
export class HeldStreams {
  #share
  /** that wait on the connection, once a stream has the rendezvous protocol @type {import('../account.js').Account | undefined} */
  replies
  #keptBytes
  /** with what each may keep when it is let in @type {Map<Stream, number>} */
  #held = new Map()
  /** on which nothing was asked yet @type {Map<Stream, NodeJS.Timeout>} */
  #silent = new Map()
  #spoke = () => {}
  #isLettingIn = false

  /**
   * @param {import('../loop-time.js').LoopShare} share - of the event loop
   * @param {number} keptBytes - what may come on each while it waits; beyond that it is reset
   */
  constructor(share, keptBytes) {
    this.#share = share
    this.#keptBytes = keptBytes
  }

  /** add is told of each stream that begins, before anything of it is read. @param {Stream} stream */
  add(stream) {
    if (!this.#isLettingIn && this.#wait() === undefined) this.#begin(stream)
    else if (stream.readStatus === 'readable') this.#hold(stream)
  }

  /** ended is told of a stream that has ended. @param {Stream} stream */
  ended(stream) {
    this.#held.delete(stream)
    this.spoke(stream)
  }

  /** spoke is told of a stream on which something was asked. @param {Stream} stream */
  spoke(stream) {
    clearTimeout(this.#silent.get(stream))
    if (this.#silent.delete(stream)) this.#spoke()
  }

  /** @param {Stream} stream */
  #begin(stream) {
    const late = setTimeout(() => this.spoke(stream), SILENT_MS).unref()
    this.#silent.set(stream, late)
  }

  /** @param {Stream} stream */
  #hold(stream) {
    stream.pause()
    this.#held.set(stream, stream.maxReadBufferLength)
    stream.maxReadBufferLength = this.#keptBytes
    if (!this.#isLettingIn) this.#letIn()
  }

  async #letIn() {
    this.#isLettingIn = true
    while (this.#held.size > 0) await (this.#wait() ?? this.#share.wait() ?? this.#letInNext())
    this.#isLettingIn = false
  }

  async #letInNext() {
    await turn()
    // all may have ended meanwhile
    const [next] = this.#held
    if (next === undefined) return
    const [stream, mayKeepBytes] = next
    this.#held.delete(stream)
    if (stream.readStatus !== 'paused') return
    stream.maxReadBufferLength = mayKeepBytes
    this.#begin(stream)
    this.#share.begin()
    stream.resume()
  }

  /** @returns {Promise<void> | undefined} after which it is to be asked again; undefined: one more may begin */
  #wait() {
    const room = this.replies?.room()
    if (room !== undefined || this.#silent.size < MOST_SILENT) return room
    return new Promise(resolve => {
      this.#spoke = resolve
    })
  }
}
