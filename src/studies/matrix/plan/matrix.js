import { isDeepStrictEqual } from 'node:util'
import { differInStack } from '../../../libp2p/stacks.js'
import { caseName } from '../../../plan/case-name.js'
import { camelCase } from '../../../plan/option-text.js'
import { makePlan, overlay } from '../../../plan/plan.js'
import { scalePlan } from '../../../plan/scale.js'
import { schemaOf } from '../../../plan/schema-of.js'
import { wordOf } from '../../../scenarios/presets.js'

/**
 * @typedef {import('../../../plan/read-options.js').Problem} Problem
 * @typedef {Map<string, unknown>} Options - by key
 *
 * @typedef {object} Place - where a case comes from
 * @property {string} file
 * @property {string} label - file and row
 * @property {{ defaults: Options, row: Options, varied: Options }} layers
 *
 * @typedef {{ place: Place, problems: Problem[] }} Refused
 */

const ROWS_NAMED = 3

/**
 * Says where the option of a problem was given: the command line, the defaults of the file, or the row.
 *
 * @param {string} flag - as makePlan names it
 * @param {Place} place
 * @returns {{ flag: string, scope: 'row' | 'file' | 'all' }}
 */
function origin(flag, { file, label, layers }) {
  const prefix = `${label}: `
  if (!flag.startsWith(prefix)) {
    return { flag, scope: 'all' }
  }
  const key = flag.slice(prefix.length)
  const inRow = layers.row.has(key) || layers.varied.has(key)
  return inRow ? { flag, scope: 'row' } : { flag: `${file} defaults: ${key}`, scope: 'file' }
}

/** @param {string[]} labels */
function listed(labels) {
  const more = labels.length - ROWS_NAMED
  return [...labels.slice(0, ROWS_NAMED), ...(more > 0 ? [`${more} more`] : [])].join(', ')
}

/**
 * gatherProblems names every problem of all cases once: with its row, or with the rows that have it where it comes from
 * the defaults of a file or the command line and not all rows have it.
 *
 * @param {Refused[]} cases - all of them, also those without a problem
 * @returns {Problem[]}
 */
function gatherProblems(cases) {
  /** @type {Map<string, { problem: Problem, labels: Set<string>, among: Set<string> }>} */
  const found = new Map()
  /** @param {(place: Place) => boolean} belongs */
  const labelsOf = belongs =>
    new Set(cases.filter(({ place }) => belongs(place)).map(({ place }) => place.label))
  for (const { place, problems } of cases) {
    for (const { flag: named, value, allowed } of problems) {
      const { flag, scope } = origin(named, place)
      const key = JSON.stringify([flag, value, allowed])
      const among =
        found.get(key)?.among ??
        (scope === 'row'
          ? new Set([place.label])
          : labelsOf(({ file }) => scope === 'all' || file === place.file))
      const labels = found.get(key)?.labels ?? new Set()
      found.set(key, { problem: { flag, value, allowed }, labels: labels.add(place.label), among })
    }
  }
  return [...found.values()].map(({ problem, labels, among }) =>
    labels.size === among.size
      ? problem
      : { ...problem, allowed: `${problem.allowed} (${listed([...labels])})` }
  )
}

/**
 * @typedef {import('../../../plan/plan.js').AnyPlan} AnyPlan
 * @typedef {import('../../../plan/plan.js').ScenarioName} ScenarioName
 * @typedef {import('../../../scenarios/scenario.js').Scenario} Scenario
 * @typedef {import('./matrix-file.js').MatrixFile} MatrixFile
 * @typedef {import('./matrix-file.js').AnyFigures} AnyFigures
 * @typedef {import('../../../plan/scale.js').Scales} Scales
 *
 * @typedef {object} MatrixRow
 * @property {string} id - `<table>/<name>`; the same as long as the case is
 * @property {string} name - within its table; also names a folder
 * @property {string | null} note
 * @property {AnyFigures | null} reference - published figures of this case
 * @property {AtAnotherRate | null} atAnotherRate - published figures of a case that differs from this one in nothing but its rate
 * @property {Readonly<AnyPlan>} plan
 * @property {Record<string, unknown>} unscaled - what the plan would have that was scaled
 * @property {string | null} blocked - why the row cannot be run here; null: it can
 * @property {number} [runs] - it is run so often; default: once
 *
 * @typedef {{ reference: AnyFigures, ratePerSecond: number | null, intervalMs: { min: number, max: number } }} AtAnotherRate
 *
 * @typedef {object} MatrixTable - a matrix file, expanded
 * @property {string} id - the file's name without its ending
 * @property {ScenarioName} scenario
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
 * @property {Scales} [scales]
 * @property {number} [runs] - of each row, before what files say
 * @property {number} [cores]
 * @property {readonly Scenario[]} scenarios - that matrices can be made of
 */

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
function layersOf({ defaults, vary }, { name, note, reference, needs, runs, vary: own = {}, ...options }) {
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

/**
 * A published figure stands only beside a plan that agrees with its case. One of a case at another rate stands apart.
 *
 * @param {Scenario} scenario
 * @param {Readonly<AnyPlan> | undefined} published
 * @param {Readonly<AnyPlan>} plan
 * @param {{ reference?: AnyFigures, note?: string }} said - of the case
 * @returns {Pick<MatrixRow, 'reference' | 'atAnotherRate' | 'note'>}
 */
function besidePlan(scenario, published, plan, { reference = undefined, note = undefined }) {
  const theirs = /** @type {Record<string, any>} */ (published ?? {})
  const ours = /** @type {Record<string, any>} */ (plan)
  const keys = scenario.case ?? []
  const others = keys.filter(key => published === undefined || !isDeepStrictEqual(theirs[key], ours[key]))
  if (others.length === 0) return { reference: reference ?? null, atAnotherRate: null, note: note ?? null }
  if (others.some(key => !scenario.rates?.includes(key)))
    return { reference: null, atAnotherRate: null, note: null }
  const { ratePerSecond, intervalMs } = theirs
  const atAnotherRate = reference === undefined ? null : { reference, ratePerSecond, intervalMs }
  return { reference: null, atAnotherRate, note: note ?? null }
}

/**
 * A row that needs a network has it, as soon as there is one.
 *
 * @param {Scenario} scenario
 * @param {string | null} needs
 * @returns {Options}
 */
function neededNetwork(scenario, needs) {
  const { network } = scenario.options
  const exists = needs !== null && network !== undefined && schemaOf(network).safeParse(needs).success
  return new Map(exists ? [['network', needs]] : [])
}

/** What a plan had before it was scaled. @param {object} before @param {Record<string, any>} after */
const scaledAway = (before, after) =>
  Object.fromEntries(Object.entries(before).filter(([key, value]) => !isDeepStrictEqual(value, after[key])))

/**
 * A lower rate makes another case; less time does not.
 *
 * @param {Scenario} scenario
 * @param {Readonly<AnyPlan>} plan
 * @param {Scales} scales
 * @param {Set<string>} kept - options
 */
function scaled(scenario, plan, { scale, scaleTime, scaleRate }, kept) {
  const atRate = scalePlan(scenario, plan, { scaleRate }, kept)
  const whole = scalePlan(scenario, atRate, { scale, scaleTime }, kept)
  return { atRate, plan: whole, unscaled: scaledAway(plan, whole) }
}

/**
 * @param {NamedMatrix} named
 * @param {number} index - of the row
 * @param {CommandLine & { flags: Record<string, unknown>, scales: Scales }} line
 */
function expandRow({ id, file, matrix }, index, { flags, scales, runs, cores, scenarios }) {
  const scenario = /** @type {Scenario} */ (scenarios.find(scenario => wordOf(scenario) === matrix.scenario))
  const { name = null, note, reference, needs: despite = null } = matrix.rows[index]
  const label = `${file} row ${index + 1}`
  const kept = new Set(Object.keys(flags).map(camelCase))
  return layersOf(matrix, matrix.rows[index]).flatMap(layers => {
    const defaults = new Map([...neededNetwork(scenario, despite), ...layers.defaults])
    const inFile = overlay(overlay(defaults, layers.row, scenario.rivals), layers.varied, scenario.rivals)
    const config = { file: label, options: Object.fromEntries(inFile) }
    const { plan: published } = makePlan(scenario, {}, { config, cores, despite })
    const { plan: asked, problems } = makePlan(scenario, flags, { config, cores, despite })
    const place = { file, label, layers }
    const misplaced = outputProblems(scenario, label, inFile)
    if (asked === undefined) return { place, problems: [...problems, ...misplaced] }
    if (scenario.endless?.(asked)) return { place, problems: [endless(label), ...misplaced] }
    const [lack] = despite === null ? [] : (makePlan(scenario, flags, { config, cores }).problems ?? [])
    const { atRate, ...run } = scaled(scenario, asked, scales, kept)
    const rowName = caseName(scenario, asked, { name, row: layers.row, varied: layers.varied })
    const row = {
      id: `${id}/${rowName}`,
      name: rowName,
      ...besidePlan(scenario, published, atRate, { reference, note }),
      ...run,
      ...((runs ?? matrix.runs) !== undefined && { runs: runs ?? matrix.runs }),
      blocked: lack === undefined ? null : `${lack.flag.split(': ').at(-1)} ${lack.value} ${lack.allowed}`
    }
    return { place, row, problems: misplaced }
  })
}

/** A run may go on until its user has seen enough; of a matrix nobody sees it. @param {string} label @returns {Problem} */
const endless = label => ({
  flag: `${label}: duration`,
  value: '',
  allowed: 'is needed: the row would have no end'
})

/** @param {Scenario} scenario @param {string} label @param {Options} options @returns {Problem[]} */
const outputProblems = (scenario, label, options) =>
  [...options].flatMap(([key, value]) =>
    scenario.options[key]?.part === 'output'
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

/** @param {MatrixRow} row */
const runOf = ({ plan, unscaled }) => ({ plan, unscaled })

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
    if (first === undefined || isDeepStrictEqual(runOf(first.row), runOf(row))) return []
    return [{ flag: `${label}: name`, value: row.name, allowed: `is also the name of ${first.label}` }]
  })
}

/**
 * Rows that differ in the generation of libp2p are all libp2p as published, unless something else is said: what of it is changed here is not
 * the same on all.
 *
 * @param {NamedMatrix} named
 * @param {Parameters<typeof expandRow>[2]} line
 */
function casesOf({ matrix, ...named }, line) {
  const expand = (/** @type {MatrixFile} */ file) =>
    file.rows.flatMap(({ runs = file.runs }, index) =>
      expandRow({ ...named, matrix: { ...file, runs } }, index, line)
    )
  const cases = expand(matrix)
  const plans = /** @type {any[]} */ (cases.flatMap(({ row }) => row?.plan ?? []))
  if (!differInStack(plans) || !plans.every(plan => 'stock' in plan && plan.network !== 'simulated'))
    return cases
  return expand({ ...matrix, defaults: { stock: true, ...matrix.defaults } })
}

/**
 * expandMatrices makes the plans of matrix files, a row for each case, or names what is wrong in any row of any of them.
 *
 * @param {NamedMatrix[]} matrices
 * @param {CommandLine} line - what the command line lays over every row
 * @returns {{ tables: MatrixTable[], problems: Problem[] }}
 */
export function expandMatrices(matrices, { flags = {}, scales = {}, ...others }) {
  const line = { flags, scales, ...others }
  const expanded = matrices.map(named => ({ named, cases: casesOf(named, line) }))
  const cases = expanded.flatMap(({ cases }) => cases)
  const named = cases.flatMap(({ row, place }) => (row === undefined ? [] : [{ row, label: place.label }]))
  return {
    tables: expanded.map(({ named: { id, matrix }, cases }) => ({
      id,
      scenario: matrix.scenario,
      title: matrix.title,
      description: matrix.description ?? '',
      source: matrix.source ?? null,
      differences: matrix.differences,
      rows: withoutDoubles(cases.flatMap(({ row }) => (row === undefined ? [] : [row])))
    })),
    problems: [...gatherProblems(cases), ...nameProblems(named)]
  }
}
