// Makes the headline, tables and plots of a saturation study: the load that a system sustains, and what limited it.
import { joinWords, omitMissing, pickEvenly } from '../../kit/collections.js'
import { formatCount, formatRate, formatWhole } from '../../kit/numbers.js'
import { formatLimitedBy } from '../../measure/limited-by.js'
import { makeFactsTable, makeTable, overlayPlots, roundToFourDigits } from '../../report/description.js'
import { computeNetworkNeeds } from './capacity.js'
import {
  describeGrid,
  describeMisses,
  findLoadKnees,
  formatRatesHeading,
  joinNotes,
  makeFormerNotes,
  makeKneesTable,
  makePointColumns,
  makeTimeTiles
} from './describe-grid.js'
import { formatObjective } from './objective.js'
import { estimateUnfinished, findSaturationDiagonal, findSearchLimit, isUncertain } from './search.js'
import { findCommonLimit, findTerms, listMeasuredCells, readLimit } from './trials.js'

/**
 * @typedef {import('./trials.js').AnyTrial} AnyTrial
 * @typedef {import('../../report/schema.js').Description} Description
 * @typedef {import('../../report/schema.js').DescribedTable} DescribedTable
 * @typedef {import('../../report/schema.js').DescribedWarning} DescribedWarning
 * @typedef {import('./saturation-document.js').SaturationDocument} SaturationDocument
 * @typedef {import('../../report/description.js').DescribedRun} DescribedRun
 * @typedef {import('./describe-grid.js').DescriptionParts} DescriptionParts
 */

/** More overlaid runs cannot be distinguished. */
const MAX_OVERLAID = 6

/** Servers for a network of peers (--peers). @param {SaturationDocument} document @returns {DescribedTable[]} */
function networkTable(document) {
  const needs = computeNetworkNeeds(document)
  if (needs === null) return []
  const share = 100 * needs.headroom
  return [
    {
      ...makeFactsTable('network', 'Servers for a network', [
        ['Peers', needs.peers, 'count'],
        ['Requests of a peer in a day', needs.requestsPerDay],
        ['Requests/s on average', needs.meanPerSecond],
        [`Requests/s in the busiest hour (× ${needs.peakFactor})`, needs.peakPerSecond],
        ['Connection for each request', needs.connectionPerRequest ? 'yes' : 'no'],
        [`Registrations held (TTL ${needs.ttlSeconds} s)`, needs.held, 'count'],
        ['Registrations of the server measured', needs.heldByServer, 'count'],
        ['Its memory, most, MB', needs.memoryBytes && needs.memoryBytes / 1e6],
        ['Requests/s that one server sustains', needs.sustainedPerSecond],
        ['Planned utilization, %', share],
        [needs.isBound ? 'Servers, at most' : 'Servers', needs.servers, 'count']
      ]),
      terminal: true,
      note: `Servers: busiest hour ÷ (${needs.headroom} × what one sustains), rounded up, where requests are spread evenly over the hour and the servers, and one server holds all registrations. Add one for a server that is down.`
    }
  ]
}

/** @param {readonly AnyTrial[]} trials @returns {DescribedWarning[]} */
function trialWarnings(trials) {
  const failed = trials.filter(({ status }) => status === 'failed')
  const generatorLimited = trials.filter(({ point }) => point?.generatorLimited === true).length
  return omitMissing([
    failed.length > 0 && {
      code: 'RUNS_FAILED',
      text: `${failed.length} of ${trials.length} runs failed, the first one ${failed[0].name}: ${failed[0].reason?.message ?? 'no result'}.`
    },
    generatorLimited > 0 && {
      code: 'RUNS_WITH_WARNINGS',
      text: `${generatorLimited} of ${trials.length} runs carry warnings about the load generator or the machine: times may be too long.`
    }
  ])
}

/**
 * chooseTrialsToDescribe chooses the trials whose plots are overlaid: at most six, spread over the loads tried.
 *
 * @param {Pick<SaturationDocument, 'scenario' | 'options' | 'grid' | 'search'>} document
 * @returns {{ label: string, run: string }[]} `run`: its folder, in that of the study
 */
export function chooseTrialsToDescribe({ grid, search, ...document }) {
  const { sizeSign, rateWords: words } = findTerms(document)
  const loads = listMeasuredCells(grid?.cells ?? search?.trials ?? []).sort(
    (a, b) => a.trial.perSecond - b.trial.perSecond || a.size - b.size
  )
  const first = loads.filter(
    (load, i) =>
      load.trial.run !== null &&
      (grid !== null || loads.findIndex(({ trial }) => trial.perSecond === load.trial.perSecond) === i)
  )
  const lowest = first.slice(0, 1)
  return [...pickEvenly(first.slice(1).reverse(), MAX_OVERLAID - 1), ...lowest]
    .reverse()
    .map(({ trial, ...load }) => ({
      label:
        grid === null
          ? words(trial.perSecond)
          : `r=${formatRate(load.ratePerSecond)}, ${sizeSign}=${load.size}`,
      run: String(trial.run)
    }))
}

/**
 * describeSaturation describes a saturation study: a grid of loads, or a search for the highest rate.
 *
 * @param {SaturationDocument} document
 * @param {{ runs?: readonly DescribedRun[] }} [of] - those of `chooseTrialsToDescribe`, described
 * @returns {Description}
 */
export function describeSaturation(document, { runs = [] } = {}) {
  const { grid, search, scenario } = document
  const view = findTerms(document)
  /** @type {DescriptionParts} */
  const { tiles, tables, plots, warnings } =
    grid !== null
      ? describeGrid(grid, view, document)
      : search !== null
        ? describeSearch(search, view, document)
        : { tiles: [], tables: [], plots: [], warnings: [] }
  const [answer, others] = [tables.slice(0, 1), tables.slice(1)]
  const trials = grid?.cells ?? search?.trials ?? []
  return {
    title: `${search === null ? 'Saturation grid' : 'Sustainable rate'} of ${scenario}`,
    headline: makeSaturationHeadline(document, view),
    tiles,
    tables: [...answer, ...networkTable(document), ...others].filter(({ rows }) => rows.length > 0),
    plots: [...plots, ...overlayPlots(runs)],
    warnings: [...warnings, ...trialWarnings(trials)]
  }
}

/**
 * @typedef {import('./saturation-document.js').GridState} GridState
 * @typedef {import('./trials.js').SearchOutcome} SearchOutcome
 * @typedef {import('../../scenarios/saturation.js').TrialView} TrialView
 */

/** @param {GridState} grid @param {TrialView} view */
function ofGrid({ cells: trials }, view) {
  const { who, loadWords, ratesFlag, sizeSign } = view
  const cells = listMeasuredCells(trials)
  if (cells.length === 0) return 'No load of the grid was measured'
  const { below, beyond } = findSaturationDiagonal(cells)
  const names = (/** @type {typeof cells} */ those) =>
    joinWords(those.map(({ ratePerSecond, size }) => `r=${formatRate(ratePerSecond)} ${sizeSign}=${size}`))
  const limit = findCommonLimit(beyond.map(({ point }) => readLimit(point)))
  const limited = limit === null ? '' : `, limited by: ${formatLimitedBy(limit)}`
  if (beyond.length === 0)
    return trials.some(({ status }) => status === 'failed')
      ? `${who} sustained every load that was measured, up to ${loadWords(below[0].load)}; runs failed beyond it`
      : `${who} sustained every load tried, up to ${loadWords(below[0].load)}: a higher ${ratesFlag}, or --search, finds the limit`
  if (below.length === 0)
    return `${who} sustained no load that was tried, from ${loadWords(beyond[0].load)} on${limited}`
  return `${who} sustained up to ${loadWords(below[0].load)} (${names(below)}), and not ${loadWords(beyond[0].load)} (${names(beyond)})${limited}`
}

/** Rates are not known to more than three digits. @param {number} perSecond */
const rounded = perSecond => Number(perSecond.toPrecision(3))

/** @param {import('./search.js').RateSustained} answer @param {number} blocks @param {(perSecond: number) => string} rate */
function estimateWords({ perSecond, low, high }, blocks, rate) {
  const interval = [low, high].map(of => formatRate(rounded(of))).join(' to ')
  return `${rate(rounded(perSecond))} in 9 of 10 trials (95 % interval ${interval}, ${blocks} blocks of trials)`
}

/** @param {readonly import('./trials.js').SearchTrial[]} trials @param {TrialView} face */
function ofUnfinished(trials, { rateWords: rate }) {
  const unfinished = 'The search did not finish'
  const estimate = estimateUnfinished(trials)
  const [nine] = estimate?.rates ?? []
  if (estimate !== null && nine !== undefined)
    return `${unfinished}; so far: ${estimateWords(nine, estimate.blocks, rate)}`
  const sustained = trials.filter(trial => trial.sustained === true).map(({ perSecond }) => perSecond)
  return sustained.length === 0
    ? `${unfinished}: no rate was sustained so far`
    : `${unfinished}; so far: a trial sustained ${rate(Math.max(...sustained))}`
}

/** @param {SearchOutcome} found @param {import('./trials.js').SearchState} search @param {TrialView} face */
function ofSearch(found, { trials }, { rateName, rateWords: rate }) {
  const { below, above, generatorBound, estimate } = found
  const limit = findSearchLimit(found, trials)
  const limited = limit === null ? '' : `, limited by: ${formatLimitedBy(limit)}`
  const atLeast = generatorBound || above === null ? 'at least ' : ''
  const [nine] = estimate?.rates ?? []
  if (estimate !== null && nine !== undefined)
    return `${rateName}: ${atLeast}${estimateWords(nine, estimate.blocks, rate)}${limited}`
  if (below === null) return `Not even ${rate(above?.perSecond ?? 0)} was sustained${limited}`
  if (above === null) return `${rateName}: at least ${rate(below.perSecond)}, the highest rate that was tried`
  if (estimate !== null && !generatorBound)
    return `${rateName}: not known. One trial sustained ${rate(below.perSecond)}, one did not sustain ${rate(above.perSecond)}, and blocks of trials do not confirm it`
  return `${rateName}: ${atLeast}${rate(below.perSecond)}, and ${rate(above.perSecond)} was not sustained${limited}`
}

/** @param {SaturationDocument} document */
function ofNetwork(document) {
  const needs = computeNetworkNeeds(document)
  if (needs === null || needs.servers === null) return ''
  return `; ${formatWhole(needs.peers)} peers need ${needs.isBound ? 'at most ' : ''}${formatCount(needs.servers, 'server')}`
}

/**
 * makeSaturationHeadline is the headline: the load sustained, its limit, and the objective.
 *
 * @param {SaturationDocument} document
 * @param {TrialView} view
 */
export function makeSaturationHeadline(document, view) {
  const { grid, search, objective } = document
  const by = objective === null ? '' : ` Objective: ${formatObjective(objective)}.`
  if (grid !== null) return `${ofGrid(grid, view)}.${by}`
  if (search === null || search.found === null) return `${ofUnfinished(search?.trials ?? [], view)}.${by}`
  return `${ofSearch(search.found, search, view)}${ofNetwork(document)}.${by}`
}

/**
 * @typedef {import('./trials.js').SearchState} SearchState
 * @typedef {import('./trials.js').SearchTrial} SearchTrial
 * @typedef {import('../../report/schema.js').Plot} Plot
 * @typedef {import('../../report/schema.js').Series} Series
 * @typedef {import('./describe-grid.js').MeasuredLoad} MeasuredLoad
 */

/** @param {readonly SearchTrial[]} trials @returns {MeasuredLoad[]} as loads of a grid, but judged by the search */
const asLoads = trials =>
  listMeasuredCells(trials).map(load => ({ ...load, beyond: load.trial.sustained === false }))

/** @param {SearchState} search @param {TrialView} view @param {number} [inTimeMs] @returns {DescribedTable} */
const trialsTable = ({ trials }, view, inTimeMs) => ({
  ...makeTable(
    'trials',
    'Every trial',
    trials.map((trial, place) => ({ trial, place })),
    [
      ['Run', ({ trial }) => trial.run ?? trial.name, 'text'],
      ['Trial', ({ place }) => place + 1, 'count'],
      ['Purpose', ({ trial }) => trial.purpose, 'text'],
      [formatRatesHeading(view), ({ trial }) => trial.perSecond, 'number'],
      [
        'Sustained',
        ({ trial: { sustained, status } }) =>
          sustained === null ? (status === 'complete' ? null : status) : sustained ? 'yes' : 'no',
        'text'
      ],
      ['Due', ({ trial }) => trial.point?.due, 'count'],
      ['Achieved', ({ trial }) => trial.point?.achieved, 'count'],
      [
        'Achieved %',
        ({ trial: { point } }) => point && (100 * point.achieved) / Math.max(1, point.due),
        'percent'
      ],
      ...makePointColumns(view),
      ['Why not', ({ trial }) => describeMisses(trial), 'text', 'wide']
    ]
  ),
  note: view.expected(inTimeMs)
})

/** The row of a search: the rate, its interval, and what limits it. @param {SearchState} search @param {TrialView} view @param {readonly string[] | null} objective @returns {DescribedTable} */
function searchAnswer({ found, trials }, view, objective) {
  if (found === null) return makeTable('answer', 'Sustainable rate', [], [['Sustained', () => null, 'text']])
  const { below, above, estimate, generatorBound } = found
  const [nine, half] = estimate?.rates ?? []
  const at = trials.find(({ perSecond, sustained }) => sustained === true && perSecond === below?.perSecond)
  const isBound = generatorBound || above === null
  const sustained = nine?.perSecond ?? below?.perSecond ?? null
  return {
    ...makeTable(
      'answer',
      'Sustainable rate',
      [found],
      [
        [
          `Sustained, ${view.what}/s`,
          () => (sustained !== null && isBound ? { atLeast: sustained } : sustained),
          'perSecond'
        ],
        ['Low', () => nine?.low, 'perSecond'],
        ['High', () => nine?.high, 'perSecond'],
        ['Not sustained', () => above?.perSecond, 'perSecond'],
        ['p50 ms', () => at?.point?.rt.p50?.ms, 'ms'],
        ['p99 ms', () => at?.point && view.tailOf(at.point), 'ms'],
        ['Limited by', () => formatLimitedBy(findSearchLimit(found, trials) ?? undefined), 'text', 'wide'],
        ['In 5 of 10 trials', () => half?.perSecond, 'perSecond', 'wide'],
        ['Its low', () => half?.low, 'perSecond', 'wide'],
        ['Its high', () => half?.high, 'perSecond', 'wide'],
        ['Blocks', () => estimate?.blocks, 'count', 'wide']
      ]
    ),
    ...joinNotes([
      ...makeFormerNotes(objective),
      ...(nine === undefined ? [] : ['Sustained in 9 of 10 trials, with its 95 % interval.']),
      `p99: ${view.tailWords}.`,
      ...view.notes(false)
    ])
  }
}

/** @param {SearchState} search @param {TrialView} view */
function searchFacts({ found, trials, ...search }, view) {
  const repeated = (/** @type {import('./search.js').ConfirmedRate | null | undefined} */ of) =>
    of == null || of.repeats === 0 ? null : `${of.sustained} of ${of.repeats}`
  return makeFactsTable('search', 'Search', [
    [`First rate, ${view.what}/s`, search.fromPerSecond],
    ['Largest rate to try', search.mostPerSecond],
    ['Tolerance', 100 * search.tolerance, 'percent'],
    ['Blocks of trials', search.blocks, 'count'],
    ['Repeats of each end', search.repeats, 'count'],
    ['Trials', trials.length, 'count'],
    ['Bracket, sustained', found?.below?.perSecond],
    ['Bracket, not sustained', found?.above?.perSecond],
    ['Repeats that sustained the lower end', repeated(found?.below)],
    ['Repeats that sustained the upper end', repeated(found?.above)]
  ])
}

/** @param {readonly MeasuredLoad[]} loads @param {(load: MeasuredLoad) => number | null} of @returns {Series[]} */
const trialPoints = (loads, of) =>
  [false, true].flatMap(beyond => {
    const values = loads
      .flatMap(load => {
        const value = load.beyond === beyond ? of(load) : null
        return value === null ? [] : [[load.trial.perSecond, roundToFourDigits(value)]]
      })
      .sort((a, b) => a[0] - b[0])
    return values.length === 0
      ? []
      : [{ label: beyond ? 'not sustained' : 'sustained', style: /** @type {const} */ ('points'), values }]
  })

/** The share of trials that sustained a rate. @param {readonly MeasuredLoad[]} loads @returns {Series} */
function sustainedShares(loads) {
  const rates = [...new Set(loads.map(({ trial }) => trial.perSecond))].sort((a, b) => a - b)
  return {
    label: 'trials at a rate',
    style: 'points',
    values: rates.map(rate => {
      const those = loads.filter(({ trial }) => trial.perSecond === rate)
      return [rate, roundToFourDigits((100 * those.filter(({ beyond }) => !beyond).length) / those.length)]
    })
  }
}

/** @param {SearchState} search @param {TrialView} view @returns {Plot[]} */
function searchPlots({ trials, found }, view) {
  const loads = asLoads(trials.filter(({ sustained }) => sustained !== null))
  if (loads.length === 0) return []
  const maxRate = Math.max(...loads.map(({ trial }) => trial.perSecond))
  const rates = found?.estimate?.rates ?? []
  const lines = { kind: /** @type {const} */ ('lines'), x: formatRatesHeading(view) }
  const knees = findLoadKnees(loads).map(({ at }) => ({ x: roundToFourDigits(at), label: 'knee' }))
  const medians = trialPoints(loads, ({ point }) => point.rt.p50?.ms || null)
  const tails = trialPoints(loads, ({ point }) => view.tailOf(point) || null)
  const failed = trialPoints(loads, ({ point }) => view.failed.of(point))
  return omitMissing([
    {
      ...{ ...lines, id: 'search-achieved', title: 'Achieved against offered load', main: true },
      y: `Achieved, ${view.what}/s`,
      series: [
        {
          ...{ label: 'all that was due', style: /** @type {const} */ ('dotted') },
          values: [
            [0, 0],
            [maxRate, maxRate]
          ]
        },
        ...trialPoints(loads, ({ point }) => (1000 * point.achieved) / point.durationMs)
      ]
    },
    medians.length > 0 && {
      ...{ ...lines, id: 'search-p50', title: 'p50 against offered load', logY: true },
      ...{ y: `p50 of the ${view.timeName}, ms`, series: medians },
      ...(knees.length > 0 && { marks: knees })
    },
    tails.length > 0 && {
      ...{ ...lines, id: 'search-p99', title: 'p99 against offered load', note: `p99: ${view.tailWords}.` },
      ...{ y: `p99 of the ${view.timeName}, ms`, logY: true, series: tails }
    },
    failed.length > 0 && {
      ...{ ...lines, id: 'search-failed', title: `${view.failed.title.split(',')[0]} against offered load` },
      ...{ y: view.failed.title, series: failed }
    },
    rates.length > 0 && {
      ...{
        ...lines,
        id: 'search-sustained',
        title: 'Trials that sustained a rate',
        y: 'Sustained, % of trials'
      },
      series: [
        sustainedShares(loads),
        ...rates.map(({ share, low, high }) => ({
          label: `${100 * share} %, 95 % interval`,
          values: [low, high].map(rate => [roundToFourDigits(rate), 100 * share])
        }))
      ]
    }
  ])
}

/** @param {SearchState} search @param {TrialView} face @returns {DescribedWarning[]} */
function searchWarnings({ found }, { boundStatement, unsteady }) {
  if (found === null) return []
  const { estimate, closed, generatorBound } = found
  const warn = (/** @type {boolean} */ when, /** @type {string} */ code, /** @type {string} */ text) =>
    when && { code, text }
  return omitMissing([
    warn(generatorBound, 'GENERATOR_BOUND', boundStatement),
    warn(
      !closed,
      'REPEATS_CONTRADICT',
      `Repeats contradicted the search: ${unsteady ?? 'results differ from trial to trial'}.`
    ),
    warn(
      estimate !== null && estimate.rates.length === 0,
      'NO_INTERVAL',
      'There is no interval: higher rates were sustained as often as lower ones, or all rates tried are far from the limit.'
    ),
    warn(
      estimate?.contradict === true,
      'BLOCKS_CONTRADICT',
      'Blocks of trials contradict one another: the system drifts between them.'
    ),
    warn(
      estimate !== null && estimate.rates.length > 0 && isUncertain({ ...estimate, contradict: false }),
      'INTERVAL_WIDE',
      'The interval is wider than ± 10 %: more --blocks or a longer --duration make it narrower.'
    )
  ])
}

/**
 * describeSearch describes a search for the highest rate that is sustained.
 *
 * @param {SearchState} search
 * @param {TrialView} view
 * @param {{ objective: readonly string[] | null, inTimeMs?: number }} of - the study
 * @returns {DescriptionParts}
 */
function describeSearch(search, view, { objective, inTimeMs }) {
  const { found, trials } = search
  const at = trials.find(
    ({ perSecond, sustained }) => sustained === true && perSecond === found?.below?.perSecond
  )
  const answer = searchAnswer(search, view, objective)
  return {
    tiles:
      found === null
        ? []
        : [
            [`Sustained, ${view.what}`, answer.rows[0]?.[0] ?? null, 'perSecond'],
            ...makeTimeTiles(view, at?.point),
            [`Not sustained, ${view.what}`, found.above?.perSecond ?? 'none tried', 'perSecond']
          ],
    tables: [
      answer,
      trialsTable(search, view, inTimeMs),
      searchFacts(search, view),
      makeKneesTable(view, asLoads(trials))
    ],
    plots: searchPlots(search, view),
    warnings: searchWarnings(search, view)
  }
}
