// Turns the command line of `matrix` into its document: options, matrix files, chosen rows, folder to resume. Lists all
// problems.

import { readdir, stat } from 'node:fs/promises'
import { basename, dirname, extname, join, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import { minimatch } from 'minimatch'
import { isMapping, readYamlFile } from '../../kit/files.js'
import { countUsableCores } from '../../kit/linux.js'
import { parseDecimal } from '../../kit/numbers.js'
import { findNearWord } from '../../kit/option-problems.js'
import {
  describeRefusedOptions,
  listUsableOptions,
  makeCommandOptions,
  REMOVED_OPTIONS,
  toCamelCase
} from '../../plan/options.js'
import { makePlan, parseCommandOptions, removeMisplacedOptions, splitOptions } from '../../plan/plan.js'
import { wholeNumber, yesOrNo } from '../../plan/values.js'
import { findOutputProblems } from '../../report/run-report.js'
import { loadAllScenarios, loadDefaultScenario } from '../../scenarios/index.js'
import { addPresets } from '../../scenarios/presets.js'
import { findStudyToResume } from '../study-folders.js'
import { listRows, MATRIX_DOCUMENT, makeMatrixDocument, readRowResults } from './matrix-document.js'
import { expandMatrices, isRunCount, RUNS_ALLOWED, readMatrixFile } from './matrix-file.js'

/**
 * @typedef {import('../../plan/plan.js').Problem} Problem
 *
 * @typedef {import('../../plan/matrix-case.js').Scales & OwnOptions} MatrixOptions - of the command itself; undefined: not given
 *
 * @typedef {object} OwnOptions
 * @property {string[]} [only]
 * @property {string | true} [resume] - true: the latest matrix folder
 * @property {string} [name]
 * @property {boolean} [keepGoing]
 * @property {boolean} [compact]
 * @property {boolean} [list]
 * @property {number} [parallel]
 * @property {number} [runs]
 */

const GROUP = 'The matrix:'

/**
 * An option that can be given several times.
 *
 * @param {string} allowed
 * @param {(text: string) => unknown} read - of one value; undefined: it is not allowed
 * @returns {import('../../plan/values.js').OptionValueKind}
 */
const repeatable = (allowed, read) => ({
  allowed,
  schema: z => z.array(z.unknown()),
  item(raw) {
    const value = typeof raw === 'string' ? read(raw) : undefined
    return value === undefined ? { allowed } : { value }
  }
})

/** An option that scales what rows ask for. @returns {{ group: string } & import('../../plan/values.js').OptionValueKind} */
const share = () => ({
  group: GROUP,
  allowed: 'must be a number above 0 and up to 1, such as 0.1',
  schema: z => z.preprocess(value => parseDecimal(String(value)), z.number().positive().max(1))
})

/** @type {Readonly<Record<string, import('../../plan/options.js').Option>>} */
const COMMAND_OPTIONS = {
  only: {
    common: true,
    group: GROUP,
    ...repeatable(
      "must be a pattern for rows, such as '*-r100000-*' or 'rendezvous-register/*'",
      text => text || undefined
    ),
    describe: 'run only rows matching this glob (id, name, table); can be repeated'
  },
  scale: {
    common: true,
    ...share(),
    describe: "share of each row's operations and time to run; clients or nodes stay"
  },
  scaleTime: {
    family: 'scale',
    member: 'time',
    ...share(),
    describe: "share of each row's time, without changing its operations"
  },
  scaleRate: {
    family: 'scale',
    member: 'rate',
    ...share(),
    describe: "share of each row's rate (own intervals of nodes lengthen accordingly)"
  },
  keepGoing: { group: GROUP, ...yesOrNo(), describe: 'continue after a row that fails' },
  resume: {
    common: true,
    group: GROUP,
    allowed: 'must name the folder of a matrix, or nothing for the latest one',
    schema: z =>
      z.preprocess(value => (value === '' ? true : value), z.union([z.literal(true), z.string().min(1)])),
    describe: 'continue in this matrix folder or the latest; finished rows are not repeated'
  },
  parallel: {
    common: true,
    group: GROUP,
    defaultText: 'cores, where all rows are simulated; else 1',
    ...wholeNumber(1, 64),
    describe: 'rows to run side by side; real networks would disturb each other'
  },
  runs: {
    common: true,
    group: GROUP,
    allowed: RUNS_ALLOWED,
    schema: z => z.preprocess(value => parseDecimal(String(value)), z.number().refine(isRunCount)),
    defaultText: 'as the files say; else 1',
    describe:
      'runs of each row, in shuffled order; merged (gossip: the median), with minimum and maximum. Runs under pressure are repeated'
  },
  list: { group: GROUP, ...yesOrNo(), describe: 'print the rows with an estimate; run nothing' },
  name: {
    group: GROUP,
    allowed: 'must be of letters, digits and . _ - only',
    schema: z => z.string().regex(/^[\w.-]+$/),
    describe: 'suffix of the folder name'
  },
  compact: {
    group: GROUP,
    ...yesOrNo(),
    describe: 'keep results small; omit data only for plots over time'
  }
}

const planOptions = async () => makeCommandOptions('matrix', (await loadDefaultScenario()).options)

/** listMatrixOptions are those of the matrix command with those of every plan. */
export const listMatrixOptions = async () => ({
  ...COMMAND_OPTIONS,
  ...listUsableOptions(await planOptions()),
  ...COMMAND_OPTIONS
})

/**
 * readMatrixOptions separates the options of the command from those of the plans, and reads the options of the command.
 *
 * @param {Record<string, unknown>} options - as typed
 * @returns {Promise<{ own: MatrixOptions, flags: Record<string, unknown>, problems: Problem[] }>}
 */
export async function readMatrixOptions(options) {
  const { runs, ...refused } = describeRefusedOptions(await planOptions())
  const { remaining, problems: misplaced } = removeMisplacedOptions(refused, options)
  const { mine, others: flags } = splitOptions(COMMAND_OPTIONS, remaining)
  const { own, problems } = parseCommandOptions(COMMAND_OPTIONS, mine)
  return { own, flags, problems: [...misplaced, ...problems] }
}

/**
 * @typedef {import('./matrix-file.js').NamedMatrix} NamedMatrix
 * @typedef {import('../../scenarios/index.js').Scenario} Scenario
 * @typedef {{ matrix?: NamedMatrix, problems: Problem[] }} Loaded
 */

/** This file lists plans for both networks; it is no matrix. */
const CASES = 'validation-cases'

/** The matrices of the source document, which are run when no file is named. */
async function sourceMatrices() {
  const names = await listShippedMatrices()
  const ours = names.filter(name => /^rendezvous-(register|discover)/.test(name))
  const isRegister = (/** @type {string} */ name) => Number(name.includes('register'))
  // REGISTER first, as in the source
  return ours.sort((a, b) => isRegister(b) - isRegister(a)).map(name => join(SHIPPED, `${name}.yaml`))
}

/** The problem with a word that names no file and no matrix. @param {string} word */
async function noMatrix(word) {
  const names = (await listShippedMatrices()).filter(name => name !== CASES)
  const near = findNearWord(word, names)
  const hint =
    near === null ? `. Those that come with this program: ${names.join(', ')}` : `; did you mean ${near}?`
  return `is neither a file nor the name of a matrix${hint}`
}

/**
 * Reads the file that a matrix file includes, and merges the two.
 *
 * @param {Record<string, unknown>} content
 * @param {string} path
 * @returns {Promise<{ document: Record<string, unknown>, problem?: undefined } | { problem: Problem, document?: undefined }>}
 */
async function withIncluded({ include, ...own }, path) {
  if (include === undefined) return { document: own }
  const refuse = (/** @type {string} */ allowed) => ({
    problem: { flag: `${basename(path)}: include`, value: String(include), allowed }
  })
  const { problem, ...file } = await readYamlFile(resolve(dirname(path), String(include)))
  if (!('content' in file)) return refuse(problem ?? '')
  const { content } = file
  if (!isMapping(content)) return refuse('must be a mapping, as a matrix file is')
  const lists = [content, own].map(({ differences }) => differences ?? [])
  const differences = lists.every(Array.isArray) ? { differences: lists.flat() } : {}
  const options = [content, own].map(({ defaults }) => defaults ?? {})
  const defaults = options.every(isMapping) ? { defaults: Object.assign({}, ...options) } : {}
  return { document: { ...content, ...own, ...differences, ...defaults } }
}

/** @param {string} word @param {readonly Scenario[]} scenarios @returns {Promise<Loaded>} */
async function load(word, scenarios) {
  const path = await shippedFile(word)
  const file = basename(path)
  const { problem = '', ...read } = await readYamlFile(path)
  if (!('content' in read)) {
    const allowed = isName(word) && problem === 'does not exist' ? await noMatrix(word) : problem
    return { problems: [{ flag: word, value: '', allowed }] }
  }
  if (!isMapping(read.content))
    return { problems: [{ flag: path, value: '', allowed: 'must be a matrix file, with title and rows' }] }
  const included = await withIncluded(read.content, path)
  if (included.problem !== undefined) return { problems: [included.problem] }
  const { matrix, problems = [] } = readMatrixFile(file, included.document, scenarios)
  return matrix === undefined
    ? { problems }
    : { matrix: { id: basename(path, extname(path)), file, matrix }, problems }
}

/**
 * loadMatrices reads matrix files.
 *
 * @param {string[]} paths - or names of those that come with the program; none: those of the source document
 * @param {readonly Scenario[]} scenarios - that matrices can be made of
 * @returns {Promise<{ matrices: NamedMatrix[], problems: Problem[] }>}
 */
export async function loadMatrices(paths, scenarios) {
  const files = paths.length > 0 ? paths : await sourceMatrices()
  const loaded = await Promise.all(files.map(file => load(file, scenarios)))
  const matrices = loaded.flatMap(({ matrix }) => matrix ?? [])
  const doubles = matrices.filter(({ id }, place) => matrices.findIndex(other => other.id === id) < place)
  return {
    matrices,
    problems: [
      ...loaded.flatMap(({ problems }) => problems),
      ...doubles.map(({ file }) => ({
        flag: file,
        value: '',
        allowed: 'is the name of two of the files: rename one'
      }))
    ]
  }
}

/** @typedef {import('./matrix-file.js').MatrixRow} MatrixRow */

/**
 * matchesRow says whether a pattern matches the id of a row, its name, or the name of its table.
 *
 * @param {MatrixRow} row
 * @param {string} pattern - a glob; `*` does not reach over the slash of an id
 * @returns {boolean}
 */
export const matchesRow = ({ id, name }, pattern) =>
  [id, name, id.slice(0, -name.length - 1)].some(text =>
    minimatch(text, pattern, { nocomment: true, nonegate: true })
  )

/** The folder of the matrix files that come with the program. */
const SHIPPED = fileURLToPath(new URL('../../../benchmarks', import.meta.url))

const EXTENSION = '.yaml'

/** A name, with or without its extension, and no path. @param {string} word */
const isName = word => /^[\w-]+(\.yaml)?$/.test(word)

/** @param {string} path */
const isThere = path =>
  stat(path).then(
    stats => !stats.isDirectory(),
    () => false
  )

/**
 * The path of the matrix file that a word of the command line names: a file, else one that comes with the program.
 *
 * @param {string} word - `mine.yaml`, `smoke`
 * @returns {Promise<string>} its path
 */
async function shippedFile(word) {
  if (!isName(word) || (await isThere(word))) return word
  const path = join(SHIPPED, `${basename(word, EXTENSION)}${EXTENSION}`)
  return (await isThere(path)) ? path : word
}

/** listShippedMatrices lists the matrices that come with the program, in order. */
export const listShippedMatrices = async () =>
  (await readdir(SHIPPED))
    .filter(file => extname(file) === EXTENSION)
    .map(file => basename(file, EXTENSION))
    .sort((a, b) => a.localeCompare(b, 'en', { numeric: true }))

/**
 * @typedef {import('./matrix-file.js').MatrixTable} MatrixTable
 * @typedef {import('../../scenarios/index.js').AnyResult} AnyResult
 * @typedef {import('./matrix-document.js').MatrixDocument} MatrixDocument
 * @typedef {import('./matrix-document.js').MatrixRequest} MatrixRequest
 * @typedef {import('./matrix-document.js').StoredRow} StoredRow
 * @typedef {import('../../scenarios/index.js').LoadScenario} LoadScenario
 *
 * @typedef {{ folder: string, document: MatrixDocument }} Previous - the matrix that is resumed
 *
 * @typedef {object} MatrixOwn - of a planned matrix alone
 * @property {Map<string, AnyResult>} loaded - results of rows that are finished, by id
 * @property {number} parallel - so many rows run side by side
 * @property {MatrixOptions} own
 *
 * @typedef {import('../study-views.js').PlannedStudy<MatrixDocument> & MatrixOwn} PlannedMatrix - its pending rows are to be run
 */

/**
 * @param {MatrixOptions} own
 * @param {string} outputDir
 * @returns {Promise<{ previous: Previous | null, problems: Problem[] }>}
 */
async function findPrevious({ resume, name }, outputDir) {
  if (resume === undefined) return { previous: null, problems: [] }
  const { problems, ...previous } = await findStudyToResume(resume, {
    outputDir,
    name: 'matrix',
    file: MATRIX_DOCUMENT
  })
  const allowed = 'does not apply with --resume: the folder has its name'
  const all = [...problems, ...(name === undefined ? [] : [{ flag: '--name', value: name, allowed }])]
  if (!('folder' in previous)) return { previous: null, problems: all }
  return { previous, problems: [...all, ...removedRequests(previous)] }
}

/** A folder made with an option that no longer exists cannot be resumed: its rows are not those of its files. @param {Previous} previous @returns {Problem[]} */
const removedRequests = ({ folder, document }) =>
  ['formedMesh', 'lowerRate', 'vary']
    .filter(name => {
      const request = /** @type {Record<string, any>} */ (document.request)[name]
      return request === true || Object.keys(request ?? {}).length > 0
    })
    .map(name => ({
      flag: '--resume',
      value: folder,
      allowed: `was made with --${name}, which was removed: ${REMOVED_OPTIONS[name].instead}`
    }))

/**
 * mergeTypedOptions merges options with those that were typed.
 *
 * @param {Record<string, unknown>} before - by key
 * @param {Record<string, unknown>} flags - as typed; they win
 */
export function mergeTypedOptions(before = {}, flags) {
  const typed = new Set(Object.keys(flags).map(toCamelCase))
  return { ...Object.fromEntries(Object.entries(before).filter(([key]) => !typed.has(key))), ...flags }
}

/**
 * The request: the options of the command line, and for options not given those of the resumed matrix.
 *
 * @param {string[]} words
 * @param {MatrixOptions} own
 * @param {Record<string, unknown>} flags
 * @param {{ before: MatrixRequest | undefined, scenarios: readonly Scenario[] }} more
 * @returns {MatrixRequest}
 */
function requestOf(words, { only, ...own }, flags, { before, scenarios }) {
  // options of the output are not stored
  const ofPlans = Object.entries(mergeTypedOptions(before?.flags, flags))
    .map(([name, value]) => /** @type {const} */ ([toCamelCase(name), value]))
    .filter(([key]) => scenarios.every(({ options }) => (options[key]?.part ?? 'plan') === 'plan'))
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

/** Simulated rows can run side by side: other work of the machine does not change their results. @param {MatrixTable[]} tables */
const areSimulated = tables =>
  tables.every(({ rows }) => rows.every(({ plan }) => 'network' in plan && plan.network === 'simulated'))

/** @param {MatrixTable[]} tables @param {MatrixOptions} own @returns {Problem[]} */
function parallelProblems(tables, { parallel = 1 }) {
  if (parallel === 1 || areSimulated(tables)) return []
  const allowed = 'needs rows that are all simulated (--network simulated): others would disturb one another'
  return [{ flag: '--parallel', value: String(parallel), allowed }]
}

/** @param {Previous | null} previous @param {LoadScenario} find */
async function readPreviousRows(previous, find) {
  /** @type {Map<string, StoredRow>} */
  const stored = new Map()
  if (previous === null) return stored
  for (const record of previous.document.tables.flatMap(({ rows }) => rows)) {
    const results = new Map(await readRowResults(previous.folder, record, find).catch(() => []))
    const result = results.get(record.id)
    if (result !== undefined) stored.set(record.id, { record, result, results })
  }
  return stored
}

/**
 * @param {MatrixTable[]} tables
 * @param {MatrixRequest} request
 * @param {{ previous: Previous | null, now: Date, find: LoadScenario }} more
 */
async function documentOf(tables, request, { previous, now, find }) {
  const previousRows = await readPreviousRows(previous, find)
  const document = makeMatrixDocument({
    id: previous === null ? '' : basename(previous.folder),
    startedAt: previous?.document.startedAt ?? now.toISOString(),
    request,
    tables,
    chosen: row => request.only.length === 0 || request.only.some(pattern => matchesRow(row, pattern)),
    previousRows
  })
  if (previous?.document.server !== undefined) document.server = previous.document.server
  const results = listRows(document).flatMap(({ id, result }) =>
    result === null ? [] : [.../** @type {StoredRow} */ (previousRows.get(id)).results]
  )
  return { document, results: new Map(results) }
}

/**
 * planMatrix makes the document of a matrix from the command line and the files that it names, or finds all their problems.
 *
 * @param {import('../study-views.js').StudyArguments} args
 * @param {import('../study-views.js').PlanningContext} context
 * @returns {Promise<{ problems: Problem[] } | { planned: PlannedMatrix, problems?: undefined }>}
 */
export async function planMatrix({ options, words }, { now, findScenario: find }) {
  const scenarios = addPresets(await loadAllScenarios())
  const { own, flags, problems: misread } = await readMatrixOptions(options)
  const { output } = makePlan(scenarios[0], flags)
  const { previous, problems: unresumable } = await findPrevious(own, output.outputDir)
  const request = requestOf(words, own, flags, { before: previous?.document.request, scenarios })
  const { matrices, problems: unreadable } = await loadMatrices(request.files, scenarios)
  const line = {
    flags: mergeTypedOptions(previous?.document.request.flags, flags),
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
    ...(await findOutputProblems(output))
  ]
  if (problems.length > 0) return { problems }
  const { document, results: loaded } = await documentOf(tables, request, { previous, now: now(), find })
  const parallel = own.parallel ?? (areSimulated(tables) ? countUsableCores() : 1)
  const [{ id }, ...otherTables] = document.tables
  const name = `matrix-${own.name ?? (otherTables.length === 0 ? id : id.split('-')[0])}`
  return { planned: { document, loaded, folder: previous?.folder ?? null, name, parallel, own, output } }
}
