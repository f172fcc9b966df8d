// Makes the headline, tiles, tables and plots of a rendezvous result, with those of hostile peers.
import { computeSum, omitMissing } from '../../kit/collections.js'
import { formatCount, formatDuration, formatSignificant, formatWhole } from '../../kit/numbers.js'
import { findDueRate, findSenders, isFullLoad, listGroups, listRoles } from '../../load/clients.js'
import { computeLeadInMs } from '../../load/trials.js'
import { formatLimitedBy } from '../../measure/limited-by.js'
import {
  describeArrivals,
  describeRate,
  describeStacks,
  describeTuning,
  listGeneratorTimes,
  listOverheadTimes,
  makeGeneratorTables
} from '../../report/describe-run.js'
import {
  computePercent,
  formatShare,
  makeFactsTable,
  makeTable,
  makeTimeCell,
  makeTimesTable,
  toMegabytes,
  toPercent
} from '../../report/description.js'
import {
  describeMainCategories,
  describeProfilePlots,
  describeProfileTables,
  describeProfileTiles,
  isProfiled,
  NO_TIMES_NOTE
} from '../../run/profile-description.js'
import { makeNetworkPlots, makeNetworkTables } from '../gossip/describe.js'
import { summarizeHops } from '../gossip/figures.js'
import { makeNamespaceTables, makeRouterTimes } from '../namespace-tables.js'
import {
  addChurnDescription,
  CHURN_COLUMN_HEADINGS,
  describeClientChurn,
  listRegistrationTimes
} from './description/churn.js'
import {
  countLost,
  describeFloor,
  describeOutcomes,
  describeTimes,
  hasThroughput,
  makeFaultTable,
  makeMemberTable,
  makeOperationPlots,
  makeOutcomeTable,
  makeRegistrationTable,
  makeResourceTable,
  makeServerFacts,
  makeServerSettingsTable,
  makeSoakTables,
  makeUtilisationTable,
  readThroughput,
  sortOperations
} from './operation-description.js'
import { formatHostile, HOSTILE_KINDS, publishesMessages } from './peer-options.js'

/**
 * @typedef {import('../../report/schema.js').Result} Result
 * @typedef {import('../../report/schema.js').OperationType} OperationType
 * @typedef {import('../../report/schema.js').OperationResult} OperationResult
 * @typedef {import('./options.js').Plan} Plan
 * @typedef {import('../../report/schema.js').Description} Description
 * @typedef {import('../../report/schema.js').PlanDescription} PlanDescription
 * @typedef {import('../../report/schema.js').DescribedTable} DescribedTable
 * @typedef {{ result: Result, type: OperationType, operation: OperationResult }} Row
 */

/**
 * describePlan says what a plan sends, from which clients, to which server.
 *
 * @param {any} plan
 * @returns {PlanDescription}
 */
export function describePlan(plan) {
  const { target, initialRegistrations, nClients, workers, thinkTimeMs, churn, profiled, hostile } = plan
  const inProcesses = workers > 1 ? ` in ${workers} processes` : ''
  const thinking = thinkTimeMs == null ? '' : ` that think for ${thinkText(thinkTimeMs)} ms`
  return {
    what: omitMissing([
      workText(plan),
      `${clientsText(plan)}${thinking}${inProcesses}`,
      churn != null && describeClientChurn(plan),
      publishesMessages(plan) && publishText(plan),
      profiled !== undefined && `${profiled.join(' and ')} sampled`,
      hostile !== undefined && `hostile peers ${formatHostile(hostile)}`,
      serverText(plan),
      ...describeStacks(plan)
    ]).join(' · '),
    phases: {
      setup:
        target === null
          ? ['starting the server', 'server ready']
          : ['connecting to the target', 'target ready'],
      preload: ['registering', formatCount(initialRegistrations, 'registration')],
      connect: ['connecting clients', `${formatCount(nClients, 'client')} connected`],
      warmup: ['warming up', 'warm-up'],
      measure: ['measuring', 'measured'],
      cooldown: ['checking replies and registrations', 'replies checked'],
      floor: ['asking a null server', 'null server'],
      teardown: ['stopping', target === null ? 'server stopped' : 'stopped']
    },
    columns: [
      ...OPERATION_COLUMNS.map(([heading]) => heading),
      ...(churn == null ? [] : CHURN_COLUMN_HEADINGS)
    ],
    rateUnit: 'op/s',
    measured: 'server'
  }
}

/** `4 clients`, `50 providers and 20 discoverers`. @param {Plan} plan */
const clientsText = plan =>
  listGroups(plan)
    .map(({ role, clients }) => formatCount(clients, (role ?? 'clients').slice(0, -1)))
    .join(' and ')

/** `500 DISCOVER`, `REGISTER (refresh) at 100/s for 10.0 s`. @param {Plan} plan */
function workText(plan) {
  const { benchmarkRuns, durationMs, benchmarkType } = plan
  const work = listGroups(plan)
    .map(({ type, ratePerSecond }) => {
      const pace = ratePerSecond === null ? '' : ` at ${paceText(plan, ratePerSecond)}`
      return `${operationText(plan, type ?? benchmarkType)}${pace}`
    })
    .join(' and ')
  if (durationMs === null) return `${benchmarkRuns === null ? '' : `${formatWhole(benchmarkRuns)} `}${work}`
  const limitText = benchmarkRuns === null ? '' : `, at most ${formatWhole(benchmarkRuns)}`
  return `${work} for ${formatDuration(durationMs)}${limitText}`
}

/** Constant arrivals are the default, so only others are named. @param {Plan} plan @param {number} ratePerSecond */
const paceText = ({ arrivals }, ratePerSecond) =>
  arrivals === 'constant' ? describeRate(arrivals, ratePerSecond) : describeArrivals(arrivals, ratePerSecond)

/** `REGISTER (refresh)`: results of the two modes must not be compared. @param {Plan} plan @param {string} type */
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
  const tuning = describeTuning(plan)
  if (servers > 1) return `${servers} of our servers, ${tuning}, that share ${store}`
  if (network === 'namespaces') return `our server, ${tuning}, in a network namespace`
  const place = PLACES[server] ?? server
  return `our server, ${tuning}, ${store === 'memory' ? place : `in a process, with ${store}`}`
}

/** describeResult describes a result as plain data. @param {any} result @returns {Description} */
export const describeResult = result => addChurnDescription(result, describeOperations(result))

/** @param {Result} result @returns {Description} */
function describeOperations(result) {
  const { outcome, run } = result
  const rows = rowsOf(result)
  const profiled = isProfiled(outcome)
  return {
    title: result.id,
    headline: profiled
      ? `${describeMainCategories(outcome)}: ${headline(result, rows)}`
      : `${headline(result, rows)}${peerWords(result)}${describeHostileEffect(result)}`,
    tiles: profiled ? describeProfileTiles(outcome) : tiles(rows),
    tables: [
      makeTable('operations', 'Operations', rows, OPERATION_COLUMNS, {
        note: operationNote(result, rows),
        allColumns: true
      }),
      ...describeProfileTables(result),
      makeResourceTable(result),
      ...makeHostileTables(result),
      ...peerTables(result),
      makeRegistrationTable(result),
      makeTimesTable(timesOf(result), { note: 'A percentile needs 10 samples beyond it.' }),
      {
        ...makeOutcomeTable(rows, meaningOf),
        note: 'Operations without a reply count at the time they waited, as lower bounds.'
      },
      costTable(rows),
      makeFaultTable(result),
      makeMemberTable(result),
      makeUtilisationTable(result),
      ...makeSoakTables(result),
      measurementFacts(result),
      lookUpFacts(result),
      ...makeGeneratorTables(run),
      ...makeNamespaceTables([{ figures: outcome.namespaces }]),
      makeServerFacts(outcome.target, outcome.server),
      makeServerSettingsTable(outcome.target.settings)
    ],
    plots: [
      ...describeProfilePlots(result),
      ...makeOperationPlots(result),
      ...peerPlots(result),
      ...makeHostilePlots(result)
    ],
    warnings: []
  }
}

/** @param {Result} result @returns {Row[]} */
const rowsOf = result => sortOperations(result).map(([type, operation]) => ({ result, type, operation }))

/** @param {Result} result @param {Row[]} rows */
function headline({ plan, outcome }, rows) {
  if (rows.length === 0) return 'No operation was measured.'
  const operations = rows.map(({ type, operation }) => {
    const times = isProfiled(outcome) ? NO_TIMES_NOTE : describeTimes(operation.rt.all)
    const rate = hasThroughput(operation)
      ? ` ${formatSignificant(operation.throughputPerSecond)}/s`
      : `: ${formatCount(operation.count, 'operation')}`
    return `${operationText(plan, type)}${rate}${times === '' ? '' : ` (${times})`}`
  })
  const count = computeSum(rows, ({ operation }) => operation.count)
  const errors = computeSum(rows, ({ operation }) => operation.errors)
  const failed = errors === 0 ? 'none failed' : `${formatWhole(errors)} of ${formatWhole(count)} failed`
  return `${operations.join(', ')} with ${clientsText(plan)}; ${failed}.`
}

/** Tiles of the most frequent operation. @param {Row[]} rows @returns {Description['tiles']} */
function tiles(rows) {
  const [main] = rows.toSorted((a, b) => b.operation.count - a.operation.count)
  if (main === undefined) return []
  const { rt, count, errors } = main.operation
  return [
    [main.type, readThroughput(main.operation), 'perSecond'],
    ['p50', makeTimeCell(rt.all.p50), 'ms'],
    ['p99', makeTimeCell(rt.all.p99), 'ms'],
    ['Failed', count === 0 ? null : (100 * errors) / count, 'percent']
  ]
}

/** @param {Row} row */
function modelText({ result: { plan }, type }) {
  const { ratePerSecond } = findSenders(plan, type)
  return ratePerSecond === null ? 'closed' : `open ${paceText(plan, ratePerSecond)}`
}

/** The first fourteen are the columns of the source documents, in their order. @type {readonly import('../../report/description.js').ColumnOf<Row>[]} */
const OPERATION_COLUMNS = [
  ['Type', ({ type }) => type, 'text'],
  ['Clients', ({ result, type }) => findSenders(result.plan, type).clients, 'count', 'wide'],
  ['Io Reg', ({ result }) => result.plan.initialRegistrations, 'count', 'wide'],
  ['Namespaces', ({ result }) => result.plan.nNamespaces, 'count', 'wide'],
  ['Ops', ({ operation }) => operation.count, 'count'],
  ['Avg RT', ({ operation }) => makeTimeCell(operation.rt.all.avg), 'ms', 'wide'],
  ['Median RT', ({ operation }) => makeTimeCell(operation.rt.all.p50), 'ms'],
  ['Max RT', ({ operation }) => makeTimeCell(operation.rt.all.max), 'ms'],
  ['Avg CPU', ({ result }) => result.outcome.server?.cpu.averagePercent, 'percent', 'wide'],
  ['Median CPU', ({ result }) => result.outcome.server?.cpu.medianPercent, 'percent', 'wide'],
  ['Max CPU', ({ result }) => result.outcome.server?.cpu.maxPercent, 'percent', 'wide'],
  ['Avg Mem', ({ result }) => toMegabytes(result.outcome.server?.memory.averageBytes), 'MB', 'wide'],
  ['Median Mem', ({ result }) => toMegabytes(result.outcome.server?.memory.medianBytes), 'MB', 'wide'],
  ['Max Mem', ({ result }) => toMegabytes(result.outcome.server?.memory.maxBytes), 'MB', 'wide'],
  ['p90 RT', ({ operation }) => makeTimeCell(operation.rt.all.p90), 'ms'],
  ['p95 RT', ({ operation }) => makeTimeCell(operation.rt.all.p95), 'ms'],
  ['p99 RT', ({ operation }) => makeTimeCell(operation.rt.all.p99), 'ms'],
  ['p99.9 RT', ({ operation }) => makeTimeCell(operation.rt.all.p999), 'ms', 'wide'],
  ['Errors', ({ operation }) => operation.errors, 'count'],
  ['Op/s', ({ operation }) => readThroughput(operation), 'perSecond'],
  ['Client overhead p50', ({ operation }) => operation.rt.all.p50?.overheadMs, 'ms', 'wide'],
  ['Client overhead p99', ({ operation }) => operation.rt.all.p99?.overheadMs, 'ms', 'wide'],
  ['Lost', ({ operation }) => countLost(operation), 'count', 'wide'],
  ['Mode', ({ result, type }) => (type === 'REGISTER' ? result.plan.registerMode : null), 'text', 'wide'],
  ['Model', modelText, 'text', 'wide'],
  ['Due/s', ({ result, type }) => findDueRate(result.plan, type), 'perSecond', 'wide'],
  ['Servers', ({ result }) => result.plan.servers, 'count', 'wide'],
  ['Limit', ({ result }) => result.plan.discoverLimit, 'count', 'wide'],
  ['Seed', ({ result }) => String(result.plan.seed), 'text', 'wide'],
  ['Limited by', ({ result }) => formatLimitedBy(result.outcome.limitedBy), 'text', 'wide']
]

/** @param {Result} result @param {Row[]} rows */
const operationNote = ({ plan, outcome: { floor } }, rows) =>
  omitMissing([
    'RT: response time, ms; CPU: % of a core; Mem: MB.',
    loadNote(plan, rows),
    floor !== undefined && `A null server, which does no work: ${describeFloor(floor)}.`,
    rows.some(({ type }) => type === 'UNREGISTER') &&
      'UNREGISTER has no reply: timed until the reply to a DISCOVER sent behind it.'
  ]).join(' ')

/** @param {Plan} plan @param {Row[]} rows */
function loadNote(plan, rows) {
  const { thinkTimeMs } = plan
  if (!isFullLoad(plan))
    return thinkTimeMs == null
      ? 'Times count from when an operation was due.'
      : `Clients think for ${thinkText(thinkTimeMs)} ms after each reply.`
  const requests = rows.filter(({ type }) => type !== 'CONNECT')
  const rate = computeUnsaturatedRate(computeSum(requests, ({ operation }) => readThroughput(operation) ?? 0))
  const advice = rate > 0 && listRoles(plan).length === 0 ? `; for latency with room: --rate ${rate}` : ''
  return `At full load: times are clients ÷ throughput${advice}.`
}

/** @param {{ min: number, max: number }} range */
const thinkText = ({ min, max }) =>
  min === max ? formatSignificant(min) : `${formatSignificant(min)}–${formatSignificant(max)}`

/** At this share of the highest throughput, latency is that of a server with capacity to spare. */
const UNSATURATED_SHARE = 0.35

/** A rate, rounded to half a decimal digit: 1,000, 1,500, 2,000. @param {number} throughput */
function computeUnsaturatedRate(throughput) {
  const rate = UNSATURATED_SHARE * throughput
  if (rate < 1) return 0
  const half = 10 ** Math.floor(Math.log10(rate)) / 2
  return Math.round(Math.round(rate / half) * half)
}

/** @typedef {Parameters<typeof makeTimesTable>[0]} Times */

/** @param {Result} result @returns {Times} */
function timesOf(result) {
  const { staleness, server, namespaces, floor } = result.outcome
  return [
    ...sortOperations(result).flatMap(
      ([type, { rt, errors, service, lag }]) =>
        /** @type {const} */ ([
          [type, rt.all],
          [`${type}, successes`, errors > 0 ? rt.ok : null],
          [`${type}, client overhead`, listOverheadTimes(rt.all)],
          [`${type}, from the send`, service],
          [`${type}, sent late by`, lag]
        ])
    ),
    ...renamed(server?.durations, type => `${type}, in the server`),
    ...peerTimes(result),
    ['Null server (minimum)', floor?.rt],
    ['From REGISTER at one server to its sight at another', staleness],
    ...olderTimes(result),
    ...listRegistrationTimes(result.outcome.churn),
    ...makeRouterTimes(namespaces),
    ...listGeneratorTimes(result.run)
  ]
}

/** @template T @param {Record<string, T> | undefined} byType @param {(type: string) => string} name @returns {[string, T][]} */
const renamed = (byType = {}, name) => Object.entries(byType).map(([type, value]) => [name(type), value])

/** Results of version 0.1.0 have a second phase, at a rate, and measurements of a probe process. @param {Result} result @returns {Times} */
function olderTimes({ outcome }) {
  const { latency, probe } = /** @type {any} */ (outcome)
  const phase = latency && `latency phase at ${formatSignificant(latency.ratePerSecond)}/s`
  return [
    ...renamed(probe?.operations, type => `${type}, as a probe saw it`),
    ...renamed(latency?.operations, type => `${type}, ${phase}`).map(
      ([name, { rt }]) => /** @type {const} */ ([name, rt.all])
    )
  ]
}

/** What each outcome means. @type {Readonly<Record<string, string>>} */
const MEANINGS = {
  OK: 'a reply with status OK that passed the checks',
  BAD_REPLY: 'a wrong reply',
  TIMEOUT: 'no reply within --timeout',
  RESET: 'the server ended the stream without a reply',
  LOST: 'the connection broke',
  REFUSED: 'no connection could be opened',
  FAILED: 'ended with an error',
  NO_PEERS: 'no connected peer subscribed to its topic',
  SERVER_GONE: 'was in flight at a server that was lost',
  ABANDONED: 'its stream was ended by the timeout of another operation',
  LOCAL_PORTS_EXHAUSTED: 'this machine had no local port left',
  DROPPED: 'due, but never sent: --maxInFlight was reached',
  INTERRUPTED: 'in flight when the run was interrupted'
}

/** @param {string} outcome */
const meaningOf = outcome =>
  MEANINGS[outcome] ?? (outcome.startsWith('E_') ? 'a reply with this status' : null)

/** @param {Row[]} rows */
const costTable = rows =>
  makeTable('cost', 'Cost of an operation', rows, [
    ['Operation', ({ type }) => type, 'text'],
    ['Sent by', ({ result, type }) => findSenders(result.plan, type).role, 'text'],
    ['Server CPU µs', ({ operation }) => operation.serverCpuMicrosPerOperation, 'number'],
    ['Bytes per reply', ({ operation }) => operation.bytesPerReply, 'count'],
    ['Received MB/s', ({ operation }) => toMegabytes(operation.receivedBytesPerSecond), 'MB']
  ])

/** @param {Result} result */
function measurementFacts({ outcome }) {
  const { measuredMs, secondsPerPoint, warmUp, fairness = {}, dialled, limitedReplies, staleness } = outcome
  return {
    ...makeFactsTable('measurement', 'Measurement', [
      ['Measured, s', measuredMs / 1000],
      ['Warm-up, s', warmUp && warmUp.durationMs / 1000],
      ['Operations of the warm-up, not counted', warmUp?.operations, 'count'],
      ['p50 moved at the end of the warm-up, %', toPercent(warmUp?.lastMove)],
      ['p50 had settled', warmUp && (warmUp.settled ? 'yes' : 'no'), 'text'],
      ...renamed(fairness, who => `Fairness between ${who} (Jain's index)`),
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
  return makeFactsTable('look-up', 'Registrations looked up at the end', [
    ['Confirmed by the server', lookUp?.registrations, 'count'],
    ['Drawn', lookUp?.drawn, 'count'],
    ['Looked up', lookUp?.lookedUp, 'count'],
    ['Missing', lookUp?.missing, 'count'],
    ['Missing among all, at least, % (95 %)', toPercent(low)],
    ['Missing among all, at most, % (95 %)', toPercent(high)],
    ['Problem', lookUp?.problem, 'text']
  ])
}

/**
 * @typedef {import('../../report/schema.js').Plot} Plot
 * @typedef {import('./schema.js').PeersOutcome} PeersOutcome
 */

/** The part of a result about full peers, as a result of the gossip scenario. @param {Result} result @param {PeersOutcome} outcome @returns {any} */
const asNetwork = ({ plan, run }, outcome) => ({
  plan: { ...plan, nodes: plan.nClients },
  outcome: { ...outcome, resources: [], network: { kind: 'loopback', settings: {} } },
  run: { ...run, lateness: undefined, health: [] }
})

/** The deliveries of full peers, as the end of the headline. @param {Result} result */
function peerWords({ outcome: { gossip } }) {
  if (gossip === undefined) return ''
  const { messages, latency } = gossip
  const { expected, delivered } = gossip.delivery
  const published = formatCount(messages.published, 'message')
  if (expected === 0) return ` ${published}, with no expected receiver.`
  const part = delivered === expected ? 'all' : `${formatShare(delivered, expected)} % of`
  const times = describeTimes(latency.all)
  const arrived = `${part} ${formatCount(expected, 'delivery', 'deliveries')} arrived`
  return ` Of ${published} ${arrived}${times === '' ? '' : ` (${times})`}.`
}

/** @param {Result} result @returns {Times} */
function peerTimes({ outcome: { gossip } }) {
  if (gossip === undefined) return []
  const { latency, dissemination, rendezvous } = gossip
  return [
    ['Delivery', latency.all],
    ['Delivery, client overhead', listOverheadTimes(latency.all)],
    ['Dissemination', dissemination.all],
    ['Dissemination, client overhead', listOverheadTimes(dissemination.all)],
    ['Joining: REGISTER', rendezvous?.register],
    ['Joining: discovery', rendezvous?.discover],
    ['Joining: dial', rendezvous?.dial]
  ]
}

/** @param {Result} result @returns {DescribedTable[]} */
function peerTables(result) {
  const { gossip } = result.outcome
  if (gossip === undefined) return []
  const { messages, delivery, missing, cost, rendezvous, latency, dissemination } = gossip
  const complete = computePercent(delivery.completeMessages, delivery.expectedMessages)
  return [
    {
      ...makeFactsTable('delivery', 'Deliveries', [
        ['Messages published', messages.published, 'count'],
        ['Deliveries expected', delivery.expected, 'count'],
        ['Delivered', delivery.delivered, 'count'],
        ['Missing', missing.pairs, 'count'],
        ['MDR, %', computePercent(delivery.delivered, delivery.expected), 'percent'],
        ['Messages that reached everyone, %', complete, 'percent'],
        ['Delivery p50, ms', latency.all.p50?.ms, 'ms'],
        ['Delivery p99, ms', latency.all.p99?.ms, 'ms'],
        ['Dissemination p50, ms', dissemination.all.p50?.ms, 'ms'],
        ['Dissemination p99, ms', dissemination.all.p99?.ms, 'ms'],
        ['Hops to the last receiver, average', summarizeHops(gossip.hops.last)?.avg],
        ['Duplicates per delivery', cost.duplicatesPerDelivery],
        ['Bytes sent per delivery', cost.bytesPerDelivery],
        ['Registrations of peers outside the run, not dialled', rendezvous?.foreign, 'count']
      ]),
      terminal: true,
      note: 'MDR: message delivery ratio. Delivery: publish call to first receipt. Dissemination: to the last.'
    },
    // operations have a table of this id themselves, and so has the churn of clients
    ...makeNetworkTables(asNetwork(result, gossip))
      .filter(({ id }) => id !== 'over-time')
      .map(each =>
        each.id === 'churn' ? { ...each, id: 'network-churn', title: 'Churn of the network' } : each
      )
  ]
}

/** @param {Result} result @returns {Plot[]} */
function peerPlots(result) {
  const { gossip } = result.outcome
  if (gossip === undefined) return []
  return makeNetworkPlots(asNetwork(result, gossip)).map(({ main: _, ...plot }) => plot)
}

/** `messages of 1,000 bytes in 1 topic`. @param {Plan} plan */
function publishText({ messageBytes = { min: 0, max: 0 }, topics = [] }) {
  const { min, max } = messageBytes
  const bytes = min === max ? formatWhole(min) : `${formatWhole(min)}–${formatSignificant(max)}`
  return `messages of ${bytes} bytes in ${formatCount(topics.length, 'topic')}`
}

/**
 * @typedef {import('../../report/schema.js').HostileOutcome} HostileOutcome
 * @typedef {import('../../report/schema.js').Cell} Cell
 */

/** Why a pair of stretches is set aside. */
const SET_ASIDE = {
  NOT_CALM: 'the server was still busy with hostile peers when a stretch began',
  STOLEN: 'other guests of the host took more than 1 % of the cores'
}

/**
 * makeHostileTables has the figures of quiet and of hostile stretches, each stretch, and what hostile peers did.
 *
 * @param {Result} result
 * @returns {DescribedTable[]}
 */
export function makeHostileTables({ plan, outcome: { hostile } }) {
  if (hostile === undefined) return []
  const { p50, p99, count, failed, longestTurnMs, rssBytes, cpuPercent, left } = hostile
  const ofHostile = (/** @type {string} */ side, /** @type {Cell | undefined} */ value) =>
    side === 'quiet' ? null : (value ?? null)
  const times = (/** @type {typeof p50} */ ratio, /** @type {'quiet' | 'hostile'} */ side) =>
    ratio === null ? null : bound(ratio[`${side}Ms`], side === 'hostile' && ratio.atLeast)
  return [
    makeTable(
      'hostile-peers',
      'Hostile peers',
      SIDES,
      [
        ['Stretches', side => side, 'text'],
        ['Operations', side => count[side], 'count'],
        ['Failed', side => failed[side], 'count'],
        ['p50', side => times(p50, side), 'ms'],
        ['p99', side => times(p99, side), 'ms'],
        ['× p50', side => ofHostile(side, p50 && bound(p50.ratio, p50.atLeast)), 'number'],
        ['× p99', side => ofHostile(side, p99 && bound(p99.ratio, p99.atLeast)), 'number'],
        ['× p99 from', side => ofHostile(side, p99?.low), 'number', 'wide'],
        ['× p99 to', side => ofHostile(side, p99?.high), 'number', 'wide'],
        ['CPU %', side => cpuPercent[side], 'percent'],
        ['Memory MB', side => toMegabytes(rssBytes[side]), 'MB'],
        ['Heap left %', side => ofHostile(side, toPercent(left?.heap)), 'percent', 'wide'],
        ['External left %', side => ofHostile(side, toPercent(left?.external)), 'percent', 'wide'],
        ['Longest turn ms', side => longestTurnMs[side], 'ms'],
        ['Recovery ms', side => ofHostile(side, bound(hostile.recoveryMs, !hostile.recovered)), 'ms'],
        ['Not sent %', side => ofHostile(side, toPercent(hostile.notSent)), 'percent']
      ],
      { terminal: true, note: hostileNote(plan, hostile) }
    ),
    makeTable(
      'stretches',
      'Stretches',
      hostile.pairs.flatMap(({ setAside, quiet, hostile, hostileFirst }, i) => {
        const row = { pair: i + 1, setAside }
        const both = [
          { ...row, stretch: quiet, hostile: null },
          { ...row, stretch: hostile, hostile }
        ]
        return hostileFirst ? both.reverse() : both
      }),
      [
        ['Pair', ({ pair }) => pair, 'count'],
        ['Stretch', row => (row.hostile === null ? 'quiet' : 'hostile'), 'text'],
        ['Operations', ({ stretch }) => stretch.count, 'count'],
        ['Failed', ({ stretch }) => stretch.failed, 'count'],
        ['By outcome', ({ stretch }) => describeOutcomes(stretch.failures), 'text'],
        ['p50 ms', ({ stretch }) => bound(stretch.p50Ms, stretch.censored.p50), 'ms'],
        ['p99 ms', ({ stretch }) => bound(stretch.p99Ms, stretch.censored.p99), 'ms'],
        ['Longest turn ms', ({ stretch }) => stretch.longestTurnMs, 'ms'],
        ['Memory MB', ({ stretch }) => toMegabytes(stretch.rssBytes), 'MB'],
        ['CPU %', ({ stretch }) => stretch.cpuPercent, 'percent'],
        ['Not sent %', row => toPercent(row.hostile?.notSent), 'percent'],
        ['Recovery ms', row => row.hostile && bound(row.hostile.recoveryMs, !row.hostile.recovered), 'ms'],
        ['Set aside', ({ setAside }) => setAside && SET_ASIDE[setAside], 'text']
      ],
      {
        note: 'In the order of measurement. Recovery: from the end of hostile peers until 9 of 10 operations are as fast as in quiet stretches; resolution 250 ms.'
      }
    ),
    makeTable('kinds', 'What hostile peers did', Object.entries(plan.hostile ?? {}), [
      ['Kind', ([kind]) => kind, 'text'],
      ['Times its usual rate', ([, times]) => times, 'count'],
      ['What', ([kind]) => HOSTILE_KINDS[kind]?.what ?? '', 'text']
    ])
  ]
}

/** @param {Plan} plan @param {HostileOutcome} hostile */
function hostileNote({ hostile: peers = {}, hostileEveryMs }, { pairs, unfinished, spreads, priority }) {
  const everyMs = Number(hostileEveryMs)
  const all = omitMissing([
    `${formatCount(pairs.length, 'pair')} of stretches`,
    ...Object.entries(SET_ASIDE).map(([code, why]) => {
      const { length } = pairs.filter(({ setAside }) => setAside === code)
      return length > 0 && `${length} set aside: ${why}`
    }),
    unfinished > 0 && `${unfinished} not over when the load ended`
  ])
  return [
    `${formatHostile(peers)}: ${all.join('; ')}. Stretches of ${formatDuration(everyMs)} alternate, each ${formatDuration(computeLeadInMs(everyMs))} after hostile peers start or the server is calm.`,
    'Failed operations count as slower than any reply. ×: hostile ÷ quiet by pairs of stretches, with its 95 % interval. Left: server memory after the load ÷ before it, with registrations of clients.',
    `${spreads ? 'Peers have addresses of their own' : 'All peers share one address, and the limits for it'}; priority of hostile peers: ${priority ?? 'none ran'}.`
  ].join(' ')
}

/** describeHostileEffect compares response times with and without hostile peers, as the end of the headline. @param {Result} result */
export function describeHostileEffect({ outcome: { hostile } }) {
  const ratio = hostile?.p99 ?? hostile?.p50
  if (hostile === undefined || ratio == null) return ''
  const { quietMs, hostileMs, low, high, atLeast } = ratio
  const which = hostile.p99 === null ? 'p50' : 'p99'
  const times =
    low === null || high === null
      ? ''
      : ` (${formatSignificant(low)} to ${formatSignificant(high)} times as long, 95 % interval)`
  return ` With hostile peers ${which} was ${atLeast ? 'at least ' : ''}${formatSignificant(hostileMs)} ms, without them ${formatSignificant(quietMs)} ms${times}.`
}

/** makeHostilePlots draws the response times of the pairs of stretches. @param {Result} result @returns {Plot[]} */
export function makeHostilePlots({ outcome: { hostile } }) {
  if (hostile === undefined || hostile.p50 === null) return []
  /** @type {('p50Ms' | 'p99Ms')[]} */
  const keys = hostile.p99 === null ? ['p50Ms'] : ['p50Ms', 'p99Ms']
  return [
    {
      id: 'stretches',
      title: 'Response time with hostile peers',
      kind: 'lines',
      x: 'Pair of stretches',
      y: 'Response time, ms',
      logY: true,
      compared: true,
      series: keys.flatMap(key =>
        SIDES.map(side => ({
          label: `${key.slice(0, 3)} ${side}`,
          values: hostile.pairs.map((pair, i) => [i + 1, pair[side][key]])
        }))
      )
    }
  ]
}

const SIDES = /** @type {const} */ (['quiet', 'hostile'])

/** @param {number | null} ms @param {boolean} [censored] @returns {Cell} */
const bound = (ms, censored) => (ms !== null && censored ? { atLeast: ms } : ms)
