import { html } from '../../../../kit/html.js'
import { tableOf } from '../../../../kit/html-table.js'
import { capital, grouped, MISSING, significant, spell } from '../../../../kit/numbers.js'
import { aboutSection, planSection } from '../../../../report/page/about.js'
import { notesList } from '../../../../report/page/frame.js'
import { doubtParts } from '../../../../report/page/generator.js'
import { figuresTable, together, warningsList } from '../../../../report/page/section-parts.js'
import { thresholdsTable } from '../../../../report/page/thresholds.js'
import { latenessPlots } from '../../../../report/plots/lateness.js'
import { responseTimeMaps } from '../../../../report/plots/response-time-map.js'
import { backInWords, deedInWords, lostInWords, timeInWords, whoInWords } from '../fault-words.js'
import { memberCells, OWN_TIME } from '../member-table.js'
import { failuresPlot } from '../plots/failures.js'
import { withFaults } from '../plots/fault-marks.js'
import { percentileCurve } from '../plots/percentile-curve.js'
import { serverPlots } from '../plots/server-load.js'
import { throughputPlot } from '../plots/throughput.js'
import { errorsInWords, MB, MB_IN_USE, MS, pointsInWords, trendInWords } from '../soak-words.js'
import { outcomesTable } from './outcomes.js'

/**
 * @typedef {import('../../../../result/types.js').Trend} Trend
 */

/** @param {string} what @param {Trend | null} trend @param {Parameters<typeof trendInWords>[1]} how */
const row = (what, trend, how) => [
  what,
  trend === null ? '–' : `${significant(trend.median / (how.per ?? 1))} ${how.unit}`,
  trendInWords(trend, how)
]

/**
 * soakTable says what changed over a long run.
 *
 * @param {Result} result
 * @returns {Html | null} null: it was not long
 */
function soakTable({ outcome }) {
  const { soak } = outcome
  if (soak === null) return null
  return html`<p class="quiet">Slopes are Theil–Sen slopes over the medians of stretches of ${spell(soak.stretchMs)}, with their 95 % interval; those of
memory leave out the first third of the run. A figure is said to grow when its whole interval is above 0 and it grew by 2 % or more; what our own processes have in use, just after garbage collections,
by a tenth or more.${pointsInWords(outcome)}</p>
${tableOf(
  {
    headings: ['What', 'Median', 'Over the run'],
    align: ['l', 'r', 'l'],
    rows: [
      row('Memory of the server', soak.serverBytes, MB),
      ...soak.p50Ms.map(({ type, trend }) => row(`p50 of ${type}`, trend, MS)),
      ...soak.ownBytes.flatMap(({ process, trend, inUse }) => [
        row(`Memory of our own ${process}`, trend, MB),
        row('of it in use, at least', inUse, MB_IN_USE)
      ]),
      ['Operations without success', '', `${errorsInWords(soak.errors)} in the thirds of the run`]
    ]
  },
  { label: 'Over the run' }
)}`
}

/**
 * @typedef {import('../../../../result/types.js').Result} Result
 * @typedef {import('../../../../kit/html.js').Html} Html
 */

/**
 * faultTable says what the faults of a run did.
 *
 * @param {Result} result
 * @returns {Html | null} null: there were none
 */
function faultTable({ outcome: { faults } }) {
  if (faults.length === 0) return null
  const rows = faults.map(fault => [
    capital(`${whoInWords(fault)} ${deedInWords(fault)}`),
    timeInWords(fault),
    fault.before === null
      ? MISSING
      : `${significant(fault.before.throughputPerSecond)}/s, ${significant(fault.before.p99Ms)} ms`,
    backInWords(fault, fault.recoveredThroughputMs),
    backInWords(fault, fault.recoveredP99Ms),
    lostInWords(fault),
    fault.registrationsLost === null ? MISSING : grouped(fault.registrationsLost),
    `${grouped(fault.reconnects.dials)} / ${grouped(fault.reconnects.peakPerSecond)}`
  ])
  return html`<p class="quiet">Times are those of the measurement. Throughput is <em>back</em> when it is at 90 % of what it was
before, p99 when it is below twice what it was; both are judged in pieces of a second, and two together.</p>
${tableOf(
  {
    headings: [
      'Fault',
      'When',
      'Before: throughput, p99',
      'Throughput back',
      'p99 back',
      'Operations lost',
      'Registrations lost',
      'Dials again / most in a second'
    ],
    align: ['l', 'l', 'l', 'l', 'l', 'l', 'r', 'r'],
    rows
  },
  { label: 'Faults' }
)}`
}

/** @param {Result} result @returns {Html | null} null: there is one server, and nothing beside it */
function membersTable(result) {
  const table = memberCells(result)
  if (table.rows.length === 0) return null
  return html`<p class="quiet">${OWN_TIME}</p>
${tableOf(table, { label: 'Each server' })}`
}

/** @typedef {import('../../../../report/page/section.js').Section<import('../../../../result/types.js').Result>} Section */

/** RENDEZVOUS_SECTIONS are the parts of the page of a run of the rendezvous scenario. @type {readonly Section[]} */
export const RENDEZVOUS_SECTIONS = [
  { id: 'figures', title: 'Figures', body: figuresTable },
  { id: 'thresholds', title: 'Thresholds', body: thresholdsTable },
  { id: 'warnings', title: 'Warnings', body: warningsList },
  {
    id: 'response-times',
    title: 'Response times',
    body: (result, { draw }) =>
      draw([...percentileCurve(result), ...withFaults(result, responseTimeMaps(result))])
  },
  { id: 'faults', title: 'Faults', body: faultTable },
  {
    id: 'over-time',
    title: 'Throughput and server',
    body: (result, { draw }) => draw(withFaults(result, [...throughputPlot(result), ...serverPlots(result)]))
  },
  { id: 'members', title: 'Each server', body: membersTable },
  { id: 'soak', title: 'Over the run', body: soakTable },
  {
    id: 'outcomes',
    title: 'Outcomes',
    body: async (result, { draw }) =>
      together([outcomesTable(result), await draw(withFaults(result, failuresPlot(result)))])
  },
  {
    id: 'generator',
    title: 'Load generator',
    body: async (result, { view, draw }) =>
      together([
        ...doubtParts(result),
        await draw(latenessPlots(result)),
        notesList(view.notes.references(result))
      ])
  },
  { id: 'plan', title: 'Repeat it', body: planSection },
  { id: 'about', title: 'About this run', body: aboutSection }
]
