import { ALLOW_UNDECIDED } from '../../../plan/gate-options.js'
import { folderOrLatest, path, seconds, wholeNumber, yesOrNo } from '../../../plan/values.js'
import { SATURATED } from '../../saturation/saturated.js'

/** @typedef {import('../../../plan/option.js').Option} Option */

const PARTS = 'The parts:'
const VERDICT = 'The verdict:'

const MOST_RUNS = 20

/** Of a saturation, what a quality report has otherwise, or not at all. */
const NOT_OURS = new Set([
  ...['search', 'from', 'most', 'repeats', 'blocks'],
  ...['peers', 'requestsPerDay', 'peakFactor']
])

/** QUICK is how long the parts of a quick one are, FULL those of a whole one, s. */
export const QUICK = { steady: 8, rotation: 12, watchMs: 3000 }
export const FULL = { steady: 600, rotation: 300 }

/** @param {import('../../../scenarios/saturation.js').QaRuns} qa @returns {Record<string, Option>} */
const commandOptions = ({ full, quick }) => ({
  quick: {
    common: true,
    group: PARTS,
    default: false,
    ...yesOrNo(),
    describe:
      'all parts in about two minutes: enough to see that it works, not to hold releases against each other'
  },
  duration: {
    common: true,
    group: PARTS,
    ...seconds({ min: '1s', max: '24h' }),
    defaultText: `${full.seconds}s; ${quick.seconds}s with --quick`,
    describe: 'how long each cell of the grid is held, and each run of the examined one, in whole seconds'
  },
  runs: {
    group: PARTS,
    default: 3,
    ...wholeNumber(1, MOST_RUNS),
    describe: 'runs of the examined cell'
  },
  steady: {
    common: true,
    group: PARTS,
    ...seconds({ min: '1s', max: '24h' }),
    defaultText: `${FULL.steady / 60}m; ${QUICK.steady}s with --quick`,
    describe: 'how long half of the examined load is held, in whole seconds'
  },
  rotation: {
    common: true,
    group: PARTS,
    ...seconds({ min: '1s', max: '24h' }),
    defaultText: `${FULL.rotation / 60}m; ${QUICK.rotation}s with --quick`,
    describe: 'how long the run with churn is, in whole seconds'
  },
  baseline: {
    common: true,
    group: VERDICT,
    part: 'output',
    ...path(),
    describe:
      'folder of an earlier one, against which each part passes, fails or is left undecided; with --resume too'
  },
  allowUndecided: { ...ALLOW_UNDECIDED, group: VERDICT },
  resume: {
    common: true,
    group: VERDICT,
    part: 'output',
    ...folderOrLatest(),
    describe: 'go on in this folder, or the latest one: what was run is not run again'
  }
})

/** @param {Readonly<Record<string, string>>} options */
const amountOf = ({ nodes, nClients }) => nodes ?? nClients

/**
 * qaOptions are the options of `qa` of a scenario: those of the command, and those with what its runs have a use for.
 *
 * @param {string} scenario
 * @returns {{ own: Record<string, Option>, all: Record<string, Option> }}
 */
export function qaOptions(scenario) {
  const { own: ofGrid, options, ratesFlag, sizeName, qa, face, scenario: loaded } = SATURATED[scenario]
  const command = commandOptions(qa)
  const size = sizeName === 'nodes' ? 'nodes' : 'connections'
  const given = (/** @type {readonly number[]} */ numbers) => numbers.join(',')
  const grid = {
    ...Object.fromEntries(Object.entries(ofGrid).filter(([key]) => !NOT_OURS.has(key) && !(key in command))),
    [ratesFlag]: {
      ...ofGrid[ratesFlag],
      common: true,
      defaultText: `${given(qa.full.rates)}, and on until some are not carried`
    },
    [size]: {
      ...ofGrid[size],
      common: true,
      describe: ofGrid[size].describe.replace('; with --search, one number', ''),
      defaultText: `${given(qa.full.sizes)}; ${given(qa.quick.sizes)} with --quick`
    }
  }
  const own = { ...grid, ...command }
  const others = Object.entries(options).filter(([key]) => !NOT_OURS.has(key) && !(key in own))
  /** @type {Option} */
  const churn = {
    ...loaded.options.churn,
    group: PARTS,
    defaultText: `${qa.churnOptions.churn}; ${qa.quickChurnOptions.churn} with --quick`,
    describe: `who leaves in the run with churn, of ${amountOf(qa.churnOptions)} ${face({}).many}, ${amountOf(qa.quickChurnOptions)} with --quick`
  }
  return { own, all: { ...own, churn, ...Object.fromEntries(others.filter(([key]) => key !== 'churn')) } }
}
