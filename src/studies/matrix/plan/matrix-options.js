import { decimal } from '../../../kit/numbers.js'
import { readCommandOptions, splitOptions, withoutMisplaced } from '../../../plan/command-options.js'
import { optionsIn, refusedOf, takenOf } from '../../../plan/option.js'
import { wholeNumber, yesOrNo } from '../../../plan/values.js'
import { usualScenario } from '../../../scenarios/index.js'
import { isRuns, RUNS_ALLOWED } from './matrix-file.js'

/**
 * @typedef {import('../../../plan/read-options.js').Problem} Problem
 *
 * @typedef {object} MatrixOptions - of the command itself; undefined: not given
 * @property {string[]} [only]
 * @property {number} [scale]
 * @property {number} [scaleTime]
 * @property {number} [scaleRate]
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
 * @returns {import('../../../plan/values.js').Kind}
 */
const repeatable = (allowed, read) => ({
  allowed,
  schema: z => z.array(z.unknown()),
  item(raw) {
    const value = typeof raw === 'string' ? read(raw) : undefined
    return value === undefined ? { allowed } : { value }
  }
})

/** Of what rows ask for. @returns {{ group: string } & import('../../../plan/values.js').Kind} */
const share = () => ({
  group: GROUP,
  allowed: 'must be a number above 0 and up to 1, such as 0.1',
  schema: z => z.preprocess(value => decimal(String(value)), z.number().positive().max(1))
})

/** @type {Readonly<Record<string, import('../../../plan/option.js').Option>>} */
const COMMAND_OPTIONS = {
  only: {
    common: true,
    group: GROUP,
    ...repeatable(
      "must be a pattern for rows, such as '*-r100000-*' or 'rendezvous-register/*'",
      text => text || undefined
    ),
    describe: 'run only rows whose id, name or table matches this glob; can be repeated'
  },
  scale: {
    common: true,
    ...share(),
    describe: 'this share of the operations and of the time of each row, with the same clients or nodes'
  },
  scaleTime: { ...share(), describe: 'this share of the time of each row; its number of operations stays' },
  scaleRate: {
    ...share(),
    describe:
      'this share of the rate of each row; where nodes publish at their own intervals, so many times as long ones'
  },
  keepGoing: { group: GROUP, ...yesOrNo(), describe: 'a row that fails does not end the matrix' },
  resume: {
    common: true,
    group: GROUP,
    allowed: 'must name the folder of a matrix, or nothing for the latest one',
    schema: z =>
      z.preprocess(value => (value === '' ? true : value), z.union([z.literal(true), z.string().min(1)])),
    describe: 'go on in this matrix folder, or the latest one: finished rows are not run again'
  },
  parallel: {
    common: true,
    group: GROUP,
    defaultText: 'cores, where all rows are simulated; else 1',
    ...wholeNumber(1, 64),
    describe: 'run so many rows side by side; real networks would disturb one another'
  },
  runs: {
    common: true,
    group: GROUP,
    allowed: RUNS_ALLOWED,
    schema: z => z.preprocess(value => decimal(String(value)), z.number().refine(isRuns)),
    defaultText: 'as the files say; else 1',
    describe:
      'run every row so often, in shuffled order: runs are merged (of gossip: the median), with least and greatest of each figure; a run under pressure is repeated'
  },
  list: { group: GROUP, ...yesOrNo(), describe: 'print the rows with an estimate and run nothing' },
  name: {
    group: GROUP,
    allowed: 'must be of letters, digits and . _ - only',
    schema: z => z.string().regex(/^[\w.-]+$/),
    describe: "end of the folder's name"
  },
  compact: {
    group: GROUP,
    ...yesOrNo(),
    describe: 'keep results small: without what only plots over time need'
  }
}

const planOptions = async () => optionsIn('matrix', (await usualScenario()).options)

/** matrixOptions are those of the matrix command with those of every plan. */
export const matrixOptions = async () => ({
  ...COMMAND_OPTIONS,
  ...takenOf(await planOptions()),
  ...COMMAND_OPTIONS
})

/**
 * readMatrixOptions tells the options of the command itself from those of the plans, and reads the former.
 *
 * @param {Record<string, unknown>} options - as typed
 * @returns {Promise<{ own: MatrixOptions, flags: Record<string, unknown>, problems: Problem[] }>}
 */
export async function readMatrixOptions(options) {
  const { runs, ...refused } = refusedOf(await planOptions())
  const { kept, problems: misplaced } = withoutMisplaced(refused, options)
  const { mine, others: flags } = splitOptions(COMMAND_OPTIONS, kept)
  const { own, problems } = readCommandOptions(COMMAND_OPTIONS, mine)
  return { own, flags, problems: [...misplaced, ...problems] }
}
