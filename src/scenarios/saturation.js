// Options of `saturate`, and the interface that a scenario implements so that studies can search for the load that it
// sustains.
import { parseDecimal } from '../kit/numbers.js'
import { thresholdsKind } from '../plan/threshold.js'
import { folderOrLatest, rate, seconds, wholeNumber, yesOrNo } from '../plan/values.js'

/** GRID_GROUP is the group of options of a grid in --help. */
export const GRID_GROUP = 'The grid:'
const SEARCH_GROUP = 'The search:'
const COMMON_GROUP = 'Both:'

/** MAX_PER_SECOND is the highest rate of any trial. */
export const MAX_PER_SECOND = 1_000_000

/**
 * makeSloOption gives the objective by which loads of a scenario are judged.
 *
 * @param {TrialObjective} objective
 * @returns {import('../plan/options.js').Option}
 */
export const makeSloOption = ({ figures, usual }) => ({
  common: true,
  group: COMMON_GROUP,
  ...thresholdsKind(figures, false),
  defaultText: usual.join('; '),
  describe:
    'objective for a sustained load; conditions as for --threshold, repeated or joined by semicolons. Each replaces the default on its figure, any time condition that on p99'
})

/** SATURATION_OPTIONS are the options of `saturate` for all scenarios. @type {Readonly<Record<string, import('../plan/options.js').Option>>} */
export const SATURATION_OPTIONS = {
  search: {
    common: true,
    group: SEARCH_GROUP,
    default: false,
    ...yesOrNo(),
    describe: 'search for the highest sustainable rate; replaces the grid'
  },
  from: {
    common: true,
    group: SEARCH_GROUP,
    ...rate({ max: MAX_PER_SECOND }),
    defaultText: '100/s',
    describe: 'first rate of --search, of all connections'
  },
  most: {
    common: true,
    group: SEARCH_GROUP,
    ...rate({ max: MAX_PER_SECOND }),
    defaultText: '1000000/s',
    describe: 'highest rate that --search tries'
  },
  repeats: {
    common: true,
    group: SEARCH_GROUP,
    ...wholeNumber(0, 100),
    defaultText: '0',
    describe: 'repeats of both interval ends in --search; run before the blocks'
  },
  blocks: {
    group: SEARCH_GROUP,
    allowed: 'must be 0, or a whole number from 4 to 100',
    schema: z =>
      z.preprocess(
        value => parseDecimal(String(value)),
        z
          .number()
          .int()
          .max(100)
          .refine(blocks => blocks === 0 || blocks >= 4)
      ),
    defaultText: '8',
    describe:
      'blocks of five rates in --search, around the found rate; in shuffled order; 0: interval search only'
  },
  duration: {
    common: true,
    short: 'd',
    group: COMMON_GROUP,
    default: '10s',
    ...seconds({ min: '1s', max: '24h' }),
    describe: 'duration of each load, in whole seconds; the source took 90s'
  },
  resume: {
    common: true,
    group: COMMON_GROUP,
    ...folderOrLatest(),
    describe: 'continue in this folder or the latest; complete runs are not repeated'
  }
}

/**
 * The interface of a scenario for studies of its load.
 *
 * @typedef {import('../plan/plan.js').Problem} Problem
 * @typedef {import('../plan/plan.js').OptionTable} OptionTable
 *
 * @typedef {object} TrialLoads - which loads are tried
 * @property {Pick<import('./index.js').CommandText, 'examples' | 'epilogue'>} help - of the command; `epilogue`: what its runs are on
 * @property {OptionTable} own - options of the command
 * @property {OptionTable} options - those, and options of its runs
 * @property {Readonly<Record<string, string>>} notHere - options of a run that have no use, with the alternative
 * @property {string} ratesFlag - of the rates of a grid
 * @property {readonly number[]} rates - of a grid, by default
 * @property {readonly number[]} sizes - connections, or nodes, of a grid
 * @property {number} searchSize
 * @property {number} from - first rate of a search
 * @property {(ratePerSecond: number, size: number) => number} loadOf - operations or messages a second
 * @property {(own: Record<string, any>) => number[] | undefined} explicitSizes
 * @property {(options: Record<string, unknown>, scenario: import('./index.js').Scenario) => number[] | null} fixedSizes - that follow from other options
 * @property {(plan: any, own: Record<string, any>) => Problem[]} searchProblems - why no rate can be searched for
 * @property {'connections' | 'nodes'} sizeName - what the size of a trial is called in documents
 * @property {(options: Record<string, unknown>, size?: number) => Record<string, unknown>} sized - options of a plan, with the size
 * @property {(plan: any, options: Record<string, unknown>, repeat: number) => Record<string, unknown> | null} again - options of a repeat,
 *   if they differ; null: they are the same
 *
 * @property {QaRuns} qa
 *
 * @typedef {object} QaGrid - of `qa`, unless another one is given
 * @property {readonly number[]} rates
 * @property {readonly number[]} sizes
 * @property {number} seconds - of each cell
 * @property {number} factor - by which rates are raised until one is not carried
 * @property {number} rows - that may be added so
 *
 * @typedef {object} QaFigure - of a run under a load, that is compared with earlier runs; less is better
 * @property {string} name
 * @property {string} title - with its unit
 * @property {'times' | 'resources'} part - it is judged in
 * @property {(point: any) => number | null} of - null: not measured, or not of this machine
 * @property {(point: any) => boolean} [isBound] - failed operations reach into it: the true value may be larger
 * @property {boolean} [isShare] - in %, that may be 0
 *
 * @typedef {object} QaRuns - what `qa` runs
 * @property {QaGrid} full
 * @property {QaGrid} quick
 * @property {Readonly<Record<string, string>>} quickOptions - of the runs of a quick one, unless they are given
 * @property {readonly QaFigure[]} figures
 * @property {number} churnPerSecond - rate of the run with churn, unless that is more than half of what is carried
 * @property {Readonly<Record<string, string>>} churnOptions - of that run, unless they are given
 * @property {Readonly<Record<string, string>>} quickChurnOptions - of that of a quick one
 *
 * @typedef {object} TrialJudge - how runs under a load are evaluated
 * @property {(plan: any) => number} sizeOf - connections, or nodes
 * @property {(trial: { perSecond: number, plan: any }) => number} rateOf - of each connection, or of the whole network
 * @property {(result: any, how: { inTimeMs?: number }) => any} pointOf
 * @property {TrialObjective} objective
 * @property {(trial: { perSecond: number, plan: any }, point: any) => import('../studies/saturate/search.js').CellFigures} cellOf
 *
 * @typedef {object} TrialObjective - what loads of a scenario must meet to be sustained
 * @property {readonly import('../measure/figure.js').Figure[]} figures - that conditions can be set on; they read an outcome with the `point` of
 *   its trial
 * @property {readonly string[]} usual - the default, as text
 * @property {(objective: readonly import('../plan/threshold.js').Threshold[], plan: any) => string | null} lack - what trials of a plan lack;
 *   null: nothing
 * @property {(figure: import('../measure/figure.js').Figure, plan: any) => number | null} samplesPerSecond - of a trial; null: it needs no number of them
 *
 * @typedef {object} TrialDescription - how trials are described
 * @property {string} loads - what loads of cells are counted in: operations, deliveries
 * @property {string} rateHeading - of the rates of a grid
 * @property {readonly import('../report/description.js').ColumnOf<any>[]} columns - figures of a point
 * @property {{ title: string, of: (point: any) => number | null }} failed - share of what was due, %
 * @property {(inTimeMs?: number) => string} expected - how what was expected and achieved is counted
 *
 * @typedef {TrialWords & TrialDescription} TrialView - how trials are named and shown
 *
 * @typedef {object} TrialWords
 * @property {string} sizeSign - as in r=200, c=4
 * @property {string} one - of what the size counts
 * @property {string} many
 * @property {string} ratesFlag
 * @property {(load: number) => string} loadWords - of a cell
 * @property {(perSecond: number) => string} rateWords - of a trial
 * @property {string} loadHeading
 * @property {string} who - sustains a load
 * @property {string} what - is due: operations, messages
 * @property {string} rateName - what a search finds
 * @property {string} timeName - of what is drawn against throughput
 * @property {string} throughputName
 * @property {(point: any) => number} throughputOf - per second
 * @property {(point: any) => number | null} tailOf - its p99 in ms, or what stands for it
 * @property {string} tailWords - what that is where there is no p99
 * @property {(generatorBound: boolean) => string[]} notes - what the figures are of
 * @property {string} [unsteady] - what repeats that contradict the search again and again show
 * @property {string} boundStatement - what a lower bound is not
 *
 * @typedef {Readonly<TrialLoads & TrialJudge & { view: (options: Record<string, unknown>) => TrialView }>} Saturation
 */
