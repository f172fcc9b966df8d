import { runErrors } from '../run-errors.js'
import { aboutRuns } from '../study-door.js'
import { describeSaturation, trialsToDescribe } from './describe.js'
import { saturationHeadline } from './headline.js'
import { SATURATION_DOCUMENT } from './result/saturation-document.js'
import { plansAhead, runSaturate } from './run-saturate.js'
import { faceOf } from './saturated.js'
import { saturationCommandLine } from './saturation-command-line.js'
import { isAmber } from './search/estimate.js'
import { trialsOfStudy } from './trials-study.js'

/** @typedef {import('./result/saturation-document.js').SaturationDocument} SaturationDocument */

/** @param {SaturationDocument} document */
const isLimited = ({ grid, search }) =>
  search?.found?.generatorBound === true ||
  search?.found?.closed === false ||
  (search?.found?.estimate != null && isAmber(search.found.estimate)) ||
  (grid?.cells ?? []).some(({ point }) => point?.generatorLimited === true)

/** No load that was tried met the objective. @param {SaturationDocument} document */
const isNotMet = ({ grid, search }) =>
  search?.found?.below === null ||
  (grid !== null && grid.chosen === null && grid.cells.some(({ sustained }) => sustained === false))

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
  describe: (document, results, viewOf) =>
    describeSaturation(document, {
      runs: trialsToDescribe(document).flatMap(({ label, run }) => {
        const result = results.get(run)
        return result === undefined ? [] : [{ label, description: viewOf(result).describeResult(result) }]
      })
    }),
  about: (_, results) => aboutRuns([...results.values()][0]),
  command: saturationCommandLine,
  verdict: (document, results) => ({
    generatorLimited: isLimited(document),
    notMet: isNotMet(document),
    ...runErrors(results ?? [], { trial: true })
  }),
  inLine: document => [
    `saturate ${document.scenario}: ${document.grid === null ? 'search' : `grid of ${document.grid.cells.length} cells`}`,
    saturationHeadline(document, faceOf(document))
  ]
}
