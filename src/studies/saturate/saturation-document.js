// Format of the document that stores a saturation study, with its trials and the command that repeats it.

import { omitMissing } from '../../kit/collections.js'
import { formatSignificant, formatWhole } from '../../kit/numbers.js'
import { PROGRAM } from '../../kit/runtime.js'
import { quoteShellWord } from '../../plan/command-line.js'
import { toCamelCase } from '../../plan/options.js'
import { getOptionDefault } from '../../plan/schema.js'
import { describeUnsustained } from '../../scenarios/gossip/figures.js'
import { MAX_PER_SECOND } from '../../scenarios/saturation.js'
import { makeStudyFile } from '../study.js'
import { makeObjectiveFlags } from './objective.js'
import { estimateFormerSearch } from './search.js'
import { findSaturation, findTerms, SATURATION_SCENARIOS } from './trials.js'

/**
 * @typedef {import('./trials.js').AnyTrial} AnyTrial
 * @typedef {import('./trials.js').Reason} Reason
 */

/** In versions without an objective, a cell that achieved less than this share was not sustained. */
const DIAGONAL_SHARE = 0.95

const ms = (/** @type {number} */ value) => `${formatSignificant(value)} ms`

/** Reasons of versions without an objective, by code. @type {Readonly<Record<string, (reason: any) => string>>} */
const WORDS = {
  ACHIEVED: ({ share }) => `${formatSignificant(100 * share)} % achieved`,
  SLOWER: ({ figure, lowestMs, ...at }) => `${figure} ${ms(at.ms)}, at the lowest rate ${ms(lowestMs)}`,
  WAITING: ({ count }) => `growing backlog, ${formatWhole(count)} operations at the end`,
  NOT_CARRIED: ({ why }) => describeUnsustained(why),
  UNDER_WAY: ({ count }) => `growing backlog, ${formatWhole(count)} deliveries at the end`
}

/** @param {any} reason @returns {Reason} */
const inWords = reason =>
  Object.hasOwn(WORDS, reason.code) ? { code: 'FORMER', text: WORDS[reason.code](reason) } : reason

/** @param {AnyTrial} trial @param {readonly Reason[]} reasons @returns {boolean | null} */
function wasSustained(trial, reasons) {
  // a search said so
  if (trial.sustained !== undefined) return trial.sustained
  if (trial.point === null) return null
  if ('reasons' in trial.point) return reasons.length === 0
  const { achieved, expected } = findSaturation(trial.plan).cellOf(trial, trial.point)
  return achieved >= DIAGONAL_SHARE * expected
}

/**
 * addFormerVerdicts adds to trials of a version without objectives the verdicts of that version.
 *
 * @template {AnyTrial} T
 * @param {readonly T[]} trials
 * @returns {T[]}
 */
export const addFormerVerdicts = trials =>
  trials.map(trial => {
    const ofPoint = /** @type {{ reasons?: Reason[] } | null} */ (trial.point)?.reasons ?? []
    const own = trial.reasons ?? []
    const reasons = (own.length > 0 ? own : ofPoint).map(inWords)
    return { ...trial, reasons, sustained: wasSustained(trial, reasons) }
  })

/**
 * @typedef {import('./trials.js').SearchState} SearchState
 *
 * @typedef {object} Options
 * @property {Record<string, unknown>} options - of the plans, as they were given
 * @property {string[] | null} objective - what a load must meet to be sustained; null: of a version that had other rules
 *
 * @typedef {import('../study.js').StudyHead & Options} LoadStudyHead - what the documents of all studies that try loads have
 *
 * @typedef {object} GridState
 * @property {number[]} rates - per second: of each connection, or of the whole network
 * @property {number[]} [connections]
 * @property {number[]} [nodes] - of a gossip network
 * @property {AnyTrial[]} cells - in the order of `makeGridCells`
 * @property {{ ratePerSecond: number, connections?: number, nodes?: number } | null} chosen - null: none lies below the diagonal
 *
 * @typedef {object} SaturationParts
 * @property {string} scenario
 * @property {number} seconds - of each trial
 * @property {number | null} [connections] - of a search; null: it is a grid
 * @property {number | null} [nodes] - of a search in a gossip network; null: it is a grid
 * @property {import('./capacity.js').Network} [network] - that servers are counted for
 * @property {number} [inTimeMs] - within which a message of a gossip network is to reach everyone
 * @property {GridState | null} grid - it, or `search`, is there
 * @property {SearchState | null} search
 *
 * @typedef {LoadStudyHead & SaturationParts} SaturationDocument - `saturate.json`
 */

/** Earlier searches had no blocks, and no estimate. @param {SearchState} search @returns {SearchState} */
function current({ found, blocks = 0, ...search }) {
  if (found === null || found.estimate !== undefined) return { ...search, blocks, found }
  return { ...search, blocks, found: { ...found, estimate: estimateFormerSearch(search.trials, found) } }
}

/** SATURATION_DOCUMENT is the document of a folder of `saturate`. @type {import('../study.js').StudyFile<SaturationDocument>} */
export const SATURATION_DOCUMENT = makeStudyFile({
  file: 'saturate.json',
  holds: ({ grid, search }) => Array.isArray(grid?.cells ?? search?.trials),
  current({ objective = null, grid, search, ...document }) {
    if (objective !== null) return { ...document, objective, grid, search }
    return {
      ...document,
      objective,
      grid: grid && { ...grid, cells: addFormerVerdicts(grid.cells) },
      search: search && current({ ...search, trials: addFormerVerdicts(search.trials) })
    }
  }
})

/**
 * listSizes are the connections of a grid, or its nodes.
 *
 * @param {Pick<GridState, 'connections' | 'nodes'>} grid
 */
export const listSizes = ({ connections, nodes }) => connections ?? nodes ?? []

/** Options of the output are no part of what was measured. */
const OUTPUT_OPTIONS = new Set(['outputDir', 'json', 'dryRun', 'quiet', 'csv', 'outputFile', 'strict'])

/**
 * formatOptionFlags are options as flags of a command line.
 *
 * @param {Record<string, unknown>} options - as they were given
 */
export const formatOptionFlags = options =>
  Object.entries(options)
    .filter(([name]) => !OUTPUT_OPTIONS.has(toCamelCase(name)))
    .map(([name, value]) => {
      if (value === true) return `--${name}`
      return value === false ? `--no-${name}` : `--${name} ${quoteShellWord(String(value))}`
    })

/**
 * makeSaturationCommandLine is the command that makes the study again.
 *
 * @param {SaturationDocument} document
 */
export function makeSaturationCommandLine(document) {
  const { scenario, grid, search, network, seconds, inTimeMs, options } = document
  const { ratesFlag } = findTerms(document)
  const { sizeName, own: ofCommand } = SATURATION_SCENARIOS[scenario]
  const usualMs = ofCommand.inTime && getOptionDefault(ofCommand.inTime)
  const sizesFlag = `--${sizeName}`
  const own =
    grid !== null
      ? [`${ratesFlag} ${grid.rates.join(',')}`, `${sizesFlag} ${listSizes(grid).join(',')}`]
      : omitMissing([
          network === undefined && '--search',
          network !== undefined && `--peers ${network.peers}`,
          network !== undefined && `--requestsPerDay ${network.requestsPerDay}`,
          network !== undefined && `--peakFactor ${network.peakFactor}`,
          `--from ${search?.fromPerSecond}/s`,
          search?.mostPerSecond !== MAX_PER_SECOND && `--most ${search?.mostPerSecond}/s`,
          search?.repeats !== 0 && `--repeats ${search?.repeats}`,
          `--blocks ${search?.blocks}`,
          `${sizesFlag} ${document[sizeName]}`
        ])
  return omitMissing([
    `${PROGRAM} saturate ${scenario}`,
    ...own,
    `--duration ${seconds}s`,
    inTimeMs !== undefined && inTimeMs !== usualMs && `--inTime ${inTimeMs}ms`,
    ...makeObjectiveFlags(scenario, document.objective),
    ...formatOptionFlags(options)
  ]).join(' ')
}
