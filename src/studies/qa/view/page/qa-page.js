import { html } from '../../../../kit/html.js'
import { tableOf } from '../../../../kit/html-table.js'
import { capital } from '../../../../kit/numbers.js'
import { drawer } from '../../../../kit/plots/drawer.js'
import { loadRenderer } from '../../../../kit/plots/render.js'
import { smallMultiples } from '../../../../kit/plots/small-multiples.js'
import { aboutRuns } from '../../../../report/page/about.js'
import { firstScreen } from '../../../../report/page/first-screen.js'
import { commandSection, framedPage, notesList, section, studyFooter } from '../../../../report/page/frame.js'
import { together } from '../../../../report/page/section-parts.js'
import { bad, good, mind } from '../../../../report/page/verdict.js'
import { cellName, faceOf } from '../../../saturation/view/faces.js'
import { differIn, gridSections } from '../../../saturation/view/page/saturation-page.js'
import { completeness, doubts } from '../../../saturation/view/page/saturation-verdict.js'
import { trialRows } from '../../../saturation/view/page/trial-rows.js'
import { latencyMultiples, MULTIPLES_LEGEND } from '../../../saturation/view/plots/latency-over-time.js'
import { gridAnswer } from '../../../saturation/view/saturation-answer.js'
import { MOST_WORSE, SHARE_POINTS } from '../../result/held-figure.js'
import { trialsOf } from '../../result/qa-document.js'
import { backlogPlots, carriedPlots, machinePlots, zoomPlots } from '../plots/qa-plots.js'
import { qaCommandLine } from '../qa-command-line.js'
import { qaSentences } from '../qa-sentences.js'
import { machineTable, partTable, runTable } from '../qa-tables.js'

/**
 * @typedef {import('../../result/qa-document.js').QaDocument} QaDocument
 * @typedef {import('../../../saturation/trials-study.js').Runs} TrialRuns
 * @typedef {TrialRuns & { viewOf: import('../../../../report/view.js').ViewOf }} Runs
 * @typedef {import('../../../../kit/html.js').Html} Html
 * @typedef {import('../../../../result/types.js').AnyResult} AnyResult
 * @typedef {import('../../../../report/page/verdict.js').Statement} Statement
 */

/** What a page of a run has that is of the run alone. */
const OF_THE_RUN = new Set(['thresholds', 'warnings', 'plan', 'about'])

/** What every run of the page has, and one is enough of. */
const SHOWN_ONCE = new Set(['figures', ...OF_THE_RUN])

/** @param {QaDocument} document @returns {Statement[]} */
function verdictStatements({ held, quick }) {
  const short = quick ? [mind('Quick: its runs are too short to hold releases against each other.')] : []
  if (held === null) return [mind('Result: N/A. This is a baseline: nothing was held against it.'), ...short]
  const text = `Result: ${held.verdict} against ${held.baseline.id}.`
  const tone = { PASS: good, FAIL: bad, UNDECIDED: mind, 'N/A': mind }[held.verdict]
  return [tone(text, 'verdict'), ...short]
}

/**
 * Parts of the page of a run, drawn under names of their own.
 *
 * @param {AnyResult | undefined} result
 * @param {Runs} runs
 * @param {{ id: string, leftOut: ReadonlySet<string> }} how
 * @returns {Promise<(Html | null)[]>}
 */
async function partsOfRun(result, { viewOf }, { id, leftOut }) {
  if (result === undefined) return []
  const view = viewOf(result)
  const { sections } = await view.page()
  const drawn = drawer(loadRenderer)
  const draw = (/** @type {import('../../../../kit/plots/theme.js').Plot[]} */ plots) =>
    drawn(plots.map(plot => ({ ...plot, id: `${id}-${plot.id}` })))
  const parts = []
  for (const { id: name, title, body } of sections) {
    if (leftOut.has(name)) continue
    const content = await body(result, { draw, folder: undefined, view })
    if (content !== null) parts.push(html`<h3>${title}</h3>\n${content}`)
  }
  return parts
}

/** @param {QaDocument} document @param {Runs} runs */
async function examinedSection(document, runs) {
  const { examined, on } = document
  if (examined.cell === null) return null
  const face = faceOf(document)
  const { trials, ...table } = runTable(document)
  const results = examined.trials.flatMap(({ run, name }) => {
    const result = run === null ? undefined : runs.results.get(run)
    return result === undefined ? [] : [{ id: `latency-${name}`, title: name, note: '', result }]
  })
  const draw = drawer(loadRenderer)
  const what = capital(face.what)
  return section(
    'examined',
    `The examined cell: ${cellName(face, examined.cell)}`,
    together([
      trialRows({ ...table, trials }, runs.links, 'Runs of the examined cell'),
      await smallMultiples(loadRenderer, latencyMultiples(/** @type {any} */ (results)), MULTIPLES_LEGEND),
      await draw([
        ...(results.length === 0 ? [] : zoomPlots(results[0].result)),
        ...backlogPlots(examined, what),
        ...carriedPlots(
          results.map(({ title: label, result }) => ({ label, result })),
          { id: 'carried', what: carriedWords(document) }
        ),
        ...machinePlots(examined, on?.machine.cores ?? null)
      ]),
      ...(await partsOfRun(results[0]?.result, runs, { id: 'examined', leftOut: SHOWN_ONCE }))
    ])
  )
}

/** @param {Pick<QaDocument, 'scenario'>} document */
const carriedWords = ({ scenario }) => (scenario === 'gossip' ? 'Deliveries' : 'Operations')

/** @param {QaDocument} document @param {Runs} runs */
async function steadySection(document, runs) {
  const { steady } = document
  const result = steady?.run == null ? undefined : runs.results.get(steady.run)
  if (result === undefined) return null
  const runOf = [{ id: 'latency-steady', title: 'Latency', note: '', result }]
  return section(
    'steady',
    'The steady run',
    together([
      await smallMultiples(loadRenderer, latencyMultiples(/** @type {any} */ (runOf)), MULTIPLES_LEGEND),
      await drawer(loadRenderer)(
        carriedPlots([{ label: 'steady', result }], { id: 'steady-carried', what: carriedWords(document) })
      ),
      ...(await partsOfRun(result, runs, {
        id: 'steady',
        leftOut: new Set([...SHOWN_ONCE, 'response-times', 'times', 'topology'])
      }))
    ])
  )
}

/** @param {QaDocument} document @param {Runs} runs */
async function rotationSection(document, runs) {
  const { rotation } = document
  const result = rotation.run === null ? undefined : runs.results.get(rotation.run)
  const link = rotation.run === null ? undefined : runs.links.get(rotation.run)
  if (result === undefined) return null
  return section(
    'rotation',
    'Some come and go',
    together([
      link === undefined ? null : html`<p><a href="${link}">The page of this run</a></p>\n`,
      await drawer(loadRenderer)(
        carriedPlots([{ label: 'rotation', result }], {
          id: 'rotation-carried',
          what: carriedWords(document)
        })
      ),
      ...(await partsOfRun(result, runs, { id: 'rotation', leftOut: OF_THE_RUN }))
    ])
  )
}

/**
 * qaPage is a quality report as a page: one HTML file that needs neither script nor network.
 *
 * @param {QaDocument} document
 * @param {Runs} runs
 * @returns {Promise<string>}
 */
export async function qaPage(document, runs) {
  const { grid, inTimeMs } = document
  const face = faceOf(document)
  const trials = trialsOf(document)
  const [first] = runs.results.values()
  const { shown, draw } = await firstScreen(gridAnswer(grid, face))
  const rules = `Against a baseline of the same machine and plans: a figure fails where the 90 % interval of its ratio lies above ${MOST_WORSE}, and passes where it lies below; shares may be worse by ${SHARE_POINTS.lower} points, those of deliveries by ${SHARE_POINTS.higher}.`
  return framedPage(
    { what: 'qa', document, on: first?.run },
    {
      ...shown,
      sentences: qaSentences(document),
      statements: [
        ...verdictStatements(document),
        ...completeness(document, trials),
        ...doubts(trials, face)
      ],
      sections: [
        section(
          'verdict',
          'Each part',
          html`${tableOf(partTable(document), { label: 'Verdicts', wrapped: [2] })}${notesList([rules])}`
        ),
        section(
          'machine',
          'Machine and versions',
          tableOf(machineTable(document), { label: 'Machine', wrapped: [1] })
        ),
        ...(await gridSections(grid, runs, { face, draw, inTimeMs })),
        await examinedSection(document, runs),
        await steadySection(document, runs),
        await rotationSection(document, runs),
        commandSection(qaCommandLine(document)),
        aboutRuns(first, differIn(face), runs.view)
      ],
      footer: studyFooter('qa.json', 'docs/qa.md')
    }
  )
}
