import { present } from '../../kit/lists.js'
import { limitedByText } from '../../measure/limited-by.js'
import { facts, table } from '../../report/description/tables.js'
import { four } from '../../report/description/values.js'
import {
  formerNote,
  kneesOver,
  kneesTable,
  noteOf,
  pointColumns,
  ratesHeading,
  timesAt,
  whyNot
} from './described-trials.js'
import { limitFound } from './result/found.js'
import { measuredCells } from './result/measured-cells.js'
import { isAmber } from './search/estimate.js'

/**
 * @typedef {import('./result/trial.js').SearchState} SearchState
 * @typedef {import('./result/trial.js').SearchTrial} SearchTrial
 * @typedef {import('../../scenarios/saturation.js').Face} Face
 * @typedef {import('../../report/description/description.js').DescribedTable} DescribedTable
 * @typedef {import('../../report/description/description.js').DescribedWarning} DescribedWarning
 * @typedef {import('../../report/description/description.js').Plot} Plot
 * @typedef {import('../../report/description/description.js').Series} Series
 * @typedef {import('./described-trials.js').Measured} Measured
 * @typedef {import('./described-trials.js').Parts} Parts
 */

/** @param {readonly SearchTrial[]} trials @returns {Measured[]} as loads of a grid, but judged by the search */
const asLoads = trials =>
  measuredCells(trials).map(load => ({ ...load, beyond: load.trial.sustained === false }))

/** @param {SearchState} search @param {Face} face @param {number} [inTimeMs] @returns {DescribedTable} */
const trialsTable = ({ trials }, face, inTimeMs) => ({
  ...table(
    'trials',
    'Every trial',
    trials.map((trial, place) => ({ trial, place })),
    [
      ['Run', ({ trial }) => trial.run ?? trial.name, 'text'],
      ['Trial', ({ place }) => place + 1, 'count'],
      ['Purpose', ({ trial }) => trial.purpose, 'text'],
      [ratesHeading(face), ({ trial }) => trial.perSecond, 'number'],
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
      ...pointColumns(face),
      ['Why not', ({ trial }) => whyNot(trial), 'text', 'wide']
    ]
  ),
  note: face.expected(inTimeMs)
})

/** The row of a search: the rate, its interval, and what limits it. @param {SearchState} search @param {Face} face @param {readonly string[] | null} objective @returns {DescribedTable} */
function searchAnswer({ found, trials }, face, objective) {
  if (found === null) return table('answer', 'Sustainable rate', [], [['Sustained', () => null, 'text']])
  const { below, above, estimate, generatorBound } = found
  const [nine, half] = estimate?.rates ?? []
  const at = trials.find(({ perSecond, sustained }) => sustained === true && perSecond === below?.perSecond)
  const isBound = generatorBound || above === null
  const sustained = nine?.perSecond ?? below?.perSecond ?? null
  return {
    ...table(
      'answer',
      'Sustainable rate',
      [found],
      [
        [
          `Sustained, ${face.what}/s`,
          () => (sustained !== null && isBound ? { atLeast: sustained } : sustained),
          'perSecond'
        ],
        ['Low', () => nine?.low, 'perSecond'],
        ['High', () => nine?.high, 'perSecond'],
        ['Not sustained', () => above?.perSecond, 'perSecond'],
        ['p50 ms', () => at?.point?.rt.p50?.ms, 'ms'],
        ['p99 ms', () => at?.point && face.tailOf(at.point), 'ms'],
        ['Limited by', () => limitedByText(limitFound(found, trials) ?? undefined), 'text', 'wide'],
        ['In 5 of 10 trials', () => half?.perSecond, 'perSecond', 'wide'],
        ['Its low', () => half?.low, 'perSecond', 'wide'],
        ['Its high', () => half?.high, 'perSecond', 'wide'],
        ['Blocks', () => estimate?.blocks, 'count', 'wide']
      ]
    ),
    ...noteOf([
      ...formerNote(objective),
      ...(nine === undefined ? [] : ['Sustained in 9 of 10 trials, with its 95 % interval.']),
      `p99: ${face.tailWords}.`,
      ...face.notes(false)
    ])
  }
}

/** @param {SearchState} search @param {Face} face */
function searchFacts({ found, trials, ...search }, face) {
  const repeated = (/** @type {import('./search/sustainable-rate.js').Confirmed | null | undefined} */ of) =>
    of == null || of.repeats === 0 ? null : `${of.sustained} of ${of.repeats}`
  return facts('search', 'Search', [
    [`First rate, ${face.what}/s`, search.fromPerSecond],
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

/** @param {readonly Measured[]} loads @param {(load: Measured) => number | null} of @returns {Series[]} */
const trialPoints = (loads, of) =>
  [false, true].flatMap(beyond => {
    const values = loads
      .flatMap(load => {
        const value = load.beyond === beyond ? of(load) : null
        return value === null ? [] : [[load.trial.perSecond, four(value)]]
      })
      .sort((a, b) => a[0] - b[0])
    return values.length === 0
      ? []
      : [{ label: beyond ? 'not sustained' : 'sustained', style: /** @type {const} */ ('points'), values }]
  })

/** The share of trials that sustained a rate. @param {readonly Measured[]} loads @returns {Series} */
function sustainedShares(loads) {
  const rates = [...new Set(loads.map(({ trial }) => trial.perSecond))].sort((a, b) => a - b)
  return {
    label: 'trials at a rate',
    style: 'points',
    values: rates.map(rate => {
      const those = loads.filter(({ trial }) => trial.perSecond === rate)
      return [rate, four((100 * those.filter(({ beyond }) => !beyond).length) / those.length)]
    })
  }
}

/** @param {SearchState} search @param {Face} face @returns {Plot[]} */
function searchPlots({ trials, found }, face) {
  const loads = asLoads(trials.filter(({ sustained }) => sustained !== null))
  if (loads.length === 0) return []
  const most = Math.max(...loads.map(({ trial }) => trial.perSecond))
  const rates = found?.estimate?.rates ?? []
  const lines = { kind: /** @type {const} */ ('lines'), x: ratesHeading(face) }
  const knees = kneesOver(loads).map(({ at }) => ({ x: four(at), label: 'knee' }))
  const medians = trialPoints(loads, ({ point }) => point.rt.p50?.ms || null)
  const tails = trialPoints(loads, ({ point }) => face.tailOf(point) || null)
  const failed = trialPoints(loads, ({ point }) => face.failed.of(point))
  return present([
    {
      ...{ ...lines, id: 'search-achieved', title: 'Achieved against offered load', main: true },
      y: `Achieved, ${face.what}/s`,
      series: [
        {
          ...{ label: 'all that was due', style: /** @type {const} */ ('dotted') },
          values: [
            [0, 0],
            [most, most]
          ]
        },
        ...trialPoints(loads, ({ point }) => (1000 * point.achieved) / point.durationMs)
      ]
    },
    medians.length > 0 && {
      ...{ ...lines, id: 'search-p50', title: 'p50 against offered load', logY: true },
      ...{ y: `p50 of the ${face.timeName}, ms`, series: medians },
      ...(knees.length > 0 && { marks: knees })
    },
    tails.length > 0 && {
      ...{ ...lines, id: 'search-p99', title: 'p99 against offered load', note: `p99: ${face.tailWords}.` },
      ...{ y: `p99 of the ${face.timeName}, ms`, logY: true, series: tails }
    },
    failed.length > 0 && {
      ...{ ...lines, id: 'search-failed', title: `${face.failed.title.split(',')[0]} against offered load` },
      ...{ y: face.failed.title, series: failed }
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
          values: [low, high].map(rate => [four(rate), 100 * share])
        }))
      ]
    }
  ])
}

/** @param {SearchState} search @param {Face} face @returns {DescribedWarning[]} */
function searchWarnings({ found }, { boundStatement, unsteady }) {
  if (found === null) return []
  const { estimate, closed, generatorBound } = found
  const warn = (/** @type {boolean} */ when, /** @type {string} */ code, /** @type {string} */ text) =>
    when && { code, text }
  return present([
    warn(generatorBound, 'GENERATOR_BOUND', boundStatement),
    warn(
      !closed,
      'REPEATS_CONTRADICT',
      `Repeats contradicted the search: ${unsteady ?? 'the machine answers differently from trial to trial'}.`
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
      estimate !== null && estimate.rates.length > 0 && isAmber({ ...estimate, contradict: false }),
      'INTERVAL_WIDE',
      'The interval is wider than ± 10 %: more --blocks or a longer --duration make it narrower.'
    )
  ])
}

/**
 * describeSearch describes a search for the highest rate that is sustained.
 *
 * @param {SearchState} search
 * @param {Face} face
 * @param {{ objective: readonly string[] | null, inTimeMs?: number }} of - the study
 * @returns {Parts}
 */
export function describeSearch(search, face, { objective, inTimeMs }) {
  const { found, trials } = search
  const at = trials.find(
    ({ perSecond, sustained }) => sustained === true && perSecond === found?.below?.perSecond
  )
  const answer = searchAnswer(search, face, objective)
  return {
    tiles:
      found === null
        ? []
        : [
            [`Sustained, ${face.what}`, answer.rows[0]?.[0] ?? null, 'perSecond'],
            ...timesAt(face, at?.point),
            [`Not sustained, ${face.what}`, found.above?.perSecond ?? 'none tried', 'perSecond']
          ],
    tables: [
      answer,
      trialsTable(search, face, inTimeMs),
      searchFacts(search, face),
      kneesTable(face, asLoads(trials))
    ],
    plots: searchPlots(search, face),
    warnings: searchWarnings(search, face)
  }
}
