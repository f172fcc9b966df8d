import { asCsv, SECOND_TIMES, secondTimes } from '../../../report/csv.js'
import { FIGURES } from '../../../report/table.js'
import { failedTexts, thresholdVerdict } from '../../../report/threshold-lines.js'
import { hopFigures } from './hop-figures.js'

/**
 * @typedef {import('../gossip-types.js').GossipResult} GossipResult
 * @typedef {import('../gossip-types.js').GossipOutcome} GossipOutcome
 * @typedef {import('../../../result/types.js').Summary} Summary
 * @typedef {import('../../../report/csv.js').Cell} Cell
 * @typedef {[name: string, cell: Cell]} Entry
 */

/** @param {string} path @param {Summary} summary @returns {Entry[]} */
const times = (path, summary) => [
  [`${path}.count`, summary.count],
  ...FIGURES.map(([key]) => /** @type {Entry} */ ([`${path}.${key}.ms`, summary[key]?.ms]))
]

/** @param {string} path @param {Summary} summary @returns {Entry[]} */
const marks = (path, summary) =>
  /** @type {const} */ (['censored', 'doubtful']).map(mark => [
    `${path}.${mark}`,
    FIGURES.filter(([key]) => summary[key]?.[mark])
      .map(([key]) => key)
      .join(' ')
  ])

/** @param {string} path @param {object} values - numbers by name @returns {Entry[]} */
const each = (path, values) =>
  Object.entries(values).map(([name, value]) => /** @type {Entry} */ ([`${path}.${name}`, value]))

/** @param {GossipResult} result @returns {Entry[]} */
function thresholds(result) {
  const verdict = thresholdVerdict(result)
  return verdict === null
    ? []
    : [
        ['thresholds', verdict],
        ['thresholds.failed', failedTexts(result)]
      ]
}

/** @param {GossipOutcome} outcome @returns {Entry[]} */
const ofTimes = ({ latency, dissemination, lateness, interArrival }) => [
  ...times('latency.all', latency.all),
  ...marks('latency.all', latency.all),
  ...times('latency.delivered', latency.delivered),
  ...times('dissemination.all', dissemination.all),
  ...marks('dissemination.all', dissemination.all),
  ...times('dissemination.complete', dissemination.complete),
  ...times('lateness.summary', lateness.summary),
  ...times('interArrival.actual.summary', interArrival.actual.summary),
  ...times('interArrival.planned.summary', interArrival.planned.summary)
]

/**
 * deliveriesCsv has one row with every figure of the run, each under its path in the result.
 *
 * @param {GossipResult} result
 */
export function deliveriesCsv(result) {
  const { plan, outcome } = result
  const last = hopFigures(outcome.hops.last)
  /** @type {Entry[]} */
  const entries = [
    ['network', plan.network],
    ['nodes', plan.nodes],
    ['topology', outcome.topology.kind],
    ...each('messages', outcome.messages),
    ...each('delivery', outcome.delivery),
    ...ofTimes(outcome),
    ['hops.last.avg', last?.avg],
    ['hops.last.max', last?.max],
    ['hops.unknown', outcome.hops.unknown],
    ...each('cost', outcome.cost),
    ...each('counters', outcome.counters),
    ...each('streams', outcome.streams),
    ...each('anomalies', outcome.anomalies),
    ['missing.pairs', outcome.missing.pairs],
    ...each('missing.byReason', outcome.missing.byReason),
    ['mesh.formedAfterMs', outcome.mesh.formedAfterMs],
    ['measuredMs', outcome.measuredMs],
    ...thresholds(result)
  ]
  return asCsv([entries.map(([name]) => name), entries.map(([, cell]) => cell)])
}

/**
 * nodesCsv has a row for each node.
 *
 * @param {GossipResult} result
 */
export const nodesCsv = ({ outcome }) =>
  asCsv([
    ['node', 'published', 'expected', 'delivered', 'averageMs'],
    ...outcome.nodes.map(({ node, published, expected, delivered, averageMs }) => [
      node,
      published,
      expected,
      delivered,
      averageMs
    ])
  ])

/**
 * timelineCsv has a row for each second in which something was due, published or delivered; latencies stand in the second of the
 * publish call, as exact as the histograms of the seconds: 2 digits.
 *
 * @param {GossipResult} result
 */
export function timelineCsv({ outcome: { timeline, perSecond } }) {
  const histograms = new Map(perSecond.map(({ second, histogram }) => [second, histogram]))
  return asCsv([
    ['second', 'planned', 'published', 'delivered', ...SECOND_TIMES.map(name => `latency.${name}`)],
    ...timeline.map(({ second, planned, published, delivered }) => [
      second,
      planned,
      published,
      delivered,
      ...secondTimes(histograms.get(second) ?? [])
    ])
  ])
}

/**
 * topicsCsv has a row for each topic.
 *
 * @param {GossipResult} result
 */
export const topicsCsv = ({ plan, outcome }) =>
  asCsv([
    ['topic', 'name', 'published', 'expected', 'delivered'],
    ...outcome.topics.map(({ topic, published, expected, delivered }) => [
      topic,
      plan.topics[topic]?.name,
      published,
      expected,
      delivered
    ])
  ])

/**
 * missingCsv has a row for each delivery that did not come and is listed in the result.
 *
 * @param {GossipResult} result
 */
export const missingCsv = ({ plan, outcome }) =>
  asCsv([
    ['message', 'node', 'topic', 'name', 'reason'],
    ...outcome.missing.listed.map(({ message, node, topic, reason }) => [
      message,
      node,
      topic,
      plan.topics[topic]?.name,
      reason
    ])
  ])
