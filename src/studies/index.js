import { COMPARISON_STUDY } from './comparison/comparison-study.js'
import { MATRIX_STUDY } from './matrix/matrix-study.js'
import { QA_STUDY } from './qa/qa-study.js'
import { SATURATE_STUDY } from './saturation/saturate-study.js'

/** STUDIES are all there are, by what their folders are called. @type {Readonly<Record<import('./folder-kind.js').StudyKind, import('./study-door.js').StudyDoor>>} */
export const STUDIES = {
  matrix: MATRIX_STUDY,
  comparison: COMPARISON_STUDY,
  saturate: SATURATE_STUDY,
  qa: QA_STUDY
}
