import { runErrors } from '../run-errors.js'
import { REPORT_PAGE } from '../study-document.js'
import { markdownReport, readableText } from '../study-door.js'
import { SATURATION_DOCUMENT } from './result/saturation-document.js'
import { plansAhead, runSaturate } from './run-saturate.js'
import { isAmber } from './search/estimate.js'
import { trialsOfStudy } from './trials-study.js'
import { saturationCommandLine } from './view/saturation-command-line.js'
import { saturationSentences } from './view/saturation-sentences.js'
import { saturationText } from './view/saturation-text.js'

/** @typedef {import('./result/saturation-document.js').SaturationDocument} SaturationDocument */

/** @type {readonly import('../study-door.js').StudyView<SaturationDocument, ReadonlyMap<string, import('../../result/types.js').AnyResult>>[]} */
const VIEWS = [
  {
    file: REPORT_PAGE,
    async render(document, results, { links, viewOf }) {
      // with it comes what draws its plots
      const { saturationPage } = await import('./view/page/saturation-page.js')
      return saturationPage(document, { results, links, view: viewOf(document) })
    }
  },
  {
    file: 'saturate.md',
    render: document =>
      markdownReport(document, saturationText(document), {
        docs: 'docs/saturation.md',
        command: saturationCommandLine(document)
      })
  }
]

const FILES = [...VIEWS.map(({ file }) => file), SATURATION_DOCUMENT.file]

/** @param {SaturationDocument} document */
const isDoubtful = ({ grid, search }) =>
  search?.found?.generatorBound === true ||
  search?.found?.closed === false ||
  (search?.found?.estimate != null && isAmber(search.found.estimate)) ||
  (grid?.cells ?? []).some(({ point }) => point?.doubtful === true)

/** SATURATE_STUDY finds how much load is carried. @type {import('../study-door.js').StudyDoor<SaturationDocument, ReadonlyMap<string, import('../../result/types.js').AnyResult>>} */
export const SATURATE_STUDY = {
  ...trialsOfStudy(
    (/** @type {SaturationDocument} */ { grid, search }) => grid?.cells ?? search?.trials ?? []
  ),
  document: SATURATION_DOCUMENT,
  run: runSaturate,
  shown: document => [document],
  plans: plansAhead,
  grows: ({ search }) => search !== null,
  views: () => VIEWS,
  text: (document, _, folder) => readableText(saturationText(document), folder, FILES),
  verdict: (document, results) => ({
    doubtful: isDoubtful(document),
    ...runErrors(results ?? [], { trial: true })
  }),
  inLine: document => [
    `saturate ${document.scenario}: ${document.grid === null ? 'search' : `grid of ${document.grid.cells.length} cells`}`,
    saturationSentences(document)[0]
  ]
}
