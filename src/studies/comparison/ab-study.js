import { runErrors } from '../run-errors.js'
import { documentText, REPORT_PAGE } from '../study-document.js'
import { compareAb, isFailed, isUndecided } from './ab-comparison.js'
import { AB_DOCUMENT } from './ab-folder.js'
import { comparisonDocument } from './comparison.js'
import { comparisonChecks } from './comparison-checks.js'
import { runAb } from './run-ab.js'
import { sideBySide } from './view/all-figures.js'
import { comparisonPage } from './view/comparison-page.js'

/**
 * @typedef {import('./ab-folder.js').AbDocument} AbDocument
 * @typedef {import('./ab-comparison.js').AbRead} AbRead
 */

/** @type {readonly import('../study-door.js').StudyView<AbDocument, AbRead>[]} */
const VIEWS = [
  {
    file: REPORT_PAGE,
    async render(_, ab, { links, viewOf }) {
      // with it comes what draws its plots
      const { abPage } = await import('./view/page/ab-page.js')
      return abPage(ab, { scenario: viewOf(ab.document.arms.a.plan).scenario, links })
    }
  },
  {
    file: 'comparison.md',
    render: async (_, { comparison, sides }) =>
      `# ${comparison.base.label} against ${comparison.candidate.label}\n\n${comparisonPage(comparison, await sideBySide(sides))}`
  },
  { file: 'comparison.json', render: (_, { comparison }) => documentText(comparisonDocument(comparison)) }
]

/** AB_STUDY runs two plans in turn, and says what differs. @type {import('../study-door.js').StudyDoor<AbDocument, AbRead>} */
export const AB_STUDY = {
  document: AB_DOCUMENT,
  run: runAb,
  shown: ({ arms }) => [arms.a.plan],
  plans: ({ arms }) => [arms.a.plan, arms.b.plan],
  runs: ({ pairs }) => pairs.flatMap(({ a, b }) => [a ?? [], b ?? []].flat()),
  load: (folder, _, find) => compareAb(folder, find),
  views: () => VIEWS,
  text: (_, { comparison }, folder) =>
    `${comparisonPage(comparison)}\n${folder}/   ${VIEWS.map(({ file }) => file).join(' · ')}\n`,
  json: ({ comparison }) => comparisonDocument(comparison),
  verdict: ({ reason }, loaded) => ({
    // a run that a threshold broke off did what was asked for
    brokenOff: reason?.code === 'THRESHOLD_FAILED',
    ...runErrors((loaded?.sides ?? []).flatMap(({ results }) => results.map(result => [result.id, result]))),
    notMet: loaded !== null && isFailed(loaded.comparison),
    undecided: loaded !== null && isUndecided(loaded.comparison)
  }),
  checks: (_, loaded) => (loaded === null ? [] : comparisonChecks(loaded.comparison)),
  inLine: ({ arms, pairs }) => [
    `ab: ${arms.a.label} against ${arms.b.label}`,
    `${pairs.filter(({ a, b }) => a !== null && b !== null).length} of ${pairs.length} pairs`
  ]
}
