import {
  asCsv,
  at,
  csvOf,
  MARKS,
  SECOND_TIMES,
  secondTimes,
  thresholdCells,
  timesUnder,
  under,
  withMarks
} from '../../../report/csv.js'
import { hopFigures } from '../measure/hop-figures.js'

/** @typedef {import('../gossip-types.js').GossipResult} GossipResult */

/** @param {string} path */
const times = path => [`${path}.count`, ...timesUnder(path)]

/** @param {string} path */
const marked = path => [...times(path), ...MARKS.map(mark => `${path}.${mark}`)]

/**
 * deliveriesCsv has one row with every figure of the run, each under its path in the result.
 *
 * @param {GossipResult} result
 */
export const deliveriesCsv = result => {
  const cells = deliveriesCells(result)
  return asCsv([Object.keys(cells), Object.values(cells)])
}

/**
 * deliveriesCells are its cells, by their headings.
 *
 * @param {GossipResult} result
 * @returns {Record<string, import('../../../report/csv.js').Cell>}
 */
export function deliveriesCells(result) {
  const { plan, outcome } = result
  const { latency, dissemination, hops } = outcome
  const ofRun = thresholdCells(result)
  const document = {
    ...outcome,
    network: plan.network,
    nodes: plan.nodes,
    topology: outcome.topology.kind,
    latency: { ...latency, all: withMarks(latency.all) },
    dissemination: { ...dissemination, all: withMarks(dissemination.all) },
    hops: { ...hops, last: hopFigures(hops.last) },
    ...ofRun
  }
  const paths = [
    ...['network', 'nodes', 'topology', ...under(outcome, 'messages'), ...under(outcome, 'delivery')],
    ...[...marked('latency.all'), ...times('latency.delivered')],
    ...[...marked('dissemination.all'), ...times('dissemination.complete')],
    ...['lateness.summary', 'interArrival.actual.summary', 'interArrival.planned.summary'].flatMap(times),
    ...['hops.last.avg', 'hops.last.max', 'hops.unknown'],
    ...['cost', 'counters', 'streams', 'anomalies'].flatMap(path => under(outcome, path)),
    ...['missing.pairs', ...under(outcome, 'missing.byReason'), 'mesh.formedAfterMs', 'measuredMs'],
    ...Object.keys(ofRun)
  ]
  return Object.fromEntries(paths.map(path => [path, at(document, path)]))
}

/**
 * nodesCsv has a row for each node.
 *
 * @param {GossipResult} result
 */
export const nodesCsv = ({ outcome }) =>
  csvOf(['node', 'published', 'expected', 'delivered', 'averageMs'], outcome.nodes)

/**
 * timelineCsv has a row for each second in which something was due, published or delivered; latencies stand in the second of the
 * publish call, as exact as the histograms of the seconds: 2 digits.
 *
 * @param {GossipResult} result
 */
export function timelineCsv({ outcome: { timeline, perSecond } }) {
  const histograms = new Map(perSecond.map(({ second, histogram }) => [second, histogram]))
  return csvOf(
    ['second', 'planned', 'published', 'delivered', ...SECOND_TIMES.map(name => `latency.${name}`)],
    timeline.map(entry => {
      const latency = secondTimes(histograms.get(entry.second) ?? [])
      return { ...entry, latency: Object.fromEntries(SECOND_TIMES.map((name, i) => [name, latency[i]])) }
    })
  )
}

/** Its name stands beside the number of a topic. @template {{ topic: number }} T @param {GossipResult['plan']} plan @param {readonly T[]} rows */
const withNames = ({ topics }, rows) => rows.map(row => ({ ...row, name: topics[row.topic]?.name }))

/**
 * topicsCsv has a row for each topic.
 *
 * @param {GossipResult} result
 */
export const topicsCsv = ({ plan, outcome }) =>
  csvOf(['topic', 'name', 'published', 'expected', 'delivered'], withNames(plan, outcome.topics))

/**
 * missingCsv has a row for each delivery that did not come and is listed in the result.
 *
 * @param {GossipResult} result
 */
export const missingCsv = ({ plan, outcome }) =>
  csvOf(['message', 'node', 'topic', 'name', 'reason'], withNames(plan, outcome.missing.listed))
