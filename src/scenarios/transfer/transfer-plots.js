import { grouping, present, spread } from '../../kit/lists.js'
import { rateWords } from '../../kit/rate-words.js'
import { modelGoodput } from '../../measure/transfer-limit.js'
import { four, megabytes } from '../../report/description/values.js'

/**
 * @typedef {import('../../report/description/description.js').Plot} Plot
 * @typedef {import('../../report/description/description.js').Series} Series
 * @typedef {import('./transfer-plan.js').FilesOutcome} FilesOutcome
 * @typedef {import('./transfer-plan.js').Case} Case
 * @typedef {import('./transfer-plan.js').Round} Round
 */

/** More points of a line cannot be seen. */
const MAX_POINTS = 100
/** Lines of more transfers hide one another. */
const MAX_CURVES = 8
/** Networks, and protocols on networks, that have plots of their own: the others are in result.json. */
const MAX_ROUNDS = 4
const MAX_BLOCK_PLOTS = 10

/** @param {number} bytesPerSecond */
const bandwidth = bytesPerSecond =>
  bytesPerSecond < 1e6 ? `${rateWords(bytesPerSecond / 1e3)} kB/s` : `${rateWords(bytesPerSecond / 1e6)} MB/s`

/** network says what lies between the sides. @param {Round} round */
export const network = ({ latencyMs, bytesPerSecond }) =>
  present([
    latencyMs > 0 && `${rateWords(latencyMs)} ms`,
    bytesPerSecond !== null && bandwidth(bytesPerSecond)
  ]).join(', ') || 'unlimited'

/** roundId names a round in an id. @param {Round} round */
export const roundId = ({ latencyMs, bytesPerSecond }) =>
  `${latencyMs}ms-${bytesPerSecond ?? 'unlimited'}`.replaceAll('.', '-')

/**
 * transferPlots draw the time and throughput of each protocol, and what happened in its first repeat.
 *
 * @param {FilesOutcome} outcome
 * @param {boolean} isTimed - its times count
 * @returns {Plot[]}
 */
export function transferPlots(outcome, isTimed) {
  const plots = [
    ...(isTimed ? [...timeByLatency(outcome), ...throughputByRoundTrip(outcome)] : []),
    ...bytesOverTime(outcome),
    ...requests(outcome, 'waiting', 'Requests waiting', 1),
    ...requests(outcome, 'in-progress', 'Requests in progress', 2),
    ...blockTimes(outcome)
  ]
  // the last of its kind is of the hardest network
  const [first] = plots
  const main = plots.findLast(({ kind, y }) => first !== undefined && kind === first.kind && y === first.y)
  return plots.map(plot => (plot === main ? { ...plot, main: true } : plot))
}

/**
 * @template T
 * @param {readonly T[]} rows
 * @param {(row: T) => string} keyOf
 * @returns {T[][]} in the order of their first
 */
function grouped(rows, keyOf) {
  /** @type {Map<string, T[]>} */
  const groups = new Map()
  for (const row of rows) groups.set(keyOf(row), [...(groups.get(keyOf(row)) ?? []), row])
  return [...groups.values()]
}

/** As many as have plots, with the last one, of the hardest network. @template T @param {readonly T[]} groups @param {number} [most] */
const chosen = (groups, most = MAX_ROUNDS) => spread(groups.toReversed(), most).toReversed()

/** A plot for each bandwidth, where there are several latencies: of one, the table says all. @param {FilesOutcome} outcome @returns {Plot[]} */
const timeByLatency = ({ cases }) =>
  chosen(grouped(cases, ({ bytesPerSecond }) => String(bytesPerSecond))).flatMap(ofOneBandwidth => {
    if (new Set(ofOneBandwidth.map(({ latencyMs }) => latencyMs)).size < 2) return []
    const [{ bytesPerSecond }] = ofOneBandwidth
    return [
      {
        id: `time-by-latency-${bytesPerSecond ?? 'unlimited'}`,
        title: `Time by latency: ${bytesPerSecond === null ? 'unlimited bandwidth' : bandwidth(bytesPerSecond)}`,
        kind: /** @type {const} */ ('lines'),
        note: 'Median over repeats, with its 95 % interval where there is one.',
        x: 'One-way latency, ms',
        y: 'Time, ms',
        compared: true,
        series: grouped(ofOneBandwidth, ({ way }) => way).map(ofOneWay => ({
          label: ofOneWay[0].way,
          values: ofOneWay
            .toSorted((a, b) => a.latencyMs - b.latencyMs)
            .map(({ latencyMs, seconds: { median, low, high } }) => [
              latencyMs,
              ...(low === null || high === null ? [median] : [median, low, high]).map(seconds =>
                four(seconds === null ? null : 1000 * seconds)
              )
            ])
        }))
      }
    ]
  })

/** The round trip of loopback is that of two busy processes: such rounds are left out. @param {FilesOutcome} outcome @returns {Plot[]} */
function throughputByRoundTrip({ cases }) {
  const far = cases.filter(
    ({ latencyMs, roundTripMs, goodput }) => latencyMs > 0 && roundTripMs !== null && goodput.median !== null
  )
  if (far.length === 0) return []
  /** @param {Case} each */
  const point = ({ roundTripMs, goodput }) => [four(roundTripMs), four(megabytes(goodput.median))]
  return [
    {
      id: 'throughput-by-round-trip',
      title: 'Throughput by round trip',
      kind: 'lines',
      note: 'A point for each protocol and network: the median over repeats. Dotted: min(bandwidth, window ÷ round trip).',
      x: 'Round trip, ms',
      y: 'MB/s',
      logX: true,
      logY: true,
      compared: true,
      series: [
        ...grouped(far, ({ way }) => way).map(ofOneWay => ({
          label: ofOneWay[0].way,
          style: /** @type {const} */ ('points'),
          values: ofOneWay.map(point).toSorted(([a], [b]) => Number(a) - Number(b))
        })),
        ...models(far)
      ]
    }
  ]
}

const MODEL_POINTS = 40

/** A curve for each bandwidth and window there is. @param {readonly Case[]} cases @returns {Series[]} */
function models(cases) {
  const trips = cases.map(({ roundTripMs }) => Number(roundTripMs))
  const [from, to] = [Math.min(...trips) / 1.5, Math.max(...trips) * 1.5]
  const most = Math.max(...cases.map(({ goodput }) => Number(goodput.median)))
  return grouped(cases, ({ bytesPerSecond, windowBytes }) => `${bytesPerSecond} ${windowBytes}`).flatMap(
    ([{ bytesPerSecond, windowBytes }]) => {
      const label = present([
        bytesPerSecond !== null && bandwidth(bytesPerSecond),
        windowBytes !== null && `window of ${rateWords(windowBytes / 2 ** 20)} MiB`
      ]).join(', ')
      if (label === '') return []
      const values = Array.from({ length: MODEL_POINTS + 1 }, (_, i) => {
        const roundTripMs = from * (to / from) ** (i / MODEL_POINTS)
        const model = modelGoodput({ roundTripMs, windowBytes, lineBytesPerSecond: bytesPerSecond })
        return [four(roundTripMs), four(megabytes(model.bytesPerSecond))]
      })
      // far above what was measured it says nothing
      return [
        {
          label: `model: ${label}`,
          style: /** @type {const} */ ('dotted'),
          values: values.filter(([, rate]) => Number(rate) <= (20 * most) / 1e6)
        }
      ]
    }
  )
}

/** A plot for each network, with the first transfers of each protocol. @param {FilesOutcome} outcome @returns {Plot[]} */
function bytesOverTime({ transfers, cases }) {
  const ways = cases.map(({ way }) => way)
  const drawn = transfers
    .filter(({ repeat, requestor, file }) => repeat === 0 && requestor === 0 && file < MAX_CURVES)
    .filter(({ curve = [] }) => curve.length > 0)
  return chosen(grouped(drawn, roundId)).map(ofOneRound => ({
    id: `bytes-${roundId(ofOneRound[0])}`,
    title: `Bytes stored over time: ${network(ofOneRound[0])}`,
    kind: 'lines',
    note: 'In the first repeat. The slope is the throughput.',
    x: 'Time since the request, ms',
    y: 'Stored, MB',
    compared: true,
    series: ofOneRound
      .toSorted((a, b) => ways.indexOf(a.way) - ways.indexOf(b.way))
      .map(({ way, file, curve = [] }) => ({
        label: file === 0 ? way : `${way}, file ${file + 1}`,
        style: /** @type {const} */ ('steps'),
        values: [[0, 0], ...thinned(curve).map(([ms, bytes]) => [four(ms), four(bytes / 1e6)])]
      }))
  }))
}

/** As many as can be seen, with the last. @template T @param {readonly T[]} points @returns {readonly T[]} */
const thinned = points => {
  const shown = spread(points, MAX_POINTS)
  const last = points.slice(-1)
  return shown.at(-1) === last[0] ? shown : [...shown, ...last]
}

/**
 * A plot for each network, with a line for each protocol.
 *
 * @param {FilesOutcome} outcome
 * @param {string} name - part of its id
 * @param {string} title
 * @param {1 | 2} column
 * @returns {Plot[]}
 */
const requests = ({ waiting }, name, title, column) =>
  chosen(
    grouped(
      waiting.filter(({ points }) => points.length > 0),
      roundId
    )
  ).map(ofOneRound => ({
    id: `${name}-${roundId(ofOneRound[0])}`,
    title: `${title}: ${network(ofOneRound[0])}`,
    kind: 'lines',
    note: 'At the provider, in the first repeat.',
    x: 'Time, ms',
    y: 'Requests',
    series: ofOneRound.map(({ way, points }) => ({
      label: way,
      style: /** @type {const} */ ('steps'),
      values: grouping(points, MAX_POINTS)
        .map(group => group.reduce((most, point) => (point[column] > most[column] ? point : most)))
        .map(point => [four(point[0]), point[column]])
    }))
  }))

const EVENTS = /** @type {const} */ ([
  ['queued', 'queuedMs'],
  ['sent', 'sentMs'],
  ['received', 'receivedMs'],
  ['stored', 'storedMs']
])

/** A plot for each protocol on each network, with a line for each event in the life of a block. @param {FilesOutcome} outcome @returns {Plot[]} */
const blockTimes = ({ blockTimes }) =>
  chosen(
    grouped(blockTimes ?? [], block => `${block.way}-${roundId(block)}`),
    MAX_BLOCK_PLOTS
  ).map(blocks => {
    const [first] = blocks
    const every = Math.ceil(blocks.length / MAX_POINTS)
    const drawn = blocks.flatMap((block, i) => (i % every === 0 ? [{ ...block, place: i + 1 }] : []))
    return {
      id: `blocks-${first.way}-${roundId(first)}`,
      title: `Blocks: ${first.way}, ${network(first)}`,
      kind: 'lines',
      note: `When each block was queued, sent, received and stored, in the first repeat.${every === 1 ? '' : ` One of ${every} blocks is drawn.`}`,
      x: 'Block, in the order in which the provider queued it',
      y: 'Time, ms',
      series: EVENTS.map(([label, key]) => ({
        label,
        values: drawn.map(({ place, [key]: ms }) => [place, four(ms)])
      }))
    }
  })
