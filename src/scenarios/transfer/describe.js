// Describes a transfer plan or result for reports. Makes the tables and plots of transfers of zeros;
// description/files.js has those of files.
import { joinWords } from '../../kit/collections.js'
import { formatCount, formatSignificant } from '../../kit/numbers.js'
import { describeTransferLimit, formatLimitNames } from '../../measure/limited-by.js'
import {
  makeSettingsTable,
  makeTable,
  makeTimeCell,
  roundToFourDigits,
  toMegabytes,
  toPercent
} from '../../report/description.js'
import {
  describeNetwork,
  EMULATED_NETWORK_NOTE,
  FILES_DESCRIBER,
  makeLinkTables,
  makeRoundId
} from './description/files.js'
import { findBestRow, findFirstProtocol, findRowOfFirstProtocol, readHandshakeMedian } from './figures.js'
import { asTransferPlan, listProtocols, listRounds, movesFiles } from './plan/transfer-plan.js'

/** @param {import('./plan/transfer-plan.js').TransferPlan} plan */
const chooseDescriber = plan => (movesFiles(plan) ? FILES_DESCRIBER : ZEROS_DESCRIBER)

/**
 * describePlan describes a plan and its phases.
 *
 * @param {unknown} asked
 * @returns {import('../../report/schema.js').PlanDescription}
 */
export function describePlan(asked) {
  const plan = asTransferPlan(asked)
  return chooseDescriber(plan).plan(plan)
}

/**
 * describeResult describes the measurements of each protocol on each network.
 *
 * @param {unknown} document
 * @returns {import('../../report/schema.js').Description}
 */
export function describeResult(document) {
  const result = /** @type {import('./plan/transfer-plan.js').AnyTransfer & { outcome: any }} */ (document)
  return chooseDescriber(result.plan).result(result)
}

/**
 * @typedef {import('../../report/schema.js').Description} Description
 * @typedef {import('../../report/schema.js').Cell} Cell
 * @typedef {import('../../report/schema.js').Plot} Plot
 * @typedef {import('./plan/transfer-plan.js').ZerosOutcome} ZerosOutcome
 * @typedef {import('./plan/transfer-plan.js').TransferPlan} TransferPlan
 * @typedef {import('./plan/transfer-plan.js').Round} Round
 * @typedef {import('./plan/transfer-plan.js').ZerosResult} ZerosResult
 * @typedef {import('./plan/transfer-plan.js').ZerosRow} ZerosRow
 * @typedef {'upload' | 'download'} Direction
 */

const DIRECTIONS = /** @type {const} */ (['upload', 'download'])

/** ZEROS_DESCRIBER describes plans and results of zeros. */
const ZEROS_DESCRIBER = {
  /** @param {TransferPlan} plan @returns {import('../../report/schema.js').PlanDescription} */
  plan(plan) {
    const sides = plan.target === null ? 'provider and requestor' : 'requestor'
    return {
      what: describeWork(plan),
      phases: {
        setup: [`starting ${sides}`, `${sides} ready`],
        warmup: ['warming up', 'warm-up'],
        measure: ['measuring transfers', 'transfers measured'],
        latency: ['measuring latency', 'latency measured'],
        handshakes: ['measuring handshakes', 'handshakes measured'],
        teardown: [`stopping ${sides}`, `${sides} stopped`]
      },
      columns: MEASURE_COLUMNS.map(([heading]) => heading),
      rateUnit: '/s',
      measured: ''
    }
  },

  /** @param {ZerosResult} result @returns {Description} */
  result(result) {
    const { outcome } = result
    return {
      title: result.id,
      headline: writeHeadline(result),
      tiles: makeTiles(outcome).slice(0, 4),
      // the first table is the table of the run: without it there are no others
      tables: makeMeasureRows(outcome).length === 0 ? [] : makeTables(result),
      plots: makePlots(outcome),
      warnings: outcome.handshakes
        .filter(({ failed }) => failed > 0)
        .map(({ way, failed, due, failure }) => ({
          code: 'HANDSHAKES_FAILED',
          text: `${failed} of ${formatCount(due, 'handshake')} of ${way} failed: ${failure}`
        }))
    }
  }
}

/** @param {TransferPlan} plan */
function describeWork(plan) {
  const { measures, sizeBytes, repeats, target } = plan
  const moves = DIRECTIONS.some(direction => measures.includes(direction))
  const rounds = listRounds(plan)
  return [
    `${measures.join(', ')}${moves ? ` of ${formatSignificant(sizeBytes / 1e6)} MB` : ''}`,
    formatCount(listProtocols(plan).length, 'protocol'),
    formatCount(repeats, 'repeat'),
    target === null ? 'provider in its own process' : `provider at ${target}`,
    rounds.length === 1 ? describeNetwork(rounds[0]) : formatCount(rounds.length, 'network')
  ].join(' · ')
}

/** @param {ZerosResult} result */
const makeTables = result => {
  const { outcome } = result
  return [
    makeMeasuresTable(result),
    makeDetailsTable(outcome),
    makeTimesTable(outcome),
    makeHandshakesTable(outcome),
    makeTransfersTable(outcome),
    ...makeLinkTables(outcome),
    makeSettingsTable(outcome.settings)
  ].filter(({ rows }) => rows.length > 0)
}

/** @typedef {[name: string, value: Cell, unit: 'MB/s' | 'ms']} MainFigure - a figure of the first protocol over libp2p */

/** @param {ZerosOutcome} outcome @returns {MainFigure[]} */
function readMainFigures(outcome) {
  const latency = findRowOfFirstProtocol(outcome, outcome.latency)
  const times = findRowOfFirstProtocol(outcome, outcome.handshakes)?.times
  return [
    ...DIRECTIONS.flatMap(direction => {
      const row = findBestRow(outcome, direction)
      return row === undefined
        ? []
        : [/** @type {MainFigure} */ ([direction, toMegabytes(row.bytesPerSecond.median), 'MB/s'])]
    }),
    ...(latency === undefined
      ? []
      : [/** @type {MainFigure} */ (['one-byte exchange', latency.both.median, 'ms'])]),
    ...(times == null
      ? []
      : [/** @type {MainFigure} */ (['handshake', makeTimeCell(readHandshakeMedian(times)), 'ms'])])
  ]
}

/** @param {ZerosResult} result */
function writeHeadline({ outcome }) {
  const made = new Set(outcome.transfers.map(({ repeat }) => repeat)).size
  const rounds = new Map(
    outcome.rows.concat(/** @type {any} */ (outcome.latency)).map(({ round }) => [makeRoundId(round), round])
  )
  const over = rounds.size > 1 ? ` over ${describeNetwork([...rounds.values()][rounds.size - 1])}` : ''
  const medians = `medians${made === 0 ? '' : ` of ${formatCount(made, 'repeat')}`}${over}`
  const figures = readMainFigures(outcome).map(
    ([name, value, unit]) =>
      `${name} ${typeof value === 'number' ? formatSignificant(value) : `> ${formatSignificant(/** @type {any} */ (value).atLeast)}`} ${unit}`
  )
  return figures.length === 0
    ? 'Nothing was measured.'
    : `${findFirstProtocol(outcome)}: ${joinWords(figures)} (${medians}).`
}

/** @param {ZerosOutcome} outcome @returns {Description['tiles']} */
const makeTiles = outcome =>
  readMainFigures(outcome).map(([name, value, unit]) =>
    unit === 'ms' ? [`${name}, p50`, value, 'ms'] : [`${name}, MB/s`, value, 'number']
  )

/**
 * @typedef {object} Measure - a row of the first table; figures that it does not have are absent
 * @property {string} measure
 * @property {Round} round
 * @property {string} way
 * @property {ZerosRow} [transfer]
 * @property {Cell} [ms] - median
 * @property {ZerosOutcome['handshakes'][number]} [handshake]
 */

/**
 * Sorts rows by network, then by protocol, in the order of the plan.
 *
 * @template {{ way: string, round: Round }} T
 * @param {Pick<ZerosOutcome, 'ways'>} outcome
 * @param {readonly T[]} rows
 */
function sortRows({ ways }, rows) {
  const names = ways.map(({ name }) => name)
  const rounds = rows.map(({ round }) => makeRoundId(round))
  return rows.toSorted(
    (a, b) =>
      rounds.indexOf(makeRoundId(a.round)) - rounds.indexOf(makeRoundId(b.round)) ||
      names.indexOf(a.way) - names.indexOf(b.way)
  )
}

/** @param {ZerosOutcome} outcome @returns {Measure[]} */
const makeMeasureRows = ({ rows, ...outcome }) => [
  ...rows.map(transfer => ({
    measure: transfer.direction,
    round: transfer.round,
    way: transfer.way,
    transfer
  })),
  ...sortRows(outcome, outcome.latency).map(({ round, way, both }) => ({
    measure: 'latency',
    round,
    way,
    ms: both?.median
  })),
  ...sortRows(outcome, outcome.handshakes).map(handshake => ({
    measure: 'handshake',
    round: handshake.round,
    way: handshake.way,
    handshake,
    ms: handshake.times === null ? undefined : makeTimeCell(readHandshakeMedian(handshake.times))
  }))
]

/** @param {ZerosRow} row */
const findTcpOverhead = ({ overhead }) => overhead.find(({ to }) => to === 'TCP')

/** Results of earlier releases have the verdict alone. @param {ZerosRow} row */
const describeLimit = ({ limitedBy, verdict, cores }) =>
  formatLimitNames(limitedBy ?? describeTransferLimit(verdict, cores))

/** Columns of the first table. @type {readonly import('../../report/description.js').ColumnOf<Measure>[]} */
const MEASURE_COLUMNS = [
  ['Measure', ({ measure }) => measure, 'text'],
  ['Protocol', ({ way }) => way, 'text'],
  ['Streams', ({ transfer }) => transfer?.streams, 'count'],
  ['MB/s', ({ transfer }) => toMegabytes(transfer?.bytesPerSecond.median), 'number'],
  ['p50 ms', ({ ms }) => ms, 'ms'],
  ['Network', ({ round }) => describeNetwork(round), 'text', 'wide'],
  ['MB/s low', ({ transfer }) => toMegabytes(transfer?.bytesPerSecond.low), 'number', 'wide'],
  ['MB/s high', ({ transfer }) => toMegabytes(transfer?.bytesPerSecond.high), 'number', 'wide'],
  ['MB/s slowest', ({ transfer }) => toMegabytes(transfer?.slowestBytesPerSecond), 'number', 'wide'],
  ['× TCP', ({ transfer }) => transfer && findTcpOverhead(transfer)?.median, 'number', 'wide'],
  ['× TCP low', ({ transfer }) => transfer && findTcpOverhead(transfer)?.low, 'number', 'wide'],
  ['× TCP high', ({ transfer }) => transfer && findTcpOverhead(transfer)?.high, 'number', 'wide'],
  ['Client CPU s/GB', ({ transfer }) => transfer?.cpuSecondsPerGB.client, 'number', 'wide'],
  ['Server CPU s/GB', ({ transfer }) => transfer?.cpuSecondsPerGB.server, 'number', 'wide'],
  ['Client RSS MB', ({ transfer }) => toMegabytes(transfer?.rssBytes.client), 'MB', 'wide'],
  ['Server RSS MB', ({ transfer }) => toMegabytes(transfer?.rssBytes.server), 'MB', 'wide'],
  ['Handshakes/s', ({ handshake }) => handshake?.perSecond?.median, 'perSecond', 'wide'],
  ['Limited by', ({ transfer }) => transfer && describeLimit(transfer), 'text']
]

/** @param {ZerosResult} result */
function makeMeasuresTable({ plan, outcome }) {
  const notes = [
    'Medians over repeats; low and high: 95 % interval (6 repeats or more).',
    ...(outcome.rows.length > 0
      ? [
          'Streams are open before a transfer begins; an upload ends when the server has read it.',
          'Limited by: docs/transfer.md#what-limits-it.'
        ]
      : []),
    ...(outcome.rows.some(row => findTcpOverhead(row))
      ? ['× TCP: time as a multiple of plain TCP in the same repeats.']
      : []),
    ...(outcome.latency.length > 0
      ? ['Latency: a stream is opened and a byte goes there and back, on an open connection.']
      : []),
    ...(plan.network === 'namespaces' ||
    listRounds(plan).every(round => describeNetwork(round) === 'unlimited')
      ? []
      : [EMULATED_NETWORK_NOTE])
  ]
  return makeTable(
    'measures',
    'Transfers, latency and handshakes',
    makeMeasureRows(outcome),
    MEASURE_COLUMNS,
    {
      note: notes.join(' '),
      allColumns: true
    }
  )
}

/** @param {ZerosOutcome} outcome */
function makeDetailsTable({ rows }) {
  const baselines = [...new Set(rows.flatMap(({ overhead }) => overhead.map(({ to }) => to)))]
  /** @type {import('../../report/description.js').ColumnOf<ZerosRow>[]} */
  const overheads = baselines.flatMap(name =>
    /** @type {const} */ (['median', 'low', 'high']).map(key => [
      key === 'median' ? `× ${name}` : `× ${name} ${key}`,
      (/** @type {ZerosRow} */ { overhead }) => overhead.find(({ to }) => to === name)?.[key],
      'number'
    ])
  )
  return {
    ...makeTable('transfer-details', 'Steady state, model and overhead of transfers', rows, [
      ['Network', ({ round }) => describeNetwork(round), 'text'],
      ['Direction', ({ direction }) => direction, 'text'],
      ['Protocol', ({ way }) => way, 'text'],
      ['Streams', ({ streams }) => streams, 'count'],
      ['Transfers', ({ transfers }) => transfers, 'count'],
      ['Steady MB/s', ({ steadyBytesPerSecond }) => toMegabytes(steadyBytesPerSecond), 'number'],
      ['Model MB/s', ({ modelBytesPerSecond }) => toMegabytes(modelBytesPerSecond), 'number'],
      ['Round trip ms', ({ roundTripMs }) => roundTripMs, 'ms'],
      ['Window MB', ({ windowBytes }) => toMegabytes(windowBytes), 'MB'],
      ['Limit', ({ verdict }) => verdict.limit, 'text'],
      [
        'Limit used %',
        ({ verdict }) => (verdict.limit === 'round trips' ? null : toPercent(verdict.reached)),
        'percent'
      ],
      [
        'Round trips taken',
        ({ verdict }) => (verdict.limit === 'round trips' ? verdict.reached : null),
        'number'
      ],
      ['Client CPU %', ({ cores }) => toPercent(cores.client), 'percent'],
      ['Server CPU %', ({ cores }) => toPercent(cores.server), 'percent'],
      ...overheads
    ]),
    note: 'Steady: the second half of a transfer. Model: min(window ÷ round trip, bandwidth). Round trip: one byte on an idle connection. CPU: 100 % is one core.'
  }
}

/** @typedef {ZerosOutcome['latency'][number]['both']} Quartiles */

/** @param {ZerosOutcome} outcome */
function makeTimesTable(outcome) {
  /** @type {{ round: Round, name: string, times: Quartiles, p50: Cell }[]} */
  const rows = [
    ...sortRows(outcome, outcome.latency).flatMap(({ round, way, open, exchange, both }) =>
      [
        { name: `${way}: open a stream`, times: open },
        { name: `${way}: exchange a byte`, times: exchange },
        { name: `${way}: both`, times: both }
      ].map(row => ({ round, ...row, p50: row.times.median }))
    ),
    ...sortRows(outcome, outcome.handshakes).flatMap(({ round, way, times }) =>
      times === null
        ? []
        : [{ round, name: `${way}: handshake`, times, p50: makeTimeCell(readHandshakeMedian(times)) }]
    )
  ]
  return {
    ...makeTable('response-times', 'Response times', rows, [
      ['Network', ({ round }) => describeNetwork(round), 'text'],
      ['Time, ms', ({ name }) => name, 'text'],
      ['Count', ({ times }) => times.count, 'count'],
      ['Min', ({ times }) => times.min, 'ms'],
      ['p25', ({ times }) => times.q1, 'ms'],
      ['p50', ({ p50 }) => p50, 'ms'],
      ['p75', ({ times }) => times.q3, 'ms'],
      ['Max', ({ times }) => times.max, 'ms']
    ]),
    note: 'A handshake counts from when it was due; one that failed counts with the time until it failed.'
  }
}

/** @param {ZerosOutcome} outcome */
const makeHandshakesTable = ({ handshakes }) => ({
  ...makeTable('handshakes', 'Handshakes', handshakes, [
    ['Network', ({ round }) => describeNetwork(round), 'text'],
    ['Protocol', ({ way }) => way, 'text'],
    ['Due/s', ({ duePerSecond }) => duePerSecond, 'perSecond'],
    ['Done/s', ({ perSecond }) => perSecond?.median, 'perSecond'],
    ['Done/s low', ({ perSecond }) => perSecond?.low, 'perSecond'],
    ['Done/s high', ({ perSecond }) => perSecond?.high, 'perSecond'],
    ['Due', ({ due }) => due, 'count'],
    ['Failed', ({ failed }) => failed, 'count'],
    ['Failure', ({ failure }) => failure, 'text'],
    ['Round trips', ({ roundTrips }) => roundTrips, 'number'],
    ['Client CPU ms', ({ cpuMsEach }) => cpuMsEach.client, 'ms'],
    ['Server CPU ms', ({ cpuMsEach }) => cpuMsEach.server, 'ms'],
    ['Client busy %', ({ utilization }) => toPercent(utilization), 'percent']
  ]),
  note: 'CPU: of one handshake. Round trips: of one handshake, where a round trip takes 5 ms or more.'
})

/** @param {ZerosOutcome} outcome */
const makeTransfersTable = ({ transfers }) =>
  makeTable('transfers', 'Every transfer', transfers, [
    ['Network', ({ round }) => describeNetwork(round), 'text'],
    ['Protocol', ({ way }) => way, 'text'],
    ['Direction', ({ direction }) => direction, 'text'],
    ['Streams', ({ streams }) => streams, 'count'],
    ['Repeat', ({ repeat }) => repeat, 'count'],
    ['MB', ({ bytes }) => toMegabytes(bytes), 'MB'],
    ['Total ms', ({ totalMs }) => totalMs, 'ms'],
    ['First byte ms', ({ firstByteMs }) => firstByteMs, 'ms'],
    ['MB/s', ({ bytesPerSecond }) => toMegabytes(bytesPerSecond), 'number'],
    ['Steady MB/s', ({ steadyBytesPerSecond }) => toMegabytes(steadyBytesPerSecond), 'number'],
    ['Client CPU ms', ({ clientCpuMs }) => clientCpuMs, 'ms'],
    ['Server CPU ms', ({ serverCpuMs }) => serverCpuMs, 'ms'],
    ['Client RSS MB', ({ clientRssBytes }) => toMegabytes(clientRssBytes), 'MB'],
    ['Server RSS MB', ({ serverRssBytes }) => toMegabytes(serverRssBytes), 'MB']
  ])

/** Each network has plots of its own. @param {ZerosOutcome} outcome @returns {Plot[]} */
function makePlots({ rows, transfers, ways }) {
  const ids = [...new Set(rows.map(({ round }) => makeRoundId(round)))]
  const all = ids.flatMap(id => {
    const own = rows.filter(({ round }) => makeRoundId(round) === id)
    const moved = transfers.filter(({ round }) => makeRoundId(round) === id)
    const drawn = DIRECTIONS.flatMap(direction => {
      const rows = own.filter(row => row.direction === direction)
      return [
        ...plotByStreams({ rows, ways }, direction),
        ...plotByRepeat({ rows, transfers: moved }, direction)
      ]
    })
    return ids.length === 1
      ? drawn
      : drawn.map(plot => ({
          ...plot,
          id: `${plot.id}-${id}`,
          title: `${plot.title}: ${describeNetwork(own[0].round)}`
        }))
  })
  return all.map((plot, i) => (i === 0 ? { ...plot, main: true } : plot))
}

/** @param {Direction} direction */
const nameDirection = direction => (direction === 'upload' ? 'Upload' : 'Download')

/** With one number of streams there is no plot. @param {Pick<ZerosOutcome, 'rows' | 'ways'>} of @param {Direction} direction @returns {Plot[]} */
function plotByStreams({ rows, ways }, direction) {
  if (new Set(rows.map(({ streams }) => streams)).size < 2) return []
  return [
    {
      id: `${direction}-by-streams`,
      title: `${nameDirection(direction)} by number of streams`,
      kind: 'lines',
      note: 'Median over repeats, with its 95 % interval.',
      x: 'Streams',
      y: 'MB/s',
      logX: true,
      compared: true,
      series: ways.flatMap(({ name }) => {
        const values = rows
          .filter(({ way }) => way === name)
          .map(({ streams, bytesPerSecond: { median, low, high } }) => [
            streams,
            ...(low === null || high === null ? [median] : [median, low, high]).map(bytes =>
              roundToFourDigits(toMegabytes(bytes))
            )
          ])
          .toSorted(([a], [b]) => Number(a) - Number(b))
        return values.length === 0 ? [] : [{ label: name, values }]
      })
    }
  ]
}

/** @param {Pick<ZerosOutcome, 'rows' | 'transfers'>} of @param {Direction} direction @returns {Plot[]} */
function plotByRepeat({ rows, transfers }, direction) {
  const several = new Set(rows.map(({ streams }) => streams)).size > 1
  const series = rows.map(({ way, streams }) => ({
    label: several ? `${way}, ${formatCount(streams, 'stream')}` : way,
    values: transfers
      .filter(each => each.way === way && each.direction === direction && each.streams === streams)
      .map(({ repeat, bytesPerSecond }) => [repeat + 1, roundToFourDigits(toMegabytes(bytesPerSecond))])
      .toSorted(([a], [b]) => Number(a) - Number(b))
  }))
  if (series.length === 0) return []
  return [
    {
      id: `${direction}-by-repeat`,
      title: `${nameDirection(direction)} in each repeat`,
      kind: 'lines',
      x: 'Repeat',
      y: 'MB/s',
      ...(!several && { compared: true }),
      series
    }
  ]
}
