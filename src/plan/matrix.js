import { caseName } from './case-name.js'
import { OPTIONS } from './options.js'
import { makePlan, overlay } from './plan.js'
import { camelCase } from './read-options.js'
import { gatherProblems } from './row-problems.js'

/**
 * @typedef {import('./plan.js').Plan} Plan
 * @typedef {import('./read-options.js').Problem} Problem
 * @typedef {import('./matrix-file.js').MatrixFile} MatrixFile
 * @typedef {import('./matrix-file.js').Figures} Figures
 * @typedef {import('./matrix-file.js').Vary} Vary
 * @typedef {Map<string, unknown>} Options - by key
 *
 * @typedef {object} MatrixRow
 * @property {string} id - `<table>/<name>`; the same as long as the case is
 * @property {string} name - within its table; also names a folder
 * @property {string | null} note
 * @property {Figures | null} reference - published figures of this case
 * @property {Readonly<Plan>} plan
 *
 * @typedef {object} MatrixTable - a matrix file, expanded
 * @property {string} id - the file's name without its ending
 * @property {string} title
 * @property {string} description
 * @property {string | null} source
 * @property {string[]} differences
 * @property {MatrixRow[]} rows
 *
 * @typedef {object} NamedMatrix
 * @property {string} id
 * @property {string} file - as it is called in problems
 * @property {MatrixFile} matrix
 *
 * @typedef {object} CommandLine - what is laid over every row
 * @property {Record<string, unknown>} [flags]
 * @property {Vary} [vary]
 * @property {number} [cores]
 */

/** A published figure stands only beside a plan that agrees with its case in these. */
const CASE = /** @type {const} */ ([
  'benchmarkType',
  'nClients',
  'initialRegistrations',
  'nNamespaces',
  'benchmarkRuns',
  'durationMs',
  'discoverLimit',
  'discoverInexistentNamespaces',
  'registerMode',
  'ratePerSecond',
  'connectionPerOperation'
])

/** @param {Record<string, unknown>} options @returns {Options} */
const byKey = options => new Map(Object.entries(options).map(([name, value]) => [camelCase(name), value]))

/**
 * @param {Map<string, unknown[]>} lists
 * @returns {Options[]} every combination of their values, the last list fastest
 */
const product = lists =>
  [...lists].reduce(
    (combinations, [key, values]) =>
      combinations.flatMap(before => values.map(value => new Map([...before, [key, value]]))),
    [/** @type {Options} */ (new Map())]
  )

/**
 * The layers of each case of a row, the weakest first. What a row says is stronger than a list of its file.
 *
 * @param {MatrixFile} matrix
 * @param {MatrixFile['rows'][number]} row
 */
function layersOf({ defaults, vary }, { name, note, reference, vary: own = {}, ...options }) {
  const row = byKey(options)
  const rowLists = /** @type {Map<string, unknown[]>} */ (byKey(own))
  const fileLists = /** @type {Map<string, unknown[]>} */ (byKey(vary))
  for (const key of [...row.keys(), ...rowLists.keys()]) fileLists.delete(key)
  return product(new Map([...fileLists, ...rowLists])).map(varied => ({
    defaults: byKey(defaults),
    row,
    varied
  }))
}

/** @param {Readonly<Plan> | undefined} published @param {Readonly<Plan>} plan */
const sameCase = (published, plan) =>
  published !== undefined && CASE.every(key => published[key] === plan[key])

/**
 * @param {NamedMatrix} named
 * @param {number} index - of the row
 * @param {CommandLine & { flags: Record<string, unknown>, vary: Vary }} line
 */
function expandRow({ id, file, matrix }, index, { flags, vary, cores }) {
  const { name = null, note = null, reference = null } = matrix.rows[index]
  const label = `${file} row ${index + 1}`
  return layersOf(matrix, matrix.rows[index]).flatMap(layers => {
    const inFile = overlay(overlay(layers.defaults, layers.row), layers.varied)
    const config = { file: label, options: Object.fromEntries(inFile) }
    const { plan: published } = makePlan({}, { config, cores })
    return product(/** @type {Map<string, unknown[]>} */ (byKey(vary))).map(fromLine => {
      const { plan, problems } = makePlan({ ...flags, ...Object.fromEntries(fromLine) }, { config, cores })
      const place = { file, label, layers, varied: fromLine }
      if (plan === undefined) return { place, problems: [...problems, ...outputProblems(label, inFile)] }
      const varied = new Map([...layers.varied, ...fromLine])
      const rowName = caseName(plan, { name, row: layers.row, varied })
      const kept = sameCase(published, plan)
      const row = {
        id: `${id}/${rowName}`,
        name: rowName,
        note: kept ? note : null,
        reference: kept ? reference : null,
        plan
      }
      return { place, row, problems: outputProblems(label, inFile) }
    })
  })
}

/** @param {string} label @param {Options} options @returns {Problem[]} */
const outputProblems = (label, options) =>
  [...options].flatMap(([key, value]) =>
    OPTIONS[key]?.part === 'output'
      ? [{ flag: `${label}: ${key}`, value: String(value), allowed: 'can only be given on the command line' }]
      : []
  )

/**
 * Cases that came out the same are run once.
 *
 * @param {MatrixRow[]} rows
 * @returns {MatrixRow[]}
 */
function withoutDoubles(rows) {
  /** @type {Map<string, MatrixRow>} */
  const byId = new Map()
  for (const row of rows) {
    const first = byId.get(row.id)
    byId.set(
      row.id,
      first === undefined || (first.reference === null && row.reference !== null) ? row : first
    )
  }
  return [...byId.values()]
}

/**
 * Two cases with one name would share a folder.
 *
 * @param {{ row: MatrixRow, label: string }[]} named
 * @returns {Problem[]}
 */
function nameProblems(named) {
  /** @type {Map<string, { row: MatrixRow, label: string }>} */
  const seen = new Map()
  return named.flatMap(({ row, label }) => {
    const first = seen.get(row.id)
    seen.set(row.id, first ?? { row, label })
    if (first === undefined || JSON.stringify(first.row.plan) === JSON.stringify(row.plan)) return []
    return [{ flag: `${label}: name`, value: row.name, allowed: `is also the name of ${first.label}` }]
  })
}

/**
 * expandMatrices makes the plans of matrix files, a row for each case, or names what is wrong in any row of any of them.
 *
 * @param {NamedMatrix[]} matrices
 * @param {CommandLine} line - what the command line lays over every row
 * @returns {{ tables: MatrixTable[], problems: Problem[] }}
 */
export function expandMatrices(matrices, { flags = {}, vary = {}, cores }) {
  const line = { flags, vary, cores }
  const expanded = matrices.map(named => ({
    named,
    cases: named.matrix.rows.flatMap((_, index) => expandRow(named, index, line))
  }))
  const cases = expanded.flatMap(({ cases }) => cases)
  const named = cases.flatMap(({ row, place }) => (row === undefined ? [] : [{ row, label: place.label }]))
  return {
    tables: expanded.map(({ named: { id, matrix }, cases }) => ({
      id,
      title: matrix.title,
      description: matrix.description ?? '',
      source: matrix.source ?? null,
      differences: matrix.differences,
      rows: withoutDoubles(cases.flatMap(({ row }) => (row === undefined ? [] : [row])))
    })),
    problems: [...gatherProblems(cases), ...nameProblems(named)]
  }
}
