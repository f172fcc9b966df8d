import { BandwidthQueue, Path } from '../../../src/network/link-model.js'
import { tcpDirection } from './direction.js'

/**
 * @typedef {import('./direction.js').Direction} Direction
 * @typedef {import('../../../src/network/links/tcp-connection.js').TcpParts} TcpParts
 */

/** A millisecond. */
export const MS = 1e6

/** BARE counts no header above TCP, so that bytes are those of the test. @type {import('../../../src/network/links/direction.js').Layers} */
export const BARE = { muxer: null, security: null, tcp: false }

/**
 * pathOf makes a path of its own.
 *
 * @param {{ latencyNs: number, bytesPerSecond?: number | null, latency?: () => number }} of
 */
export const pathOf = ({ latencyNs, bytesPerSecond = null, latency = () => latencyNs }) =>
  new Path({
    upLink: new BandwidthQueue(bytesPerSecond),
    link: new BandwidthQueue(null),
    downLink: new BandwidthQueue(null),
    latency
  })

/**
 * tcpOf makes one way of a connection over a path of its own.
 *
 * @param {{ latencyNs: number, bytesPerSecond?: number | null } & Partial<TcpParts>} of
 */
export const tcpOf = ({ latencyNs, bytesPerSecond, ...parts }) =>
  tcpDirection({
    path: pathOf({ latencyNs, bytesPerSecond }),
    layers: BARE,
    rttNs: 2 * latencyNs,
    returnNs: latencyNs,
    lossShare: 0,
    random: () => 1,
    answerRandom: () => 1,
    cut: null,
    ...parts
  })

/**
 * losing loses the segments at these places of the sending order, repeats included.
 *
 * @param {...number} places
 * @returns {Pick<TcpParts, 'lossShare' | 'random'>}
 */
export function losing(...places) {
  let sent = 0
  return {
    lossShare: 0.5,
    random: () => {
      sent += 1
      return places.includes(sent - 1) ? 0 : 1
    }
  }
}

/**
 * arrivals sends writes and drives a direction until nothing is left.
 *
 * @param {Direction} direction
 * @param {readonly (readonly [atNs: number, bytes: number])[]} writes - by time
 * @returns {number[]} when each can be read, ns
 */
export function arrivals(direction, writes) {
  const times = /** @type {number[]} */ ([])
  const runUntil = (/** @type {number} */ limitNs) => {
    while (direction.nextNs <= limitNs) {
      const nowNs = direction.nextNs
      if (nowNs === Infinity) return
      for (let left = direction.advance(nowNs); left > 0; left -= 1) times.push(nowNs)
    }
  }
  for (const [atNs, bytes] of writes) {
    runUntil(atNs)
    direction.send(bytes, atNs)
  }
  runUntil(Infinity)
  return times
}
