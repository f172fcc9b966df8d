import { grouped } from '../../kit/numbers.js'
import { runErrors } from '../run-errors.js'
import { REPORT_PAGE } from '../study-document.js'
import { readableText } from '../study-door.js'
import { LEAST_SECONDS } from './plan/network-load.js'
import { CAPACITY_DOCUMENT } from './result/saturation-document.js'
import { runCapacity } from './run-capacity.js'
import { trialsOfStudy } from './trials-study.js'
import { capacityAnswer } from './view/capacity-sentences.js'
import { capacityText } from './view/capacity-text.js'

/** @typedef {import('./result/saturation-document.js').CapacityDocument} CapacityDocument */

/** @type {readonly import('../study-door.js').StudyView<CapacityDocument, ReadonlyMap<string, import('../../result/types.js').AnyResult>>[]} */
const VIEWS = [
  {
    file: REPORT_PAGE,
    async render(document, results, { links, viewOf }) {
      // with it comes what draws its plots
      const { capacityPage } = await import('./view/page/capacity-page.js')
      return capacityPage(document, { results, links, view: viewOf(document.loads[0].plan) })
    }
  },
  { file: 'capacity.md', render: document => `# ${document.id}\n\n${capacityText(document)}\n` }
]

const FILES = [...VIEWS.map(({ file }) => file), CAPACITY_DOCUMENT.file]

/** CAPACITY_STUDY says how many servers a network needs. @type {import('../study-door.js').StudyDoor<CapacityDocument, ReadonlyMap<string, import('../../result/types.js').AnyResult>>} */
export const CAPACITY_STUDY = {
  ...trialsOfStudy((/** @type {CapacityDocument} */ { loads, search }) => [...loads, ...search.trials]),
  document: CAPACITY_DOCUMENT,
  run: runCapacity,
  shown: ({ loads }) => loads.map(({ plan }) => plan),
  plans: ({ loads }) => loads.map(({ plan }) => plan),
  views: () => VIEWS,
  text: (document, _, folder) => readableText(capacityText(document), folder, FILES),
  verdict: ({ scale, seconds, search }, results) => ({
    ...runErrors(results ?? [], { trial: true }),
    doubtful: scale < 1 || seconds < LEAST_SECONDS || search.found?.generatorBound === true
  }),
  inLine: document => [`capacity: ${grouped(document.network.peers)} peers`, capacityAnswer(document)]
}
