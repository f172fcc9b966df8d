import { join } from 'node:path'
import { ResultFileError, readResult } from '../../result/read-result.js'
import { DOCUMENTS, folderKind } from '../folder-kind.js'
import { QA_STUDY } from '../qa/qa-study.js'
import { measuredCells } from '../saturation/result/measured-cells.js'
import { SATURATE_STUDY } from '../saturation/saturate-study.js'
import { faceOf } from '../saturation/saturated.js'

/**
 * @typedef {import('../../result/types.js').AnyResult} AnyResult
 * @typedef {import('../../result/types.js').Percentile} Percentile
 * @typedef {import('../saturation/result/trial.js').AnyTrial} AnyTrial
 * @typedef {import('../../scenarios/index.js').FindScenario} FindScenario
 *
 * @typedef {object} LoadSeen - what came of a load
 * @property {number} size - connections, or nodes
 * @property {number} perSecond - that was offered
 * @property {number} load - that cells are put in order by
 * @property {number} throughput - per second
 * @property {Percentile | null} p50
 * @property {Percentile | null} p99 - null: of too few
 * @property {boolean} beyond - it was not carried
 *
 * @typedef {object} Release - a study that tried loads, held against others
 * @property {string} label - its folder, as it was given
 * @property {string} id
 * @property {string} startedAt
 * @property {string} scenario
 * @property {Record<string, unknown>} options - of its plans
 * @property {string} answer - in a sentence
 * @property {LoadSeen[]} loads
 * @property {import('../../measure/slope-change.js').SlopeChange | null} rotationSlope - of a quality report, where what was carried while some came and went changed
 * @property {string | null} rotationCame
 * @property {number} rotationSeconds
 * @property {{ examined: AnyResult | null, rotation: AnyResult | null }} runs - of a quality report, where they can be read
 */

/** Studies that tried loads, which are laid over one another. */
const STUDIES = { saturate: SATURATE_STUDY, qa: QA_STUDY }

/** @param {string | null} kind @returns {kind is keyof typeof STUDIES} */
const triesLoads = kind => kind !== null && Object.hasOwn(STUDIES, kind)

/**
 * areLoads says whether folders are of studies that tried loads.
 *
 * @param {readonly string[]} folders
 */
export async function areLoads(folders) {
  const kinds = await Promise.all(folders.map(folder => folderKind(folder).catch(() => null)))
  return folders.length > 1 && kinds.every(triesLoads)
}

/** @param {'saturate' | 'qa'} kind @param {any} document @returns {AnyTrial[]} */
function trialsOf(kind, document) {
  if (kind === 'qa') return document.grid.cells
  return document.grid?.cells ?? document.search?.trials ?? []
}

/** @param {AnyTrial} trial @param {import('../../scenarios/saturation.js').Face} face @returns {LoadSeen[]} */
const loadSeen = (trial, face) =>
  measuredCells([trial]).map(({ size, load, beyond, point }) => ({
    ...{ size, perSecond: trial.perSecond, load, beyond },
    throughput: face.throughputOf(point),
    p50: point.rt.p50 ?? null,
    p99: point.rt.p99 ?? null
  }))

/** @param {string} folder @param {string | null | undefined} run @param {FindScenario} find */
const resultOf = (folder, run, find) =>
  run == null ? null : readResult(join(folder, run), find).catch(() => null)

/**
 * readRelease reads a study that tried loads.
 *
 * @param {string} folder
 * @param {FindScenario} find
 * @returns {Promise<Release>}
 * @throws {ResultFileError}
 */
export async function readRelease(folder, find) {
  const kind = await folderKind(folder)
  if (!triesLoads(kind)) throw new ResultFileError(folder, 'holds no loads that were tried')
  const { file, read } = DOCUMENTS[kind]
  const document = /** @type {any} */ (await read(folder))
  if (document === null) throw new ResultFileError(folder, `holds no ${file} that can be read`)
  const { scenario = 'rendezvous', options = {}, id, startedAt, rotation = null, examined = null } = document
  const face = faceOf({ scenario, options })
  return {
    ...{ label: folder.replace(/\/+$/, ''), id, startedAt, scenario, options },
    answer: /** @type {any} */ (STUDIES[kind]).inLine({ ...document, held: null })[1],
    loads: trialsOf(kind, document).flatMap(trial => loadSeen(trial, face)),
    rotationSlope: rotation?.slope ?? null,
    rotationCame: rotation?.came ?? null,
    rotationSeconds: (rotation?.plan?.durationMs ?? 0) / 1000,
    runs: {
      examined: await resultOf(folder, examined?.trials[0]?.run, find),
      rotation: await resultOf(folder, rotation?.run, find)
    }
  }
}
