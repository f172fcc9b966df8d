import { GossipMeasurement } from '../../src/scenarios/gossip/outcome.js'
import { publishedRows, receivedRows } from '../scenarios/gossip/measure/rows.js'

/** @typedef {import('../../src/network/node-host.js').HostInterval} HostInterval */

const COUNTERS = Object.freeze({
  duplicates: 0,
  bytesSent: 0,
  bytesReceived: 0,
  rpcsSent: 0,
  rpcsReceived: 0,
  messagesSent: 0,
  messagesReceived: 0,
  ihaveSent: 0,
  iwantSent: 0,
  graftSent: 0,
  pruneSent: 0,
  idontwantSent: 0,
  accepted: 0,
  ignored: 0,
  rejected: 0,
  promisesBroken: 0,
  foreign: 0
})

/**
 * intervalOf is what a host tells of a second in which nothing else happened than is said.
 *
 * @param {object} parts
 * @param {number} [parts.atMs]
 * @param {Parameters<typeof publishedRows>[0]} [parts.published]
 * @param {Parameters<typeof receivedRows>[0]} [parts.received]
 * @param {Partial<HostInterval['counters']>} [parts.counters]
 * @param {number} [parts.abortedStreams]
 * @param {number} [parts.backlogBytes]
 * @param {number} [parts.cpuMicros]
 * @returns {HostInterval}
 */
export const intervalOf = ({ atMs = 1000, published = [], received = [], counters, ...parts }) => ({
  seq: atMs,
  atNs: atMs * 1e6,
  published: publishedRows(published),
  received: receivedRows(received),
  counters: { ...COUNTERS, ...counters },
  meshDegree: { min: 1, max: 2, sum: 4, count: 3 },
  backlogBytes: parts.backlogBytes ?? 0,
  abortedStreams: parts.abortedStreams ?? 0,
  usage: {
    wallMs: 1000,
    activeMs: 400,
    cpuMicros: parts.cpuMicros ?? 500_000,
    rssBytes: 1e8,
    heapBytes: 5e7,
    maxTurnMs: 10
  }
})

/**
 * measuring is the measurement of a line of three nodes that all subscribe to one topic, begun at 0.
 *
 * @param {Partial<ConstructorParameters<typeof GossipMeasurement>[0]>} [parts]
 */
export const measuring = (parts = {}) =>
  new GossipMeasurement({
    workers: 1,
    nodes: 3,
    subscriptions: [[0], [0], [0]],
    startNs: 0,
    planned: 60,
    ...parts
  })
