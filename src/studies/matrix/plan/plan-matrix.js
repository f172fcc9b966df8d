import { basename } from 'node:path'
import { usableCores } from '../../../kit/control-group.js'
import { camelCase } from '../../../plan/option-text.js'
import { makePlan } from '../../../plan/plan.js'
import { allScenarios } from '../../../scenarios/index.js'
import { pathProblems } from '../../path-problems.js'
import { findResumed } from '../../resumed.js'
import { canFormMesh } from '../formed-mesh.js'
import { matrixDocument } from '../matrix-document.js'
import { MATRIX_DOCUMENT, readRowResults, rowsOf } from '../matrix-folder.js'
import { hasRuns } from '../row-runs.js'
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
  return { previous: 'folder' in previous ? previous : null, problems: [...problems, ...renamed] }
}

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
function requestOf(words, { only, vary, ...own }, flags, { before, scenarios }) {
  const ofPlans = Object.entries(merged(before?.flags, flags))
    .map(([name, value]) => /** @type {const} */ ([camelCase(name), value]))
    .filter(([key]) => isOfPlan(scenarios, key))
  return {
    files: words.length > 0 ? words : (before?.files ?? []),
    flags: Object.fromEntries(ofPlans),
    vary: vary === undefined ? unlessTyped(before?.vary ?? {}, flags) : Object.fromEntries(vary),
    only: only ?? before?.only ?? [],
    scale: own.scale ?? before?.scale ?? 1,
    scaleTime: own.scaleTime ?? before?.scaleTime ?? 1,
    scaleRate: own.scaleRate ?? before?.scaleRate ?? 1,
    ...((own.lowerRate ?? before?.lowerRate) && { lowerRate: true }),
    ...((own.formedMesh ?? before?.formedMesh) && { formedMesh: true }),
    ...((own.runs ?? before?.runs) !== undefined && { runs: own.runs ?? before?.runs })
  }
}

/** What is given anew takes the place of values that varied. @param {MatrixRequest['vary']} vary @param {Record<string, unknown>} flags */
function unlessTyped(vary, flags) {
  const typed = new Set(Object.keys(flags).map(camelCase))
  return Object.fromEntries(Object.entries(vary).filter(([key]) => !typed.has(camelCase(key))))
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

/** @param {MatrixTable[]} tables @param {MatrixRequest} request @returns {Problem[]} */
function lowerRateProblems(tables, { lowerRate = false }) {
  if (!lowerRate) return []
  const rows = tables.flatMap(table => table.rows)
  const refuse = (/** @type {string} */ allowed) => ({ flag: '--lowerRate', value: '', allowed })
  const unpaced = rows.find(({ plan }) => /** @type {any} */ (plan).ratePerSecond == null)
  return [
    ...(rows.some(hasRuns) ? [refuse('needs rows that are run once: leave --runs out')] : []),
    ...(unpaced === undefined
      ? []
      : [refuse(`needs rows with a rate that can be lowered: ${unpaced.id} has none`)])
  ]
}

/** @param {MatrixTable[]} tables @param {MatrixRequest} request @returns {Problem[]} */
function formedMeshProblems(tables, { formedMesh = false }) {
  if (!formedMesh) return []
  const rows = tables.flatMap(table => table.rows)
  const refuse = (/** @type {string} */ allowed) => [{ flag: '--formedMesh', value: '', allowed }]
  if (rows.some(hasRuns)) return refuse('needs rows that are run once: leave --runs out')
  return rows.some(({ plan }) => canFormMesh(plan))
    ? []
    : refuse('needs rows of gossip on real nodes, such as --network loopback')
}

/** @param {MatrixOptions} own @param {Record<string, unknown>} flags @returns {Problem[]} */
const rivals = ({ vary = [] }, flags) =>
  vary
    .filter(([key], place) => key in flags || vary.findIndex(([other]) => other === key) < place)
    .map(([key, values]) => ({
      flag: '--vary',
      value: `${key}=${values}`,
      allowed: `sets --${key} once more: choose one`
    }))

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
  const scenarios = await allScenarios()
  const { own, flags, problems: misread } = await readMatrixOptions(options)
  const { output } = makePlan(scenarios[0], flags)
  const { previous, problems: unresumable } = await findPrevious(own, output.outputDir)
  const request = requestOf(words, own, flags, { before: previous?.document.request, scenarios })
  const { matrices, problems: unreadable } = await loadMatrices(request.files, scenarios)
  const line = {
    flags: merged(previous?.document.request.flags, flags),
    vary: request.vary,
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
    ...rivals(own, flags),
    ...refused,
    ...(whole
      ? [
          ...patternProblems(tables, request.only),
          ...parallelProblems(tables, own),
          ...lowerRateProblems(tables, request),
          ...formedMeshProblems(tables, request)
        ]
      : []),
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
