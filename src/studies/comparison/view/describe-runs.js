import { present } from '../../../kit/lists.js'
import { baselineLine } from '../../../report/baseline-lines.js'
import { bad, good, mind } from '../../../report/page/verdict.js'
import { ruleLine } from '../../../report/rule-line.js'
import { carriedOverTime } from '../../qa/result/carried-over-time.js'
import { LEVEL } from '../compare-metrics.js'
import { letterOf, wholePlaces } from '../comparison-document.js'
import { spreadsOf } from '../spread.js'
import { changeWords } from './change-words.js'
import { comparisonSentences, repetitionSentence, seenLines } from './comparison-sentences.js'
import { figureTable, markLegend, spreadWarnings } from './figure-table.js'

/**
 * @typedef {import('../comparison.js').Comparison} Comparison
 * @typedef {import('../comparison.js').Against} Against
 * @typedef {import('../comparison.js').Side} Side
 */

/** @param {Side} side @param {number} place */
function sideLine({ label, results }, place) {
  const [{ run }] = results
  const amount = results.length === 1 ? '1 run' : `${results.length} runs`
  return `${letterOf(place)}: ${label} (${amount}, ${run.startedAt.slice(0, 10)}, libp2p-loadtest ${run.versions['libp2p-loadtest'] ?? 'unknown'})`
}

/** @param {unknown} value - of a plan, a machine or a version */
function shown(value) {
  if (value === null) return 'none'
  if (Array.isArray(value) && value.every(item => typeof item === 'string')) return value.join(', ')
  return typeof value === 'object' ? JSON.stringify(value) : String(value)
}

/** Of several candidates each is told with its letter. @param {readonly Against[]} against @param {number} i */
const whose = (against, i) => (against.length === 1 ? '' : `${letterOf(i + 1)}: `)

/** @param {Comparison} comparison */
const sideLines = ({ sides, against }) => [
  ...sides.map(sideLine),
  ...against.flatMap(({ differences }, i) =>
    Object.entries(differences).flatMap(([what, found]) => {
      const each = found.map(({ what, base, candidate }) => `${what} ${shown(base)} → ${shown(candidate)}`)
      return each.length === 0
        ? []
        : [`${whose(against, i)}${what.replace(/[^s]$/, '$&s')} differ in: ${each.join('; ')}`]
    })
  )
]

/** @param {number} n */
const numeral = n => ({ 4: 'four', 9: 'nine' })[n] ?? String(n)

/** How it was decided. @param {Against | undefined} against */
const method = against =>
  against !== undefined &&
  `Different: more than 5 % and p < ${LEVEL} after Holm over the ${numeral(against.metrics.length)} metrics; the same: the 90 % interval lies within 5 %; else undecided. Change: Hodges–Lehmann estimate over ${against.pairs} pairs of runs; interval and p: exact sign-flip test.`

/** @param {import('../comparison-document.js').ComparisonDocument} document */
function completeness({ status, reason, sides, ...document }) {
  const asked = sides[0].runs.length
  const all = `${asked} ${sides.length === 1 ? 'run' : 'pair'}${asked === 1 ? '' : 's'}`
  if (status === 'complete') return good(`Complete: ${all}${sides.length === 1 ? '' : ' of runs, in turn'}.`)
  const why = reason === null ? 'it was ended from outside' : reason.message
  return bad(`Partial: ${wholePlaces({ sides, ...document }).length} of ${all} are complete: ${why}.`)
}

/** Tones of what a rule came to. */
const TONES = { PASS: good, FAIL: bad, UNDECIDED: mind }

/** @param {import('../../../plan/fail-rule.js').Judged} rule @param {string} [of] */
const ruleStatement = (rule, of = '') => TONES[rule.verdict](`${of}${ruleLine(rule)}`)

/** @param {import('../comparison.js').SideThreshold} threshold */
const thresholdStatement = ({ side, text, runs, passed }) =>
  (passed < runs ? bad : good)(
    `${passed < runs ? 'FAIL' : 'PASS'} ${side} ${text}: held in ${passed} of ${runs} ${runs === 1 ? 'run' : 'runs'}`
  )

/** @param {Comparison} comparison @param {import('../comparison-document.js').ComparisonDocument | null} document */
const statementsOf = ({ sides, spreads, against, thresholds, baseline }, document) =>
  present([
    document !== null && completeness(document),
    against.some(({ alternated, pairs, leastPairs }) => !alternated && pairs >= leastPairs) &&
      mind(
        'The runs of the sides did not take turns: a machine that drifted between them counts as a difference.'
      ),
    against.some(({ differences: { machine } }) => machine.length > 0) &&
      mind('Another machine: what differs may be the machines.'),
    ...against.flatMap(({ rules }, i) => rules.map(rule => ruleStatement(rule, whose(against, i)))),
    ...thresholds.map(thresholdStatement),
    baseline !== null && TONES[baseline.verdict](baselineLine(baseline)),
    ...(baseline?.rules ?? []).map(rule => ruleStatement(rule)),
    ...spreads
      .flatMap((spreading, place) =>
        spreadWarnings(spreading, sides.length === 1 ? '' : `${letterOf(place)}, `)
      )
      .map(text => mind(text, 'figures'))
  ])

/** Where some come and go, what is carried while they do is looked at over time. @param {readonly Side[]} sides */
const carriedLines = sides =>
  sides.flatMap(({ results: [result] }, place) => {
    if (!('rotation' in result.outcome)) return []
    const { points, slope } = carriedOverTime(result)
    return [`${letterOf(place)}: ${changeWords(slope, points.length)}.`]
  })

/** @param {readonly Side[]} sides */
async function allFigures(sides) {
  const [{ scenario, results }] = sides
  if (sides.length > 1) return (await scenario.view()).beside(sides)
  const spreads = [spreadsOf(results, scenario.figures)]
  return {
    tables: [figureTable({ sides, spreads, against: [] })],
    notes: markLegend(spreads[0], scenario.compared)
  }
}

/**
 * describeRuns describes a comparison of runs.
 *
 * @param {Comparison} comparison
 * @param {import('../comparison-document.js').ComparisonDocument | null} document - of its study
 * @returns {Promise<import('./description.js').Description>}
 */
export async function describeRuns(comparison, document) {
  const { sides, spreads, against } = comparison
  const { tables, notes } = await allFigures(sides)
  return {
    sentences:
      against.length === 0
        ? [repetitionSentence(document?.sides[0].runs ?? sides[0].results)]
        : against.flatMap((found, i) => comparisonSentences(found, [sides[0], sides[i + 1]], i + 1)),
    statements: statementsOf(comparison, document),
    parts: [
      { id: 'sides', title: 'What is compared', notes: against.length === 0 ? [] : sideLines(comparison) },
      {
        ...{ id: 'figures', title: 'Figures', tables: [figureTable(comparison)] },
        notes: present([
          method(against.find(({ pairs, leastPairs }) => pairs >= leastPairs)),
          ...against.flatMap((found, i) => seenLines(found, whose(against, i))),
          ...markLegend(spreads.flat(), sides[0].scenario.compared)
        ])
      },
      { id: 'times', title: 'Response times' },
      { id: 'pairs', title: 'Pairs of runs' },
      {
        ...{ id: 'all-figures', title: 'All figures', further: true },
        ...{ tables, notes: [...notes, ...carriedLines(sides)] }
      }
    ]
  }
}
