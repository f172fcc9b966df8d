import { basename } from 'node:path'
import { usableCores } from '../../../kit/control-group.js'
import { camelCase } from '../../../plan/option-text.js'
import { makePlan } from '../../../plan/plan.js'
import { REMOVED_OPTIONS } from '../../../plan/removed-options.js'
import { allScenarios } from '../../../scenarios/index.js'
import { withPresets } from '../../../scenarios/presets.js'
import { pathProblems } from '../../path-problems.js'
import { findResumed } from '../../resumed.js'
import { matrixDocument } from '../matrix-document.js'
import { MATRIX_DOCUMENT, readRowResults, rowsOf } from '../matrix-folder.js'
import { expandMatrices } from './matrix.js'
import { loadMatrices } from './matrix-files.js'
import { readMatrixOptions } from './matrix-options.js'
import { matchesRow } from './select-rows.js'

/**
 * @typedef {import('../../../plan/read-options.js').Problem} Problem
 * @typedef {import('./matrix.js').MatrixRow} MatrixRow
 * @typedef {import('./matrix.js').MatrixTable} MatrixTable
 * @typedef {import('../../../result/types.js').AnyResult} AnyResult
 * @typedef {import('../matrix-folder.js').MatrixDocument} MatrixDocument
 * @typedef {import('../matrix-folder.js').MatrixRequest} MatrixRequest
 * @typedef {import('../matrix-document.js').Kept} Kept
 * @typedef {import('./matrix-options.js').MatrixOptions} MatrixOptions
 * @typedef {import('../../../scenarios/scenario.js').Scenario} Scenario
 * @typedef {import('../../../scenarios/index.js').FindScenario} FindScenario
 *
 * @typedef {{ folder: string, document: MatrixDocument }} Previous - the matrix that is resumed
 *
 * @typedef {object} MatrixOwn - of a planned matrix alone
 * @property {Map<string, AnyResult>} loaded - results of rows that are finished, by id
 * @property {number} parallel - so many rows run side by side
 * @property {MatrixOptions} own
 *
 * @typedef {import('../../study-door.js').PlannedStudy<MatrixDocument> & MatrixOwn} PlannedMatrix - its pending rows are to be run
 */

/**
 * @param {MatrixOptions} own
 * @param {string} outputDir
 * @returns {Promise<{ previous: Previous | null, problems: Problem[] }>}
 */
async function findPrevious({ resume, name }, outputDir) {
  if (resume === undefined) return { previous: null, problems: [] }
  const { problems, ...previous } = await findResumed(resume, {
    outputDir,
    name: 'matrix',
    file: MATRIX_DOCUMENT
  })
  const renamed =
    name === undefined
      ? []
      : [{ flag: '--name', value: name, allowed: 'has no use with --resume: the folder has its name' }]
  if (!('folder' in previous)) return { previous: null, problems: [...problems, ...renamed] }
  return { previous, problems: [...problems, ...renamed, ...removedRequests(previous)] }
}

/** Rows of a folder that was asked for what is gone are not those of its files. @param {Previous} previous @returns {Problem[]} */
const removedRequests = ({ folder, document }) =>
  ['formedMesh', 'lowerRate', 'vary']
    .filter(name => {
      const asked = /** @type {Record<string, any>} */ (document.request)[name]
      return asked === true || Object.keys(asked ?? {}).length > 0
    })
    .map(name => ({
      flag: '--resume',
      value: folder,
      allowed: `was asked for with --${name}, which is gone: ${REMOVED_OPTIONS[name].instead}`
    }))

/**
 * @param {Record<string, unknown>} before - by key
 * @param {Record<string, unknown>} flags - as typed; they win
 */
function merged(before = {}, flags) {
  const given = new Set(Object.keys(flags).map(camelCase))
  return { ...Object.fromEntries(Object.entries(before).filter(([key]) => !given.has(key))), ...flags }
}

/** Options of the output, which no scenario has alone, are not kept. @param {readonly Scenario[]} scenarios @param {string} key */
const isOfPlan = (scenarios, key) =>
  scenarios.every(({ options }) => (options[key]?.part ?? 'plan') === 'plan')

/**
 * What is asked for: what the command line says, and for the rest what the resumed matrix was asked for.
 *
 * @param {string[]} words
 * @param {MatrixOptions} own
 * @param {Record<string, unknown>} flags
 * @param {{ before: MatrixRequest | undefined, scenarios: readonly Scenario[] }} more
 * @returns {MatrixRequest}
 */
function requestOf(words, { only, ...own }, flags, { before, scenarios }) {
  const ofPlans = Object.entries(merged(before?.flags, flags))
    .map(([name, value]) => /** @type {const} */ ([camelCase(name), value]))
    .filter(([key]) => isOfPlan(scenarios, key))
  return {
    files: words.length > 0 ? words : (before?.files ?? []),
    flags: Object.fromEntries(ofPlans),
    only: only ?? before?.only ?? [],
    scale: own.scale ?? before?.scale ?? 1,
    scaleTime: own.scaleTime ?? before?.scaleTime ?? 1,
    scaleRate: own.scaleRate ?? before?.scaleRate ?? 1,
    ...((own.runs ?? before?.runs) !== undefined && { runs: own.runs ?? before?.runs })
  }
}

/** @param {MatrixTable[]} tables @param {string[]} only @returns {Problem[]} */
const patternProblems = (tables, only) =>
  only
    .filter(pattern => !tables.some(({ rows }) => rows.some(row => matchesRow(row, pattern))))
    .map(value => ({ flag: '--only', value, allowed: 'matches no row: --list shows them' }))

/** A simulation neither feels what else a machine does nor waits for it. @param {MatrixTable[]} tables */
const areSimulated = tables =>
  tables.every(({ rows }) => rows.every(({ plan }) => 'network' in plan && plan.network === 'simulated'))

/** @param {MatrixTable[]} tables @param {MatrixOptions} own @returns {Problem[]} */
const parallelProblems = (tables, { parallel = 1 }) =>
  parallel === 1 || areSimulated(tables)
    ? []
    : [
        {
          flag: '--parallel',
          value: String(parallel),
          allowed: 'needs rows that are all simulated (--network simulated): others would disturb one another'
        }
      ]

/** @param {Previous | null} previous @param {FindScenario} find */
async function keptRows(previous, find) {
  /** @type {Map<string, Kept>} */
  const kept = new Map()
  if (previous === null) return kept
  for (const record of previous.document.tables.flatMap(({ rows }) => rows)) {
    const results = new Map(await readRowResults(previous.folder, record, find).catch(() => []))
    const result = results.get(record.id)
    if (result !== undefined) kept.set(record.id, { record, result, results })
  }
  return kept
}

/**
 * @param {MatrixTable[]} tables
 * @param {MatrixRequest} request
 * @param {{ previous: Previous | null, now: Date, find: FindScenario }} more
 */
async function documentOf(tables, request, { previous, now, find }) {
  const kept = await keptRows(previous, find)
  const document = matrixDocument({
    id: previous === null ? '' : basename(previous.folder),
    startedAt: previous?.document.startedAt ?? now.toISOString(),
    request,
    tables,
    chosen: row => request.only.length === 0 || request.only.some(pattern => matchesRow(row, pattern)),
    kept
  })
  if (previous?.document.server !== undefined) document.server = previous.document.server
  const results = rowsOf(document).flatMap(({ id, result }) =>
    result === null ? [] : [.../** @type {Kept} */ (kept.get(id)).results]
  )
  return { document, results: new Map(results) }
}

/**
 * planMatrix makes the document of a matrix from the command line and the files it names, or says all that is wrong in
 * them.
 *
 * @param {import('../../study-door.js').Asked} args
 * @param {import('../../study-door.js').Around} surroundings
 * @returns {Promise<{ problems: Problem[] } | { planned: PlannedMatrix, problems?: undefined }>}
 */
export async function planMatrix({ options, words }, { now, findScenario: find }) {
  const scenarios = withPresets(await allScenarios())
  const { own, flags, problems: misread } = await readMatrixOptions(options)
  const { output } = makePlan(scenarios[0], flags)
  const { previous, problems: unresumable } = await findPrevious(own, output.outputDir)
  const request = requestOf(words, own, flags, { before: previous?.document.request, scenarios })
  const { matrices, problems: unreadable } = await loadMatrices(request.files, scenarios)
  const line = {
    flags: merged(previous?.document.request.flags, flags),
    scales: request,
    runs: request.runs,
    scenarios
  }
  const { tables, problems: refused } = expandMatrices(matrices, line)
  const whole = refused.length === 0 && unreadable.length === 0
  const problems = [
    ...misread,
    ...unresumable,
    ...unreadable,
    ...refused,
    ...(whole ? [...patternProblems(tables, request.only), ...parallelProblems(tables, own)] : []),
    ...(await pathProblems(output, find))
  ]
  if (problems.length > 0) return { problems }
  const { document, results: loaded } = await documentOf(tables, request, { previous, now: now(), find })
  const parallel = own.parallel ?? (areSimulated(tables) ? usableCores() : 1)
  const name = `matrix-${own.name ?? nameOf(document)}`
  return { planned: { document, loaded, folder: previous?.folder ?? null, name, parallel, own, output } }
}

/** Named after the only table, or after what its tables share. @param {MatrixDocument} document */
const nameOf = ({ tables }) => (tables.length === 1 ? tables[0].id : tables[0].id.split('-')[0])
