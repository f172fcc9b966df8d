import { z } from 'zod'
import { nearWord } from '../../../kit/problem-words.js'
import { wordOf } from '../../../scenarios/presets.js'

/**
 * @typedef {import('../../../plan/read-options.js').Problem} Problem
 *
 * @typedef {import('../../../scenarios/scenario.js').Scenario} Scenario
 *
 * @typedef {Record<string, unknown[]>} Vary - values by option; all combinations are run
 *
 * @typedef {object} FileRow - the options of a case, with these beside them
 * @property {string} [name] - of the row, instead of one made from its options
 * @property {string} [note]
 * @property {AnyFigures} [reference]
 * @property {'simulated'} [needs] - what the row cannot be run without; where it does not exist the row is listed as not run
 * @property {number} [runs] - so often it is run; default: as the file says
 * @property {Vary} [vary]
 *
 * @typedef {object} MatrixFile - one matrix file as it is written
 * @property {import('../../../plan/plan.js').ScenarioName} scenario
 * @property {string} title
 * @property {string} [description]
 * @property {string} [source] - of the published figures
 * @property {string[]} differences - where published and measured figures are not like for like
 * @property {number} [runs] - so often each row is run; default: once
 * @property {Record<string, unknown>} defaults
 * @property {Vary} vary
 * @property {(FileRow & Record<string, unknown>)[]} rows
 */

const text = z.string({ error: 'must be a text' })
const options = z.record(z.string(), z.unknown(), {
  error: 'must hold options by name, such as "nClients: 10"'
})
const vary = z.record(
  z.string(),
  z.array(z.unknown(), { error: 'must be a list of values' }).min(1, 'must be a list of values'),
  { error: 'must hold lists of values by option, such as "nClients: [10, 100]"' }
)
const name = text.regex(/^[\w.=-]+$/, 'must be of letters, digits and . _ = - only: it names a folder')

/** @param {import('zod').ZodType} reference @param {ReturnType<typeof runsOf>} runs */
const rowWith = (reference, runs) =>
  z.looseObject(
    {
      name: name.optional(),
      note: text.optional(),
      reference: reference.optional(),
      needs: z.literal('simulated', { error: 'must be simulated' }).optional(),
      runs,
      vary: vary.optional()
    },
    { error: 'must hold options by name, such as "nClients: 10"' }
  )

/** RUNS_ALLOWED: of an odd number one is the median. */
export const RUNS_ALLOWED = 'must be an odd whole number from 1 to 15, such as 3'

const MERGED_RUNS_ALLOWED = 'must be a whole number from 1 to 15, such as 2'

/** isRuns @param {number} runs */
export const isRuns = runs => isWhole(runs) && runs % 2 === 1

/** @param {number} runs */
const isWhole = runs => Number.isInteger(runs) && runs >= 1 && runs <= 15

/** Of runs that are merged there may be any number. @param {Scenario} scenario @returns {import('zod').ZodOptional<import('zod').ZodNumber>} */
const runsOf = ({ merged }) =>
  merged === undefined
    ? z.number({ error: RUNS_ALLOWED }).refine(isRuns, RUNS_ALLOWED).optional()
    : z.number({ error: MERGED_RUNS_ALLOWED }).refine(isWhole, MERGED_RUNS_ALLOWED).optional()

const sentences = z.array(text, { error: 'must be a list of sentences' })

/** @param {readonly Scenario[]} scenarios @param {Scenario} of */
function schemaOf(scenarios, of) {
  const names = scenarios.map(wordOf)
  const parts = {
    scenario: z.enum(names, { error: `must be one of ${names.join(', ')}` }).default(wordOf(of)),
    title: text,
    description: text.optional(),
    source: text.optional(),
    differences: sentences.default([]),
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

/** @param {PropertyKey[]} path where something is wrong, rows counted from 1 */
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
  const asked = /** @type {{ scenario?: string } | null} */ (document)?.scenario
  const scenario = scenarios.find(scenario => wordOf(scenario) === asked) ?? scenarios[0]
  const { success, data, error } = schemaOf(scenarios, scenario).safeParse(document)
  if (success) return { matrix: /** @type {MatrixFile} */ (data) }
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
 * @typedef {object} Figures - published figures of the rendezvous scenario; each list is average, median, maximum
 * @property {number[]} [rtMs]
 * @property {number[]} [cpuPercent]
 * @property {number[]} [memoryMb]
 *
 * @typedef {object} GossipFigures - published figures of the gossip scenario
 * @property {number} [disseminationMs] - average time until a message had reached everyone
 * @property {[number, number, number]} [latencyMs] - of deliveries: p50, p90 and the largest
 * @property {number} [bytesPerDelivery] - sent in RPCs
 * @property {[number, number]} [received] - so many, of so many expected
 * @property {[number, number]} [lost] - so many messages, of so many published
 *
 * @typedef {object} ProfileFigures - published figures of the profile scenario
 * @property {number} [published] - messages
 * @property {number} [received] - by all hosts together
 * @property {number} [seconds] - how long the run was
 *
 * @typedef {Figures & GossipFigures & ProfileFigures} AnyFigures - those of one scenario
 */

/**
 * unknownKey says which key was meant, or which there are.
 *
 * @param {string[]} known
 * @returns {(issue: { code?: string, keys?: unknown }) => string}
 */
const unknownKey =
  known =>
  ({ code, keys }) => {
    if (code !== 'unrecognized_keys') return `must hold ${known.join(', ')} by name`
    const [only, ...more] = /** @type {string[]} */ (keys)
    const near = more.length === 0 ? nearWord(only, known) : null
    return near === null ? `must be one of ${known.join(', ')}` : `is unknown; did you mean ${near}?`
  }

/**
 * referenceSchema describes the published figures that a row of a matrix can have beside it.
 *
 * @param {import('../../../scenarios/scenario.js').Published} scenario
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
