import { sumOf } from '../../kit/lists.js'
import { counted, grouped, significant, spell } from '../../kit/numbers.js'
import { dueRate, groupsOf, isFullLoad, rolesOf, sendersOf } from '../../load/roles.js'
import { limitedByText } from '../../measure/limited-by.js'
import { arrivalsInWords, rateInWords } from '../../report/arrival-words.js'
import { generatorTables, generatorTimes, overheadTimes } from '../../report/description/load-generator.js'
import { facts, table, timeCell, timesTable } from '../../report/description/tables.js'
import { megabytes, percent } from '../../report/description/values.js'
import { stackWords, tuningOf } from '../../report/stack-words.js'
import { namespaceTables, routerTimes } from '../namespaces/namespace-tables.js'
import {
  isProfiled,
  NO_TIMES,
  profilePlots,
  profileTables,
  profileTiles,
  profileWords
} from '../profile/describe.js'
import { addChurn, CHURN_HEADINGS, churnText, churnTimes } from './describe-churn.js'
import { hostilePlots, hostileTables, hostileWords } from './describe-hostile.js'
import { peerPlots, peerTables, peerTimes, peerWords, publishText } from './describe-peers.js'
import { lostOf, operationPlots } from './describe-plots.js'
import {
  faultTable,
  memberTable,
  registrationTable,
  resourceTable,
  serverFacts,
  settingsTable,
  soakTables,
  utilisationTable
} from './describe-server.js'
import {
  floorText,
  hasThroughput,
  operationsOf,
  outcomeTable,
  throughputOf,
  timesText
} from './operations.js'
import { publishes } from './plan/full-peers.js'
import { hostileText } from './plan/hostile-options.js'

/**
 * What runs at a rendezvous server say, as plain data: operations, churn, hostile peers.
 *
 * @typedef {import('../../result/types.js').Result} Result
 * @typedef {import('../../result/types.js').OperationType} OperationType
 * @typedef {import('../../result/types.js').OperationResult} OperationResult
 * @typedef {import('../../result/types.js').Percentile} Percentile
 * @typedef {import('../../plan/plan.js').Plan} Plan
 * @typedef {import('../../report/description/description.js').Description} Description
 * @typedef {import('../../report/description/description.js').PlanDescription} PlanDescription
 * @typedef {import('../../report/description/description.js').DescribedTable} DescribedTable
 * @typedef {{ result: Result, type: OperationType, operation: OperationResult }} Row
 */

/**
 * describePlan says what a plan sends, who sends it and where to.
 *
 * @param {any} plan
 * @returns {PlanDescription}
 */
export function describePlan(plan) {
  const described = operationsPlan(plan)
  return plan.churn == null
    ? described
    : { ...described, columns: [...(described.columns ?? []), ...CHURN_HEADINGS] }
}

/** @param {Plan} plan @returns {PlanDescription} */
function operationsPlan(plan) {
  const { target, initialRegistrations, nClients, workers, thinkTimeMs } = plan
  const clients = groupsOf(plan).map(groupText).join(' and ')
  const inProcesses = workers > 1 ? ` in ${workers} processes` : ''
  const thinking = thinkTimeMs == null ? '' : ` that think for ${thinkText(thinkTimeMs)} ms`
  return {
    what: [
      workText(plan),
      `${clients}${thinking}${inProcesses}`,
      ...(plan.churn == null ? [] : [churnText(plan)]),
      ...(publishes(plan) ? [publishText(plan)] : []),
      ...(plan.profiled === undefined ? [] : [`${plan.profiled.join(' and ')} sampled`]),
      ...(plan.hostile === undefined ? [] : [`hostile peers ${hostileText(plan.hostile)}`]),
      serverText(plan),
      ...stackWords(plan)
    ].join(' · '),
    phases: {
      setup:
        target === null
          ? ['starting the server', 'server ready']
          : ['connecting to the target', 'target ready'],
      preload: ['registering', counted(initialRegistrations, 'registration')],
      connect: ['connecting clients', `${counted(nClients, 'client')} connected`],
      warmup: ['warming up', 'warm-up'],
      measure: ['measuring', 'measured'],
      cooldown: ['checking replies and registrations', 'replies checked'],
      floor: ['asking a null server', 'floor here'],
      teardown: ['stopping', target === null ? 'server stopped' : 'stopped']
    },
    columns: OPERATION_COLUMNS.map(([heading]) => heading),
    rateUnit: 'op/s',
    measured: 'server'
  }
}

/** groupText says who sends: `50 providers`. @param {import('../../load/roles.js').Group} group */
const groupText = ({ role, clients }) => counted(clients, (role ?? 'clients').slice(0, -1))

/** `500 DISCOVER`, `REGISTER (refresh) at 100/s for 10.0 s`. @param {Plan} plan */
function workText(plan) {
  const { benchmarkRuns, durationMs, benchmarkType } = plan
  const work = groupsOf(plan)
    .map(({ type, ratePerSecond }) => {
      const pace = ratePerSecond === null ? '' : ` at ${paceText(plan, ratePerSecond)}`
      return `${operationText(plan, type ?? benchmarkType)}${pace}`
    })
    .join(' and ')
  if (durationMs === null) return `${benchmarkRuns === null ? '' : `${grouped(benchmarkRuns)} `}${work}`
  const most = benchmarkRuns === null ? '' : `, at most ${grouped(benchmarkRuns)}`
  return `${work} for ${spell(durationMs)}${most}`
}

/** Evenly spaced arrivals are usual. @param {Plan} plan @param {number} ratePerSecond */
const paceText = ({ arrivals }, ratePerSecond) =>
  arrivals === 'constant' ? rateInWords(arrivals, ratePerSecond) : arrivalsInWords(arrivals, ratePerSecond)

/** `REGISTER (refresh)`: results are of two kinds by that. @param {Plan} plan @param {string} type */
const operationText = ({ registerMode }, type) =>
  type === 'REGISTER' && registerMode !== undefined ? `${type} (${registerMode})` : type

/** @type {Readonly<Record<string, string>>} */
const PLACES = { process: 'in a process', docker: 'in a Docker container', auto: 'in Docker or a process' }

/** @param {Plan} plan */
function serverText(plan) {
  const { target, targets, server, servers, store, network } = plan
  const clients = plan.stock ? ' · clients stock' : ''
  if (targets != null) return `${targets.length} servers at ${targets.join(', ')}${clients}`
  if (target !== null) return `server at ${target}${clients}`
  const tuning = tuningOf(plan)
  if (servers > 1) return `${servers} servers of ours, ${tuning}, that share ${store}`
  if (network === 'namespaces') return `our server, ${tuning}, in a network namespace`
  const place = PLACES[server] ?? server
  return `our server, ${tuning}, ${store === 'memory' ? place : `in a process, with ${store}`}`
}

/** describeResult says what a result holds. @param {any} result @returns {Description} */
export const describeResult = result => addChurn(result, describeOperations(result))

/** @param {Result} result @returns {Description} */
function describeOperations(result) {
  const { outcome, run } = result
  const rows = rowsOf(result)
  return {
    title: result.id,
    headline: isProfiled(outcome)
      ? `${profileWords(outcome)}: ${headline(result, rows)}`
      : `${headline(result, rows)}${peerWords(result)}${hostileWords(result)}`,
    tiles: isProfiled(outcome) ? profileTiles(outcome) : tiles(rows),
    tables: [
      operationTable(result, rows),
      ...profileTables(result),
      resourceTable(result),
      ...hostileTables(result),
      ...peerTables(result),
      registrationTable(result),
      timesTable(timesOf(result), { note: 'A percentile needs 10 samples beyond it.' }),
      {
        ...outcomeTable(rows, meaningOf),
        note: 'Operations without a reply count at the time they waited, as lower bounds.'
      },
      costTable(rows),
      faultTable(result),
      memberTable(result),
      utilisationTable(result),
      ...soakTables(result),
      measurementFacts(result),
      lookUpFacts(result),
      ...generatorTables(run),
      ...namespaceTables([{ figures: outcome.namespaces }]),
      serverFacts(outcome.target, outcome.server),
      settingsTable(outcome.target.settings)
    ],
    plots: [
      ...profilePlots(result),
      ...operationPlots(result),
      ...peerPlots(result),
      ...hostilePlots(result)
    ],
    warnings: []
  }
}

/** @param {Result} result @returns {Row[]} */
const rowsOf = result => operationsOf(result).map(([type, operation]) => ({ result, type, operation }))

/** @param {Result} result @param {Row[]} rows */
function headline({ plan, outcome }, rows) {
  if (rows.length === 0) return 'No operation was measured.'
  const clients = groupsOf(plan).map(groupText).join(' and ')
  const said = rows.map(({ type, operation }) => {
    const times = isProfiled(outcome) ? NO_TIMES : timesText(operation.rt.all)
    const rate = hasThroughput(operation)
      ? ` ${significant(operation.throughputPerSecond)}/s`
      : `: ${counted(operation.count, 'operation')}`
    return `${operationText(plan, type)}${rate}${times === '' ? '' : ` (${times})`}`
  })
  const count = sumOf(rows, ({ operation }) => operation.count)
  const errors = sumOf(rows, ({ operation }) => operation.errors)
  const failed = errors === 0 ? 'none failed' : `${grouped(errors)} of ${grouped(count)} failed`
  return `${said.join(', ')} with ${clients}; ${failed}.`
}

/** Of the operation there are most of. @param {Row[]} rows @returns {Description['tiles']} */
function tiles(rows) {
  const [main] = rows.toSorted((a, b) => b.operation.count - a.operation.count)
  if (main === undefined) return []
  const { rt, count, errors } = main.operation
  return [
    [main.type, throughputOf(main.operation), 'perSecond'],
    ['p50', timeCell(rt.all.p50), 'ms'],
    ['p99', timeCell(rt.all.p99), 'ms'],
    ['Failed', count === 0 ? null : (100 * errors) / count, 'percent']
  ]
}

/** @param {Row} row */
function modelText({ result: { plan }, type }) {
  const { ratePerSecond } = sendersOf(plan, type)
  return ratePerSecond === null ? 'closed' : `open ${paceText(plan, ratePerSecond)}`
}

/** The first fourteen are those of the source documents, in their order. @type {readonly import('../../report/description/tables.js').ColumnOf<Row>[]} */
const OPERATION_COLUMNS = [
  ['Type', ({ type }) => type, 'text'],
  ['Clients', ({ result, type }) => sendersOf(result.plan, type).clients, 'count', 'wide'],
  ['Io Reg', ({ result }) => result.plan.initialRegistrations, 'count', 'wide'],
  ['Namespaces', ({ result }) => result.plan.nNamespaces, 'count', 'wide'],
  ['Ops', ({ operation }) => operation.count, 'count'],
  ['Avg RT', ({ operation }) => timeCell(operation.rt.all.avg), 'ms', 'wide'],
  ['Median RT', ({ operation }) => timeCell(operation.rt.all.p50), 'ms'],
  ['Max RT', ({ operation }) => timeCell(operation.rt.all.max), 'ms'],
  ['Avg CPU', ({ result }) => result.outcome.server?.cpu.averagePercent, 'percent', 'wide'],
  ['Median CPU', ({ result }) => result.outcome.server?.cpu.medianPercent, 'percent', 'wide'],
  ['Max CPU', ({ result }) => result.outcome.server?.cpu.maxPercent, 'percent', 'wide'],
  ['Avg Mem', ({ result }) => megabytes(result.outcome.server?.memory.averageBytes), 'MB', 'wide'],
  ['Median Mem', ({ result }) => megabytes(result.outcome.server?.memory.medianBytes), 'MB', 'wide'],
  ['Max Mem', ({ result }) => megabytes(result.outcome.server?.memory.maxBytes), 'MB', 'wide'],
  ['p90 RT', ({ operation }) => timeCell(operation.rt.all.p90), 'ms'],
  ['p95 RT', ({ operation }) => timeCell(operation.rt.all.p95), 'ms'],
  ['p99 RT', ({ operation }) => timeCell(operation.rt.all.p99), 'ms'],
  ['p99.9 RT', ({ operation }) => timeCell(operation.rt.all.p999), 'ms', 'wide'],
  ['Errors', ({ operation }) => operation.errors, 'count'],
  ['Op/s', ({ operation }) => throughputOf(operation), 'perSecond'],
  ['Client overhead p50', ({ operation }) => operation.rt.all.p50?.overheadMs, 'ms', 'wide'],
  ['Client overhead p99', ({ operation }) => operation.rt.all.p99?.overheadMs, 'ms', 'wide'],
  ['Lost', ({ operation }) => lostOf(operation), 'count', 'wide'],
  ['Mode', ({ result, type }) => (type === 'REGISTER' ? result.plan.registerMode : null), 'text', 'wide'],
  ['Model', modelText, 'text', 'wide'],
  ['Due/s', ({ result, type }) => dueRate(result.plan, type), 'perSecond', 'wide'],
  ['Servers', ({ result }) => result.plan.servers, 'count', 'wide'],
  ['Limit', ({ result }) => result.plan.discoverLimit, 'count', 'wide'],
  ['Seed', ({ result }) => String(result.plan.seed), 'text', 'wide'],
  ['Limited by', ({ result }) => limitedByText(result.outcome.limitedBy), 'text', 'wide']
]

/** @param {Result} result @param {Row[]} rows @returns {DescribedTable} */
const operationTable = (result, rows) =>
  table('operations', 'Operations', rows, OPERATION_COLUMNS, {
    note: readingNote(result, rows),
    allColumns: true
  })

/** @param {Result} result @param {Row[]} rows */
function readingNote({ plan, outcome: { floor } }, rows) {
  return [
    'RT: response time, ms; CPU: % of a core; Mem: MB.',
    loadNote(plan, rows),
    floor === undefined ? '' : `Floor here: ${floorText(floor)}.`,
    rows.some(({ type }) => type === 'UNREGISTER')
      ? 'UNREGISTER has no reply: timed until the reply to a DISCOVER sent behind it.'
      : ''
  ]
    .filter(Boolean)
    .join(' ')
}

/** @param {Plan} plan @param {Row[]} rows */
function loadNote(plan, rows) {
  if (!isFullLoad(plan))
    return plan.thinkTimeMs == null
      ? 'Times count from when an operation was due.'
      : `Clients think for ${thinkText(plan.thinkTimeMs)} ms after each reply.`
  const rate = rateWithRoom(
    sumOf(rows, row => (row.type === 'CONNECT' ? 0 : (throughputOf(row.operation) ?? 0)))
  )
  const advice = rate > 0 && rolesOf(plan).length === 0 ? `; for latency with room: --rate ${rate}` : ''
  return `At full load: times are clients ÷ throughput${advice}.`
}

/** @param {{ min: number, max: number }} range */
const thinkText = ({ min, max }) =>
  min === max ? significant(min) : `${significant(min)}–${significant(max)}`

const SHARE_WITH_ROOM = 0.35

/** Rounded to half a decimal digit: 1,000, 1,500, 2,000. @param {number} throughput */
function rateWithRoom(throughput) {
  const rate = SHARE_WITH_ROOM * throughput
  if (rate < 1) return 0
  const half = 10 ** Math.floor(Math.log10(rate)) / 2
  return Math.round(Math.round(rate / half) * half)
}

/** @param {Result} result @returns {Parameters<typeof timesTable>[0]} */
function timesOf(result) {
  const { staleness, server, namespaces, floor } = result.outcome
  return [
    ...rowsOf(result).flatMap(
      ({ type, operation: { rt, errors, service, lag } }) =>
        /** @type {const} */ ([
          [type, rt.all],
          [`${type}, successes`, errors > 0 ? rt.ok : null],
          [`${type}, client overhead`, overheadTimes(rt.all)],
          [`${type}, from the send`, service],
          [`${type}, sent late by`, lag]
        ])
    ),
    ...Object.entries(server?.durations ?? {}).map(
      ([type, summary]) => /** @type {const} */ ([`${type}, in the server`, summary])
    ),
    ...peerTimes(result),
    ['Null server here (floor)', floor?.rt],
    ['From REGISTER at one server to its sight at another', staleness],
    ...olderTimes(result),
    ...churnTimes(result.outcome.churn),
    ...routerTimes(namespaces),
    ...generatorTimes(result.run)
  ]
}

/** Of version 0.1.0: a second phase at a rate, and a process that probed. @param {Result} result @returns {Parameters<typeof timesTable>[0]} */
function olderTimes({ outcome }) {
  const { latency, probe } = /** @type {any} */ (outcome)
  return [
    ...Object.entries(probe?.operations ?? {}).map(
      ([type, summary]) => /** @type {const} */ ([`${type}, as a probe saw it`, summary])
    ),
    ...Object.entries(latency?.operations ?? {}).map(
      ([type, { rt }]) =>
        /** @type {const} */ ([`${type}, latency phase at ${significant(latency.ratePerSecond)}/s`, rt.all])
    )
  ]
}

/** What became of an operation. @type {Readonly<Record<string, string>>} */
const MEANINGS = {
  OK: 'a reply with status OK that passed the checks',
  BAD_REPLY: 'a wrong reply',
  TIMEOUT: 'no reply within --timeout',
  RESET: 'the server ended the stream without a reply',
  LOST: 'the connection broke',
  REFUSED: 'no connection could be opened',
  FAILED: 'ended with an error',
  NO_PEERS: 'no connected peer subscribed to its topic',
  SERVER_GONE: 'was under way at a server that went away',
  ABANDONED: 'was on a stream that the timeout of another operation ended',
  LOCAL_PORTS_EXHAUSTED: 'this machine had no local port left',
  DROPPED: 'due, but never sent: --maxInFlight was reached',
  INTERRUPTED: 'under way when the run was interrupted'
}

/** @param {string} outcome */
const meaningOf = outcome =>
  MEANINGS[outcome] ?? (outcome.startsWith('E_') ? 'a reply with this status' : null)

/** @param {Row[]} rows */
const costTable = rows =>
  table('cost', 'Cost of an operation', rows, [
    ['Operation', ({ type }) => type, 'text'],
    ['Sent by', ({ result, type }) => sendersOf(result.plan, type).role, 'text'],
    ['Server CPU µs', ({ operation }) => operation.serverCpuMicrosPerOperation, 'number'],
    ['Bytes per reply', ({ operation }) => operation.bytesPerReply, 'count'],
    ['Received MB/s', ({ operation }) => megabytes(operation.receivedBytesPerSecond), 'MB']
  ])

/** @param {Result} result */
function measurementFacts({ outcome }) {
  const { measuredMs, secondsPerPoint, warmUp, fairness = {}, dialled, limitedReplies, staleness } = outcome
  return {
    ...facts('measurement', 'Measurement', [
      ['Measured, s', measuredMs / 1000],
      ['Warm-up, s', warmUp && warmUp.durationMs / 1000],
      ['Operations of the warm-up, not counted', warmUp?.operations, 'count'],
      ['p50 moved at the end of the warm-up, %', percent(warmUp?.lastMove)],
      ['p50 had settled', warmUp && (warmUp.settled ? 'yes' : 'no'), 'text'],
      ...Object.entries(fairness).map(
        ([who, index]) => /** @type {const} */ ([`Fairness between ${who} (Jain's index)`, index])
      ),
      ['Connections dialled again', dialled?.reconnects, 'count'],
      ['To another server', dialled?.failovers, 'count'],
      ["Replies that waited for the server's limits", limitedReplies, 'count'],
      ['Registrations not seen at another server', staleness?.notSeen, 'count'],
      ['Seconds per point of plots', secondsPerPoint > 1 ? secondsPerPoint : null, 'count']
    ]),
    note: 'Fairness 1: all had as many operations that succeeded.'
  }
}

/** @param {Result} result */
function lookUpFacts({ outcome: { lookUp } }) {
  const { low, high } = lookUp?.interval ?? {}
  return facts('look-up', 'Registrations looked up at the end', [
    ['Confirmed by the server', lookUp?.registrations, 'count'],
    ['Drawn', lookUp?.drawn, 'count'],
    ['Looked up', lookUp?.lookedUp, 'count'],
    ['Missing', lookUp?.missing, 'count'],
    ['Missing among all, at least, % (95 %)', percent(low)],
    ['Missing among all, at most, % (95 %)', percent(high)],
    ['Problem', lookUp?.problem, 'text']
  ])
}
