// Runs the operations of clients: the open loop sends each when it is due, the closed loop after the previous reply.
import { setImmediate as nextTurn, setTimeout as sleep } from 'node:timers/promises'

/** After so many late operations sent in a row, replies get a turn. */
const LATE_BURST = 16

/**
 * runOpenLoop sends operations when they are due, whatever became of the ones before. What is late is sent at once and still
 * counts from when it was due, so that a stalled server cannot hide (coordinated omission).
 *
 * @template [A=number]
 * @param {object} options
 * @param {Iterable<A>} options.arrivals - in the order in which they are due
 * @param {(arrival: A) => number} [options.offsetOf] - in ns; default: an arrival is its offset
 * @param {bigint} options.startNs
 * @param {number} options.maxInFlight - what is due beyond it is dropped, and told
 * @param {AbortSignal} options.signal - aborted: begin no further operation
 * @param {(dueNs: bigint, index: number, arrival: A) => Promise<void>} options.perform - never rejects
 * @param {(dueNs: bigint, index: number, arrival: A) => void} options.drop
 * @param {{ until: (dueNs: bigint, signal: AbortSignal) => Promise<void> }} options.pacer
 * @param {() => bigint} [options.clock]
 * @returns {Promise<void>} when the last operation has ended
 */
export async function runOpenLoop({
  arrivals,
  offsetOf = Number,
  startNs,
  maxInFlight,
  signal,
  perform,
  drop,
  pacer,
  clock = process.hrtime.bigint
}) {
  /** @type {Set<Promise<void>>} */
  const inFlight = new Set()
  let index = 0
  let burst = 0
  for (const arrival of arrivals) {
    const dueNs = startNs + BigInt(offsetOf(arrival))
    const late = dueNs <= clock()
    burst = late ? burst + 1 : 0
    if (!late) await pacer.until(dueNs, signal)
    else if (burst % LATE_BURST === 0) await nextTurn()
    if (signal.aborted) break
    if (inFlight.size >= maxInFlight) drop(dueNs, index, arrival)
    else {
      const operation = perform(dueNs, index, arrival).finally(() => inFlight.delete(operation))
      inFlight.add(operation)
    }
    index++
  }
  await Promise.all(inFlight)
}

/**
 * runClosedLoop keeps `lanes` operations of one client going: each lane sends its next operation when its last one ended, or
 * after it has thought.
 *
 * @param {object} options
 * @param {number} options.lanes - operations the client has in flight at most
 * @param {number} options.operations - in all; Infinity with a duration
 * @param {() => boolean} options.stopped - true: begin no further operation
 * @param {() => Promise<void>} options.perform - one operation, measured; never rejects
 * @param {Think | null} [options.think] - waits before each operation; null: there is no time to think
 * @returns {Promise<void>} when the last operation has ended
 */
export async function runClosedLoop({ lanes, operations, stopped, perform, think = null }) {
  let left = operations
  const lane = async () => {
    for (let first = true; left > 0 && !stopped(); first = false) {
      left--
      if (think !== null) await think(first)
      if (stopped()) return
      await perform()
    }
  }
  await Promise.all(Array.from({ length: Math.min(lanes, operations) }, lane))
}

/** Node's timers count whole milliseconds and come up to one late, so the last stretch is not slept. */
const TIMER_SLACK_MS = 1.5

/** About 20 µs. Each turn of the loop leaves garbage: without a pause it is collected 200 times a second, while operations are under way. */
const PAUSE_READS = 2000
/** Shortly before an operation is due there is none. */
const LAST_NS = 50_000n
const cell = new Int32Array(new SharedArrayBuffer(Int32Array.BYTES_PER_ELEMENT))

function pause() {
  for (let reads = 0; reads < PAUSE_READS; reads++) Atomics.load(cell, 0)
}

/**
 * Pacer waits until an operation is due. A precise one turns the event loop without sleeping for the last stretch, which
 * takes a whole core at high rates but sends within microseconds of the due time; otherwise it sleeps only, and what is due
 * goes out up to a few milliseconds late.
 */
export class Pacer {
  #precise
  #turns
  #clock
  /** spunNs is how long the loop turned for nothing but waiting: no work, though the runtime counts it as active. */
  spunNs = 0

  /**
   * @param {object} options
   * @param {boolean} options.precise
   * @param {import('../measure/client-overhead.js').LoopTurns} options.turns
   * @param {() => bigint} [options.clock]
   */
  constructor({ precise, turns, clock = process.hrtime.bigint }) {
    this.#precise = precise
    this.#turns = turns
    this.#clock = clock
  }

  /**
   * @param {bigint} dueNs
   * @param {AbortSignal} [signal] - aborted: wait no longer
   */
  async until(dueNs, signal) {
    for (let leftMs = this.#left(dueNs); leftMs > 0 && !signal?.aborted; leftMs = this.#left(dueNs)) {
      if (!this.#precise) await interruptible(leftMs, signal)
      else if (leftMs > 2 * TIMER_SLACK_MS) await interruptible(leftMs - TIMER_SLACK_MS, signal)
      else await this.#spin(dueNs, signal)
    }
  }

  /** @param {bigint} dueNs */
  #left(dueNs) {
    return Number(dueNs - this.#clock()) / 1e6
  }

  /** Turns the loop until the operation is due. @param {bigint} dueNs @param {AbortSignal} [signal] */
  #spin(dueNs, signal) {
    return new Promise(resolve => {
      let beforeNs = this.#clock()
      const turn = () => {
        const nowNs = this.#clock()
        const over = nowNs >= dueNs || signal?.aborted
        if (!this.#turns.busy) {
          this.#turns.idle()
          if (dueNs - nowNs > LAST_NS) pause()
          this.spunNs += Number(this.#clock() - beforeNs)
        }
        if (over) return resolve(undefined)
        beforeNs = this.#clock()
        setImmediate(turn)
      }
      setImmediate(turn)
    })
  }
}

/** @param {number} ms @param {AbortSignal} [signal] */
const interruptible = (ms, signal) => sleep(ms, undefined, { signal }).catch(() => {})

/** @typedef {(first: boolean) => Promise<void>} Think - waits before an operation; `first`: the first one of its lane */

/**
 * makeThinkTimes gives the pauses of one client between a reply and its next operation, each drawn anew. Before its first operation a
 * client waits for a random part of one, so that clients do not ask in step. No pause goes beyond the end of the load.
 *
 * @param {{ min: number, max: number }} range - ms
 * @param {object} components
 * @param {() => number} components.random - uniform in [0, 1)
 * @param {bigint | null} components.endNs - of the load; null: it ends after a number of operations
 * @param {AbortSignal} components.signal - aborted: nobody thinks any longer
 * @param {() => bigint} [components.clock] - ns
 * @param {(ms: number, signal: AbortSignal) => Promise<unknown>} [components.sleep]
 * @returns {Think}
 */
export function makeThinkTimes(
  { min, max },
  { random, endNs, signal, clock = process.hrtime.bigint, sleep = interruptible }
) {
  return async first => {
    const ms = (min + random() * (max - min)) * (first ? random() : 1)
    const leftMs = endNs === null ? Infinity : Number(endNs - clock()) / 1e6
    await sleep(Math.max(0, Math.min(ms, leftMs)), signal)
  }
}
