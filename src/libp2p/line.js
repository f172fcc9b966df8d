// A line: emulates latency and bandwidth for bytes on loopback connections, with one token bucket and delay queue for
// each direction.
/**
 * @typedef {Readonly<LineValues>} LineSpec
 * @typedef {object} LineValues - what a line is like
 * @property {number} latencyMs - one way
 * @property {number | null} bytesPerSecond - null: no limit
 * @property {TokenBucket} [bucket] - that it shares with others: the limit of a host, whatever connection bytes go over; default its own
 * @property {boolean} [both] - an end lines what it receives, too, not only what it sends: for a peer that has no line; default false
 */

/** MAX_UNDER_WAY_LINE_BYTES is what a line has under way at most: as much as it holds in memory. A faster sender waits. */
export const MAX_UNDER_WAY_LINE_BYTES = 64 << 20
/** So much waits in front of a line without a limit before the sender is told to wait. */
const MAX_LINE_WAITING_BYTES = 64 << 10
/** In front of one with a limit: what goes in this time, so that it never runs dry while the event loop is busy. */
const WAITING_MS = 40
const MIN_WAITING_BYTES = 16 << 10
/** Bytes go in pieces of what goes in a millisecond: timers count no less. */
const [MIN_PIECE_BYTES, MAX_PIECE_BYTES] = [256, 64 << 10]

/**
 * DelayedLine is one direction of a line: what is sent waits for its turn at the rate (a token bucket that holds nothing: bytes go when those
 * before them have gone), is under way for the latency, and arrives in order.
 *
 *     send ──► waits ──► departs ──► is under way ──► arrives ──► deliver
 *
 * Nothing arrives early. The rate is kept however late timers come, as long as something waits: `send` says so in time. When the far
 * end takes no more, nothing departs. So what is held is bounded: MAX_UNDER_WAY_LINE_BYTES, what `send` lets wait, and the chunk sent last.
 * Chunks belong to the line once they are sent: whoever sent them leaves them as they are.
 */
export class DelayedLine {
  #deliver
  #onDrain
  #clock
  #bucket
  #pieceBytes = Infinity
  #maxWaitingBytes = MAX_LINE_WAITING_BYTES
  #waitingBytes = 0
  #underWayBytes = 0
  #isFull = false
  #isBlocked = false
  #isAbandoned = false
  /** Bytes that the far end held up departed no earlier. */
  #releasedMs = -Infinity
  #departures
  /** @type {DelayQueue | null} */
  #wire

  /**
   * @param {LineSpec} line
   * @param {object} ends
   * @param {(chunk: Uint8Array) => boolean} ends.deliver - false: no more until `resume`
   * @param {() => void} [ends.onDrain] - after `send` said false: there is room again
   * @param {LineClock} [ends.clock]
   */
  constructor({ latencyMs, bytesPerSecond, bucket }, { deliver, onDrain = () => {}, clock = systemClock }) {
    this.#deliver = deliver
    this.#onDrain = onDrain
    this.#clock = clock
    this.#bucket = bytesPerSecond === null ? null : (bucket ?? new TokenBucket({ bytesPerSecond }))
    if (bytesPerSecond !== null) {
      const bytesPerMs = bytesPerSecond / 1000
      this.#pieceBytes = Math.round(Math.min(Math.max(bytesPerMs, MIN_PIECE_BYTES), MAX_PIECE_BYTES))
      this.#maxWaitingBytes = Math.max(MIN_WAITING_BYTES, bytesPerMs * WAITING_MS)
    }
    this.#departures = new DelayQueue(0, clock)
    this.#wire = latencyMs === 0 ? null : new DelayQueue(latencyMs, clock)
  }

  /** queuedBytes is what is in the line. */
  get queuedBytes() {
    return this.#waitingBytes + this.#underWayBytes
  }

  /** @param {Uint8Array} chunk @returns {boolean} whether there is room for more; if not, `onDrain` tells when */
  send(chunk) {
    for (let from = 0; from < chunk.byteLength; from += this.#pieceBytes) {
      const piece =
        chunk.byteLength <= this.#pieceBytes ? chunk : chunk.subarray(from, from + this.#pieceBytes)
      this.#enter(piece.byteLength, () => this.#deliver(piece))
    }
    this.#isFull = this.#waitingBytes >= this.#maxWaitingBytes
    return !this.#isFull
  }

  /** mark runs something at the far end, after all that was sent before. @param {() => void} run */
  mark(run) {
    this.#enter(0, () => {
      run()
      return true
    })
  }

  /** resume goes on after `deliver` said false. */
  resume() {
    if (!this.#isBlocked) return
    this.#isBlocked = false
    this.#wire?.release()
    this.#depart()
  }

  /** abandon drops what waits, and runs something when what is under way has arrived and the latency is over: a reset. @param {() => void} run */
  abandon(run) {
    this.#isAbandoned = true
    this.#departures.stop()
    this.#waitingBytes = 0
    this.resume()
    if (this.#wire === null) run()
    else this.#wire.push(run)
  }

  /** stop drops what is in the line, and whatever comes. */
  stop() {
    this.#departures.stop()
    this.#wire?.stop()
    this.#waitingBytes = 0
    this.#underWayBytes = 0
  }

  /** @param {number} bytes @param {() => boolean} arrive */
  #enter(bytes, arrive) {
    this.#waitingBytes += bytes
    const nowMs = this.#clock.nowMs()
    const departsMs = this.#bucket?.take(bytes, nowMs) ?? nowMs
    if (departsMs <= nowMs && this.#departures.isIdle && !this.#isAbandoned) {
      this.#departed(bytes, arrive, nowMs)
    } else {
      this.#departures.push(
        () => this.#departed(bytes, arrive, Math.max(departsMs, this.#releasedMs)),
        departsMs
      )
    }
  }

  /** @param {number} bytes @param {() => boolean} arrive @param {number} atMs */
  #departed(bytes, arrive, atMs) {
    this.#waitingBytes -= bytes
    this.#underWayBytes += bytes
    if (this.#wire === null) this.#arrived(bytes, arrive)
    else this.#wire.push(() => this.#arrived(bytes, arrive), atMs)
    if (this.#underWayBytes >= MAX_UNDER_WAY_LINE_BYTES) this.#departures.hold()
    if (this.#isFull && this.#waitingBytes <= this.#maxWaitingBytes / 2) {
      this.#isFull = false
      this.#onDrain()
    }
  }

  /** @param {number} bytes @param {() => boolean} arrive */
  #arrived(bytes, arrive) {
    this.#underWayBytes -= bytes
    if (arrive() || this.#isAbandoned) this.#depart()
    else {
      this.#isBlocked = true
      this.#wire?.hold()
      this.#departures.hold()
    }
  }

  #depart() {
    if (this.#isBlocked || this.#underWayBytes >= MAX_UNDER_WAY_LINE_BYTES || !this.#departures.isOnHold)
      return
    this.#releasedMs = this.#clock.nowMs()
    this.#departures.release()
  }
}

/**
 * DelayQueue runs what is pushed into it a fixed time later, in the order it was pushed. One timer serves the line, however much is
 * in it.
 */
export class DelayQueue {
  #delayMs
  #clock
  /** @type {{ dueMs: number, run: () => void }[]} */
  #queue = []
  /** @type {unknown} */
  #timer = null
  #holds = false
  #stopped = false

  /** @param {number} delayMs @param {LineClock} [clock] */
  constructor(delayMs, clock = systemClock) {
    this.#delayMs = delayMs
    this.#clock = clock
  }

  /** isIdle is true when nothing is in the line, and it would let something out. */
  get isIdle() {
    return this.#queue.length === 0 && !this.#holds
  }

  /** isOnHold is true from `hold` to `release`. */
  get isOnHold() {
    return this.#holds
  }

  /** @param {() => void} run @param {number} [fromMs] - when its time begins; default now */
  push(run, fromMs = this.#clock.nowMs()) {
    if (this.#stopped) return
    this.#queue.push({ dueMs: fromMs + this.#delayMs, run })
    if (this.#timer === null && !this.#holds) this.#wait()
  }

  /** hold lets nothing out until `release`, due or not. */
  hold() {
    this.#holds = true
    this.#unset()
  }

  /** release ends `hold`: what is due runs at once. */
  release() {
    if (!this.#holds) return
    this.#holds = false
    this.#runDue()
  }

  /** stop drops what is held, and whatever comes. */
  stop() {
    this.#stopped = true
    this.#queue = []
    this.#unset()
  }

  #wait() {
    const leftMs = this.#queue[0].dueMs - this.#clock.nowMs()
    this.#timer = this.#clock.setTimer(() => this.#runDue(), Math.max(1, Math.ceil(leftMs)))
  }

  #unset() {
    if (this.#timer !== null) this.#clock.clearTimer(this.#timer)
    this.#timer = null
  }

  /** What runs may stop the line, hold it, or push more into it. */
  #runDue() {
    this.#unset()
    const nowMs = this.#clock.nowMs()
    while (!this.#holds && this.#queue.length > 0 && this.#queue[0].dueMs <= nowMs) this.#queue.shift()?.run()
    if (this.#timer === null && !this.#holds && this.#queue.length > 0) this.#wait()
  }
}

/**
 * TokenBucket says when bytes have gone over a line of some rate. It counts from the plan and not from when its timers come, so that
 * late timers lose no rate: over any time t no more than `burstBytes` + rate × t go, and just as much when there is always something to send.
 *
 * It is the generic cell rate algorithm in its virtual scheduling form (ITU-T I.371, annex A), which is equal to a token bucket.
 */
export class TokenBucket {
  #msPerByte
  #burstMs
  /** When all that was taken has gone, at the rate. */
  #freeMs = -Infinity

  /**
   * @param {object} options
   * @param {number} options.bytesPerSecond - above 0
   * @param {number} [options.burstBytes] - go at once after a rest; default none
   */
  constructor({ bytesPerSecond, burstBytes = 0 }) {
    this.#msPerByte = 1000 / bytesPerSecond
    this.#burstMs = burstBytes * this.#msPerByte
  }

  /** @param {number} bytes @param {number} nowMs @returns {number} when the last of them has gone, in ms, after all that was taken before */
  take(bytes, nowMs) {
    this.#freeMs = Math.max(this.#freeMs, nowMs - this.#burstMs) + bytes * this.#msPerByte
    return Math.max(this.#freeMs, nowMs)
  }
}

/**
 * @typedef {object} LineClock - what a line knows of time
 * @property {() => number} nowMs - from any origin, never back
 * @property {(run: () => void, ms: number) => any} setTimer - runs something once, no earlier than in so many ms
 * @property {(timer: any) => void} clearTimer
 */

/** systemClock is the time of this process. Its timers count whole milliseconds. @type {LineClock} */
const systemClock = {
  nowMs: () => performance.now(),
  setTimer: (/** @type {() => void} */ run, /** @type {number} */ ms) => setTimeout(run, ms),
  clearTimer: (/** @type {NodeJS.Timeout} */ timer) => clearTimeout(timer)
}
