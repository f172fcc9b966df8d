import { setTimeout as pause } from 'node:timers/promises'

/** @typedef {(first: boolean) => Promise<void>} Think - waits before an operation; `first`: the first one of its lane */

/**
 * thinkTimes gives the pauses of one client between a reply and its next operation, each drawn anew. Before its first operation a
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
export function thinkTimes(
  { min, max },
  { random, endNs, signal, clock = process.hrtime.bigint, sleep = interruptible }
) {
  return async first => {
    const ms = (min + random() * (max - min)) * (first ? random() : 1)
    const leftMs = endNs === null ? Infinity : Number(endNs - clock()) / 1e6
    await sleep(Math.max(0, Math.min(ms, leftMs)), signal)
  }
}

/** @param {number} ms @param {AbortSignal} signal */
const interruptible = (ms, signal) => pause(ms, undefined, { signal }).catch(() => {})
