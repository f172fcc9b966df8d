// Parses matrix files (YAML that lists many runs), and expands them into rows with a plan each.
import { isDeepStrictEqual } from 'node:util'
import { z } from 'zod'
import { findNearWord } from '../../kit/option-problems.js'
import { hasSeveralStacks } from '../../libp2p/stacks.js'
import { makeCaseName, scalePlan } from '../../plan/matrix-case.js'
import { toCamelCase } from '../../plan/options.js'
import { makePlan, overlayOptions } from '../../plan/plan.js'
import { getKindSchema } from '../../plan/schema.js'
import { readCommandWord } from '../../scenarios/presets.js'

/**
 * @typedef {import('../../plan/plan.js').Problem} Problem
 * @typedef {Map<string, unknown>} Options - by key
 *
 * @typedef {object} CaseOrigin - the origin of a case
 * @property {string} file
 * @property {string} label - file and row
 * @property {{ defaults: Options, row: Options, varied: Options }} layers
 *
 * @typedef {{ place: CaseOrigin, problems: Problem[] }} RefusedCase
 */

const ROWS_NAMED = 3

/**
 * Finds where the option of a problem was set: on the command line, in the defaults of the file, or in the row.
 *
 * @param {string} flag - as makePlan names it
 * @param {CaseOrigin} place
 * @returns {{ flag: string, scope: 'row' | 'file' | 'all' }}
 */
function origin(flag, { file, label, layers }) {
  const prefix = `${label}: `
  if (!flag.startsWith(prefix)) return { flag, scope: 'all' }
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
 * Lists each problem of the cases once. A problem of the command line or of the defaults of a file names the rows that have it, unless all do.
 *
 * @param {RefusedCase[]} cases - all of them, also those without a problem
 * @returns {Problem[]}
 */
function gatherProblems(cases) {
  /** @type {Map<string, { problem: Problem, labels: Set<string>, among: Set<string> }>} */
  const collected = new Map()
  /** @param {(place: CaseOrigin) => boolean} belongs */
  const labelsOf = belongs =>
    new Set(cases.filter(({ place }) => belongs(place)).map(({ place }) => place.label))
  for (const { place, problems } of cases) {
    for (const { flag: named, value, allowed } of problems) {
      const { flag, scope } = origin(named, place)
      const key = JSON.stringify([flag, value, allowed])
      const among =
        collected.get(key)?.among ??
        (scope === 'row'
          ? new Set([place.label])
          : labelsOf(({ file }) => scope === 'all' || file === place.file))
      const labels = collected.get(key)?.labels ?? new Set()
      collected.set(key, { problem: { flag, value, allowed }, labels: labels.add(place.label), among })
    }
  }
  return [...collected.values()].map(({ problem, labels, among }) =>
    labels.size === among.size
      ? problem
      : { ...problem, allowed: `${problem.allowed} (${listed([...labels])})` }
  )
}

/**
 * @typedef {import('../../scenarios/index.js').AnyPlan} AnyPlan
 * @typedef {import('../../plan/plan.js').ScenarioName} ScenarioName
 * @typedef {import('../../scenarios/index.js').Scenario} Scenario
 * @typedef {import('../../plan/matrix-case.js').Scales} Scales
 *
 * @typedef {object} MatrixRow
 * @property {string} id - `<table>/<name>`; the same as long as the case is
 * @property {string} name - within its table; also names a folder
 * @property {string | null} note
 * @property {PublishedFigures | null} reference - published figures of this case
 * @property {AtAnotherRate | null} atAnotherRate - published figures of a case that differs from this one in nothing but its rate
 * @property {Readonly<AnyPlan>} plan
 * @property {Record<string, unknown>} unscaled - what the plan would have that was scaled
 * @property {string | null} blocked - why the row cannot be run here; null: it can
 * @property {number} [runs] - it is run so often; default: once
 *
 * @typedef {{ reference: PublishedFigures, ratePerSecond: number | null, intervalMs: { min: number, max: number } }} AtAnotherRate
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
const byKey = options => new Map(Object.entries(options).map(([name, value]) => [toCamelCase(name), value]))

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
 * The layers of options of each case of a row, the weakest first. An option of a row overrides a list of its file.
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
 * Published figures are shown beside a plan only if it agrees with their case. Figures of a case at another rate are shown separately.
 *
 * @param {Scenario} scenario
 * @param {Readonly<AnyPlan> | undefined} published
 * @param {Readonly<AnyPlan>} plan
 * @param {{ reference?: PublishedFigures, note?: string }} said - of the case
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
 * A row that needs a network uses it, if it exists.
 *
 * @param {Scenario} scenario
 * @param {string | null} needs
 * @returns {Options}
 */
function neededNetwork(scenario, needs) {
  const { network } = scenario.options
  const exists = needs !== null && network !== undefined && getKindSchema(network).safeParse(needs).success
  return new Map(exists ? [['network', needs]] : [])
}

/** Parameters that scaling changed, with their values before. @param {object} before @param {Record<string, any>} after */
const scaledAway = (before, after) =>
  Object.fromEntries(Object.entries(before).filter(([key, value]) => !isDeepStrictEqual(value, after[key])))

/**
 * Scales a plan. A scaled rate makes it another case; a scaled time does not.
 *
 * @param {Scenario} scenario
 * @param {Readonly<AnyPlan>} plan
 * @param {Scales} scales
 * @param {Set<string>} fixedOptions - options
 */
function scaled(scenario, plan, { scale, scaleTime, scaleRate }, fixedOptions) {
  const atRate = scalePlan(scenario, plan, { scaleRate }, fixedOptions)
  const whole = scalePlan(scenario, atRate, { scale, scaleTime }, fixedOptions)
  return { atRate, plan: whole, unscaled: scaledAway(plan, whole) }
}

/**
 * @param {NamedMatrix} named
 * @param {number} index - of the row
 * @param {CommandLine & { flags: Record<string, unknown>, scales: Scales }} line
 */
function expandRow({ id, file, matrix }, index, { flags, scales, runs, cores, scenarios }) {
  const scenario = /** @type {Scenario} */ (
    scenarios.find(scenario => readCommandWord(scenario) === matrix.scenario)
  )
  const { name = null, note, reference, needs: despite = null } = matrix.rows[index]
  const label = `${file} row ${index + 1}`
  const fixedOptions = new Set(Object.keys(flags).map(toCamelCase))
  return layersOf(matrix, matrix.rows[index]).flatMap(layers => {
    const defaults = new Map([...neededNetwork(scenario, despite), ...layers.defaults])
    const inFile = overlayOptions(
      overlayOptions(defaults, layers.row, scenario.rivals),
      layers.varied,
      scenario.rivals
    )
    const config = { file: label, options: Object.fromEntries(inFile) }
    const { plan: published } = makePlan(scenario, {}, { config, cores, despite })
    const { plan: basePlan, problems } = makePlan(scenario, flags, { config, cores, despite })
    const place = { file, label, layers }
    const misplaced = outputProblems(scenario, label, inFile)
    if (basePlan === undefined) return { place, problems: [...problems, ...misplaced] }
    if (scenario.endless?.(basePlan)) {
      const allowed = 'is needed: the row would have no end'
      return { place, problems: [{ flag: `${label}: duration`, value: '', allowed }, ...misplaced] }
    }
    const [lack] = despite === null ? [] : (makePlan(scenario, flags, { config, cores }).problems ?? [])
    const { atRate, ...run } = scaled(scenario, basePlan, scales, fixedOptions)
    const rowName = makeCaseName(scenario, basePlan, { name, row: layers.row, varied: layers.varied })
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

/** @param {Scenario} scenario @param {string} label @param {Options} options @returns {Problem[]} */
const outputProblems = (scenario, label, options) =>
  [...options].flatMap(([key, value]) =>
    scenario.options[key]?.part === 'output'
      ? [{ flag: `${label}: ${key}`, value: String(value), allowed: 'can only be given on the command line' }]
      : []
  )

/**
 * Cases with the same id are run once.
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
  const names = new Map()
  return named.flatMap(({ row, label }) => {
    const first = names.get(row.id)
    names.set(row.id, first ?? { row, label })
    const [one, other] = [first?.row ?? row, row].map(({ plan, unscaled }) => ({ plan, unscaled }))
    if (first === undefined || isDeepStrictEqual(one, other)) return []
    return [{ flag: `${label}: name`, value: row.name, allowed: `is also the name of ${first.label}` }]
  })
}

/**
 * Expands the rows of a file. Rows that differ in their stack all run libp2p as published, unless the file says otherwise: our changes to
 * libp2p differ between stacks.
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
  if (!hasSeveralStacks(plans) || !plans.every(plan => 'stock' in plan && plan.network !== 'simulated'))
    return cases
  return expand({ ...matrix, defaults: { stock: true, ...matrix.defaults } })
}

/**
 * expandMatrices makes the rows of matrix files, one for each case, and finds the problems of all rows.
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

/** @typedef {z.infer<ReturnType<typeof matrixFileSchema>>} MatrixFile - one matrix file as it is written */

const text = z.string({ error: 'must be a text' })
const options = z.record(z.string(), z.unknown(), {
  error: 'must be options by name, such as "nClients: 10"'
})
/** Values by option; all combinations are run. */
const vary = z.record(
  z.string(),
  z.array(z.unknown(), { error: 'must be a list of values' }).min(1, 'must be a list of values'),
  { error: 'must be lists of values by option, such as "nClients: [10, 100]"' }
)
const name = text.regex(/^[\w.=-]+$/, 'must be of letters, digits and . _ = - only: it names a folder')

/** The options of a case, with these beside them. @param {ReturnType<typeof referenceSchema>} reference @param {ReturnType<typeof runsOf>} runs */
const rowWith = (reference, runs) =>
  z.looseObject(
    {
      // instead of one made from its options
      name: name.optional(),
      note: text.optional(),
      reference: reference.optional(),
      // what the row cannot be run without; where it does not exist the row is listed as not run
      needs: z.literal('simulated', { error: 'must be simulated' }).optional(),
      runs,
      vary: vary.optional()
    },
    { error: 'must be options by name, such as "nClients: 10"' }
  )

/** RUNS_ALLOWED: the number is odd, so that one run is the median. */
export const RUNS_ALLOWED = 'must be an odd whole number from 1 to 15, such as 3'

const MERGED_RUNS_ALLOWED = 'must be a whole number from 1 to 15, such as 2'

/** isRunCount says whether a number of runs is allowed. @param {number} runs */
export const isRunCount = runs => isWhole(runs) && runs % 2 === 1

/** @param {number} runs */
const isWhole = runs => Number.isInteger(runs) && runs >= 1 && runs <= 15

/** Where results of runs can be merged, their number may be even. @param {Scenario} scenario @returns {import('zod').ZodOptional<import('zod').ZodNumber>} */
const runsOf = ({ merged }) =>
  merged === undefined
    ? z.number({ error: RUNS_ALLOWED }).refine(isRunCount, RUNS_ALLOWED).optional()
    : z.number({ error: MERGED_RUNS_ALLOWED }).refine(isWhole, MERGED_RUNS_ALLOWED).optional()

const sentences = z.array(text, { error: 'must be a list of sentences' })

/** @param {readonly Scenario[]} scenarios @param {Scenario} of */
function matrixFileSchema(scenarios, of) {
  const names = /** @type {ScenarioName[]} */ (scenarios.map(readCommandWord))
  const parts = {
    scenario: z
      .enum(names, { error: `must be one of ${names.join(', ')}` })
      .default(names[scenarios.indexOf(of)]),
    title: text,
    description: text.optional(),
    // of the published figures
    source: text.optional(),
    // where published and measured figures are not like for like
    differences: sentences.default([]),
    // so often each row is run; default: once
    runs: runsOf(of),
    defaults: options.default({}),
    vary: vary.default({}),
    rows: z
      .array(rowWith(referenceSchema(of), runsOf(of)), { error: 'must be a list of rows' })
      .min(1, 'must be a list of rows')
      .default([{}])
  }
  return z.strictObject(parts, { error: unknownKey(Object.keys(parts)) })
}

/** @param {PropertyKey[]} path - of a problem in a matrix file */
function placeOf(path) {
  const [part, index, ...more] = path
  if (part !== 'rows' || index === undefined) return { place: '', keys: path }
  return { place: ` row ${Number(index) + 1}`, keys: more }
}

/** @param {unknown} document @param {PropertyKey[]} path */
const valueAt = (document, path) =>
  path.reduce((value, key) => /** @type {any} */ (value)?.[key], /** @type {any} */ (document))

/** @param {unknown} value */
const shown = value =>
  value === undefined ? '' : typeof value === 'object' ? JSON.stringify(value) : String(value)

/**
 * readMatrixFile checks the shape of a matrix file. Its options are checked when it is expanded.
 *
 * @param {string} file - as it is called in problems
 * @param {unknown} document - parsed from YAML
 * @param {readonly Scenario[]} scenarios - that matrices can be made of; without a name in the document it is the first
 * @returns {{ matrix: MatrixFile, problems?: undefined } | { problems: Problem[], matrix?: undefined }}
 */
export function readMatrixFile(file, document, scenarios) {
  const scenarioName = /** @type {{ scenario?: string } | null} */ (document)?.scenario
  const scenario = scenarios.find(scenario => readCommandWord(scenario) === scenarioName) ?? scenarios[0]
  const { success, data, error } = matrixFileSchema(scenarios, scenario).safeParse(document)
  if (success) return { matrix: data }
  return {
    problems: error.issues.flatMap(issue => {
      const paths =
        issue.code === 'unrecognized_keys' ? issue.keys.map(key => [...issue.path, key]) : [issue.path]
      return paths.map(path => {
        const { place, keys } = placeOf(path)
        const key = keys.length > 0 ? `: ${keys.join('.')}` : ''
        return {
          flag: `${file}${place}${key}`,
          value: shown(valueAt(document, path)),
          allowed: issue.message
        }
      })
    })
  }
}

/**
 * Makes the message about an unknown key: the key that was probably meant, or all keys.
 *
 * @param {string[]} known
 * @returns {(issue: { code?: string, keys?: unknown }) => string}
 */
const unknownKey =
  known =>
  ({ code, keys }) => {
    if (code !== 'unrecognized_keys') return `must have ${known.join(', ')} by name`
    const [only, ...more] = /** @type {string[]} */ (keys)
    const near = more.length === 0 ? findNearWord(only, known) : null
    return near === null ? `must be one of ${known.join(', ')}` : `is unknown; did you mean ${near}?`
  }

/**
 * referenceSchema describes the published figures that a row of a matrix can have beside it.
 *
 * @typedef {z.infer<ReturnType<typeof referenceSchema>>} PublishedFigures - by name
 *
 * @param {import('../../scenarios/index.js').Published} scenario
 */
function referenceSchema({ reference }) {
  const parts = reference?.(z) ?? {}
  return z.strictObject(
    Object.fromEntries(Object.entries(parts).map(([name, part]) => [name, part.optional()])),
    {
      error: unknownKey(Object.keys(parts))
    }
  )
}
