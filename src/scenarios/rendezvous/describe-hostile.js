import { enumerated, sumOf } from '../../kit/lists.js'
import { counted, grouped, significant, spell } from '../../kit/numbers.js'
import { generatorTables, generatorTimes, latenessPlots } from '../../report/description/load-generator.js'
import { facts, table, timesTable } from '../../report/description/tables.js'
import { megabytes, percent, slug } from '../../report/description/values.js'
import { tuningOf } from '../../report/stack-words.js'
import { casesOf } from '../abuse/plan/cases.js'
import { outcomesText, serverFacts, settingsTable } from './describe-server.js'
import { KINDS } from './plan/hostile-kinds.js'
import { hostileText } from './plan/hostile-options.js'

/**
 * What a run with hostile peers beside honest clients says.
 *
 * @typedef {import('../abuse/abuse-types.js').AbuseResult} HostileResult
 * @typedef {import('../abuse/abuse-types.js').AbusePlan} HostilePlan
 * @typedef {import('../abuse/abuse-types.js').CaseRow} Case
 * @typedef {import('../abuse/abuse-types.js').RatioRow} Ratio
 * @typedef {import('../../report/description/description.js').Description} Description
 * @typedef {import('../../report/description/description.js').PlanDescription} PlanDescription
 * @typedef {import('../../report/description/description.js').Plot} Plot
 * @typedef {import('../../report/description/description.js').Cell} Cell
 */

const MAX_NAMES = 4

/**
 * hostileTables are those of a run with hostile peers beside its clients: a row of quiet stretches and one of hostile ones, then each stretch.
 *
 * @param {import('../../result/types.js').Result} result
 * @returns {import('../../report/description/description.js').DescribedTable[]}
 */
export function hostileTables({ plan, outcome: { hostile } }) {
  if (hostile === undefined) return []
  const { p50, p99, count, failed, longestTurnMs, rssBytes, cpuPercent } = hostile
  const sides = /** @type {const} */ (['quiet', 'hostile'])
  const ofHostile = (/** @type {string} */ side, /** @type {Cell | undefined} */ value) =>
    side === 'quiet' ? null : (value ?? null)
  const times = (/** @type {typeof p50} */ ratio, /** @type {'quiet' | 'hostile'} */ side) =>
    ratio === null ? null : bound(ratio[`${side}Ms`], side === 'hostile' && ratio.atLeast)
  const asked = plan.hostile ?? {}
  return [
    table(
      'hostile-peers',
      'Hostile peers',
      [...sides],
      [
        ['Stretches', side => side, 'text'],
        ['Operations', side => count[side], 'count'],
        ['Failed', side => failed[side], 'count'],
        ['p50', side => times(p50, side), 'ms'],
        ['p99', side => times(p99, side), 'ms'],
        ['× p50', side => ofHostile(side, p50 && bound(p50.ratio, p50.atLeast)), 'number'],
        ['× p99', side => ofHostile(side, p99 && bound(p99.ratio, p99.atLeast)), 'number'],
        ['× p99 from', side => ofHostile(side, p99?.low), 'number'],
        ['× p99 to', side => ofHostile(side, p99?.high), 'number'],
        ['CPU %', side => cpuPercent[side], 'percent'],
        ['Memory MB', side => megabytes(rssBytes[side]), 'MB'],
        ['Longest turn ms', side => longestTurnMs[side], 'ms'],
        ['Recovery ms', side => ofHostile(side, hostile.recoveryMs), 'ms'],
        ['Not sent %', side => ofHostile(side, percent(hostile.notSent)), 'percent']
      ],
      {
        note: `Beside ${hostileText(asked)}, in every other stretch of ${spell(Number(plan.hostileEveryMs))}; the first 2 s of each are not counted. ×: hostile ÷ quiet by pairs of stretches, with its 95 % interval. ${hostile.spreads ? 'Peers have addresses of their own' : 'All peers share one address, and the limits for it'}; priority of hostile peers: ${hostile.priority ?? 'none ran'}.`
      }
    ),
    table(
      'stretches',
      'Stretches',
      hostile.pairs.flatMap((pair, i) => [
        { pair: i + 1, stretch: pair.quiet, hostile: null },
        { pair: i + 1, stretch: pair.hostile, hostile: pair.hostile }
      ]),
      [
        ['Pair', ({ pair }) => pair, 'count'],
        ['Stretch', row => (row.hostile === null ? 'quiet' : 'hostile'), 'text'],
        ['Operations', ({ stretch }) => stretch.count, 'count'],
        ['Failed', ({ stretch }) => stretch.failed, 'count'],
        ['By outcome', ({ stretch }) => outcomesText(stretch.failures), 'text'],
        ['p50 ms', ({ stretch }) => bound(stretch.p50Ms, stretch.censored.p50), 'ms'],
        ['p99 ms', ({ stretch }) => bound(stretch.p99Ms, stretch.censored.p99), 'ms'],
        ['Longest turn ms', ({ stretch }) => stretch.longestTurnMs, 'ms'],
        ['Memory MB', ({ stretch }) => megabytes(stretch.rssBytes), 'MB'],
        ['CPU %', ({ stretch }) => stretch.cpuPercent, 'percent'],
        ['Not sent %', row => percent(row.hostile?.notSent), 'percent'],
        ['Recovery ms', row => row.hostile?.recoveryMs, 'ms']
      ],
      {
        note: 'Recovery: from the end of hostile peers until 9 of 10 operations took no longer than before them, to the second; –: not within the quiet stretch behind it.'
      }
    ),
    table('kinds', 'What hostile peers did', Object.entries(asked), [
      ['Kind', ([kind]) => kind, 'text'],
      ['Times its usual rate', ([, times]) => times, 'count'],
      ['What', ([kind]) => KINDS[kind]?.what ?? '', 'text']
    ])
  ]
}

/** hostileWords end the headline of such a run. @param {import('../../result/types.js').Result} result */
export function hostileWords({ outcome: { hostile } }) {
  const ratio = hostile?.p99 ?? hostile?.p50
  if (hostile === undefined || ratio == null) return ''
  const atLeast = ratio.atLeast ? 'at least ' : ''
  return ` Beside hostile peers ${hostile.p99 === null ? 'p50' : 'p99'} was ${atLeast}${significant(ratio.ratio)} times as long.`
}

/** hostilePlots are response times of stretches in turn. @param {import('../../result/types.js').Result} result @returns {Plot[]} */
export function hostilePlots({ outcome: { hostile } }) {
  if (hostile === undefined || hostile.p50 === null) return []
  /** @type {('p50Ms' | 'p99Ms')[]} */
  const keys = hostile.p99 === null ? ['p50Ms'] : ['p50Ms', 'p99Ms']
  return [
    {
      id: 'stretches',
      title: 'Response time beside hostile peers',
      kind: 'lines',
      x: 'Pair of stretches',
      y: 'Response time, ms',
      logY: true,
      compared: true,
      series: keys.flatMap(key =>
        /** @type {const} */ (['quiet', 'hostile']).map(side => ({
          label: `${key.slice(0, 3)} ${side}`,
          values: hostile.pairs.map((pair, i) => [i + 1, pair[side][key]])
        }))
      )
    }
  ]
}

/** @param {Pick<HostilePlan, 'target' | 'server' | 'stock'>} plan */
function serverText({ target, server, stock }) {
  if (target !== null) return `server at ${target}`
  return `our server, ${tuningOf({ stock })}, ${server === 'docker' ? 'in a Docker container' : 'in a process'}`
}

/** hostilePlan says what a plan with hostile peers does. @param {HostilePlan} plan @returns {PlanDescription} */
export function hostilePlan(plan) {
  const { clients, ratePerSecond, pairs, stretchMs } = plan
  const names = casesOf(plan).map(({ name }) => name)
  return {
    what: [
      `DISCOVER at ${significant(ratePerSecond)}/s from ${counted(clients, 'honest client')}`,
      `hostile peers: ${names.length > MAX_NAMES ? counted(names.length, 'kind') : names.join(', ')}`,
      `${counted(pairs, 'pair')} of stretches of ${spell(stretchMs)}`,
      serverText(plan)
    ].join(' · '),
    phases: {
      setup: ['starting server and peers', 'server and peers ready'],
      warmup: ['warming up', 'warm-up'],
      measure: ['measuring in turn', 'measured in turn'],
      teardown: ['stopping', 'stopped']
    },
    columns: COLUMNS.map(([heading]) => heading),
    rateUnit: '/s',
    measured: ''
  }
}

/** @param {Case} row */
const ratioOf = ({ p50, p99 }) => p99 ?? p50

/** The kind under which honest clients waited longest. @param {readonly Case[]} cases @returns {Case | undefined} */
const worstOf = cases =>
  cases
    .filter(row => ratioOf(row) !== null)
    .toSorted((a, b) => Number(ratioOf(b)?.ratio) - Number(ratioOf(a)?.ratio))[0] ?? cases[0]

/** @param {Ratio | null} ratio @returns {Cell} */
const hostileMs = ratio =>
  ratio === null ? null : ratio.atLeast ? { atLeast: ratio.abusedMs } : ratio.abusedMs

/** @param {Ratio | null} ratio @returns {Cell} */
const ratioCell = ratio => (ratio === null ? null : ratio.atLeast ? { atLeast: ratio.ratio } : ratio.ratio)

/** @param {'p50' | 'p99'} key @param {['wide'] | []} where - how many times as long stands @returns {import('../../report/description/tables.js').ColumnOf<Case>[]} */
const ratioColumns = (key, where) => [
  [`${key} quiet`, ({ [key]: ratio }) => ratio?.quietMs, 'ms'],
  [`${key} hostile`, ({ [key]: ratio }) => hostileMs(ratio), 'ms'],
  [`× ${key}`, ({ [key]: ratio }) => ratioCell(ratio), 'number', ...where],
  [`× ${key} from`, ({ [key]: ratio }) => ratio?.low, 'number', 'wide'],
  [`× ${key} to`, ({ [key]: ratio }) => ratio?.high, 'number', 'wide']
]

/** @type {readonly import('../../report/description/tables.js').ColumnOf<Case>[]} */
const COLUMNS = [
  ['Hostile peers', ({ name }) => name, 'text'],
  ...ratioColumns('p50', ['wide']),
  ...ratioColumns('p99', []),
  ['Requests quiet', ({ asked }) => asked.quiet, 'count', 'wide'],
  ['Requests hostile', ({ asked }) => asked.abused, 'count', 'wide'],
  ['Failed quiet', ({ failed }) => failed.quiet, 'count', 'wide'],
  ['Failed', ({ failed }) => failed.abused, 'count'],
  ['Memory quiet MB', ({ rssBytes }) => megabytes(rssBytes.quiet), 'MB', 'wide'],
  ['Memory hostile MB', ({ rssBytes }) => megabytes(rssBytes.abused), 'MB', 'wide'],
  ['CPU quiet %', ({ cpuPercent }) => cpuPercent.quiet, 'percent', 'wide'],
  ['CPU hostile %', ({ cpuPercent }) => cpuPercent.abused, 'percent', 'wide'],
  ['Longest turn quiet ms', ({ longestTurnMs }) => longestTurnMs.quiet, 'ms', 'wide'],
  ['Longest turn hostile ms', ({ longestTurnMs }) => longestTurnMs.abused, 'ms', 'wide'],
  ['Recovery ms', ({ recoveryMs }) => recoveryMs, 'ms', 'wide'],
  ['Not sent %', ({ notSent }) => percent(notSent), 'percent', 'wide']
]

const NOTE =
  'Response times of honest DISCOVERs in ms, from when they were due. ×: hostile ÷ quiet by pairs of stretches, with its 95 % interval. Failed: refused, or no reply within 5 s.'

/**
 * describeHostile says what a result of hostile peers holds.
 *
 * @param {HostileResult} result
 * @returns {Description}
 */
export function describeHostile(result) {
  const { cases, target } = result.outcome
  const worst = worstOf(cases)
  return {
    title: result.id,
    headline: headline(cases, worst),
    tiles: tiles(worst),
    tables: [
      table('hostile-peers', 'Hostile peers', cases, COLUMNS, { note: NOTE, allColumns: true }),
      stretchTable(cases),
      {
        ...table('kinds', 'What hostile peers did', cases, [
          ['Hostile peers', ({ name }) => name, 'text'],
          ['Times', ({ times }) => times, 'count'],
          ['What', ({ what }) => what, 'text']
        ]),
        note: 'Times: its own rate. Not sent: due, but too late to be sent.'
      },
      hostileFacts(result),
      timesTable(generatorTimes(result.run), { title: 'Times of the generator and the machine' }),
      ...generatorTables(result.run),
      serverFacts({ ...target, settings: {} }),
      settingsTable({ server: target.settings })
    ],
    plots: [
      ...casePlots(cases, worst),
      ...latenessPlots(result.run, { x: 'Time since the run began, s', at: ({ atMs }) => atMs / 1000 })
    ],
    warnings: failureWarnings(cases)
  }
}

/** @param {readonly Case[]} cases @param {Case | undefined} worst */
function headline(cases, worst) {
  if (worst === undefined) return 'No stretch was measured.'
  const ratio = ratioOf(worst)
  const failed = sumOf(cases, row => row.failed.abused)
  const asked = sumOf(cases, row => row.asked.abused)
  const failures = `${failed === 0 ? 'none' : grouped(failed)} of ${grouped(asked)} honest requests failed`
  if (ratio === null) return `Too few honest requests for percentiles; ${failures}.`
  const which = worst.p99 === null ? 'p50' : 'p99'
  return `Honest clients waited up to ${significant(ratio.ratio)} times as long (${which}, beside ${worst.name}); ${failures}.`
}

/** @param {Case | undefined} worst @returns {Description['tiles']} */
function tiles(worst) {
  if (worst === undefined) return []
  const which = worst.p99 === null ? 'p50' : 'p99'
  const ratio = ratioOf(worst)
  return [
    [`${which} of honest clients, quiet`, ratio?.quietMs ?? null, 'ms'],
    [`${which} under ${worst.name}`, hostileMs(ratio), 'ms'],
    [`Failed under ${worst.name}`, worst.failed.abused, 'count'],
    ['Recovered after', worst.recoveryMs, 'ms']
  ]
}

/** @param {readonly Case[]} cases */
const stretchTable = cases =>
  table(
    'stretches',
    'Stretches',
    cases.flatMap(({ name, pairs }) =>
      pairs.flatMap(({ quiet, abused }, i) => [
        { name, pair: i + 1, stretch: quiet, hostile: null },
        { name, pair: i + 1, stretch: abused, hostile: abused }
      ])
    ),
    [
      ['Hostile peers', ({ name }) => name, 'text'],
      ['Pair', ({ pair }) => pair, 'count'],
      ['Stretch', ({ hostile }) => (hostile === null ? 'quiet' : 'hostile'), 'text'],
      ['Requests', ({ stretch }) => stretch.asked, 'count'],
      ['Failed', ({ stretch }) => stretch.failed, 'count'],
      ['By outcome', ({ stretch }) => outcomesText(stretch.failures ?? {}), 'text'],
      ['p50 ms', ({ stretch }) => bound(stretch.p50Ms, stretch.censored?.p50), 'ms'],
      ['p99 ms', ({ stretch }) => bound(stretch.p99Ms, stretch.censored?.p99), 'ms'],
      ['Longest turn ms', ({ stretch }) => stretch.longestTurnMs, 'ms'],
      ['Memory MB', ({ stretch }) => megabytes(stretch.rssBytes), 'MB'],
      ['CPU %', ({ stretch }) => stretch.cpuPercent, 'percent'],
      ['Not sent %', ({ hostile }) => percent(hostile?.notSent), 'percent'],
      ['Recovery ms', ({ hostile }) => hostile?.recoveryMs, 'ms']
    ],
    {
      note: 'Recovery: until 9 of 10 requests were answered as fast as in quiet stretches; –: not within 30 s.'
    }
  )

/** @param {number | null} ms @param {boolean} [censored] @returns {Cell} */
const bound = (ms, censored) => (ms !== null && censored ? { atLeast: ms } : ms)

/** @param {HostileResult} result */
function hostileFacts({ plan, outcome: { spreads, priority, measuredMs } }) {
  return facts('hostile-run', 'How it was measured', [
    ['Honest clients', plan.clients, 'count'],
    ['Requests per second of honest clients', plan.ratePerSecond],
    ['Stretch, s', plan.stretchMs / 1000],
    ['Addresses', spreads ? 'peers have their own' : 'all peers share one, and the limits for it', 'text'],
    ['Priority of hostile peers', priority, 'text'],
    ['Measured, s', measuredMs / 1000]
  ])
}

/** Ids and plots of a description are bounded. */
const MAX_PLOTS = 40

/** @param {readonly Case[]} cases @param {Case | undefined} worst @returns {Plot[]} */
function casePlots(cases, worst) {
  return cases.slice(0, MAX_PLOTS).flatMap(row => {
    if (row.p50 === null) return []
    /** @type {('p50Ms' | 'p99Ms')[]} */
    const keys = row.p99 === null ? ['p50Ms'] : ['p50Ms', 'p99Ms']
    return [
      {
        id: `stretches-${slug(row.name)}`,
        title: `Honest clients beside ${row.name}`,
        kind: 'lines',
        x: 'Pair of stretches',
        y: 'Response time, ms',
        logY: true,
        ...(row === worst && { main: true }),
        compared: true,
        series: keys.flatMap(key =>
          /** @type {const} */ (['quiet', 'abused']).map(side => ({
            label: `${key.slice(0, 3)} ${side === 'quiet' ? 'quiet' : 'hostile'}`,
            values: row.pairs.map((pair, i) => [i + 1, pair[side][key]])
          }))
        )
      }
    ]
  })
}

/** @param {readonly Case[]} cases @returns {Description['warnings']} */
function failureWarnings(cases) {
  const failed = cases.flatMap(({ name, failed, asked }) =>
    failed.abused === 0
      ? []
      : `${grouped(failed.abused)} of ${grouped(asked.abused)} beside ${name} (${grouped(failed.quiet)} of ${grouped(asked.quiet)} without)`
  )
  return failed.length === 0
    ? []
    : [{ code: 'OPERATIONS_FAILED', text: `Honest requests failed: ${enumerated(failed)}.` }]
}
