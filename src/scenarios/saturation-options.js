import { decimal } from '../kit/numbers.js'
import { thresholds } from '../plan/threshold.js'
import { folderOrLatest, rate, seconds, wholeNumber, yesOrNo } from '../plan/values.js'

/** GRID is the group of options of a grid. */
export const GRID = 'The grid:'
const SEARCH = 'The search:'
const BOTH = 'Both:'

/** MOST_PER_SECOND is the highest rate of any trial. */
export const MOST_PER_SECOND = 1_000_000

/**
 * sloOption gives the objective by which loads of a scenario are judged.
 *
 * @param {import('./saturation.js').TrialObjective} objective
 * @returns {import('../plan/option.js').Option}
 */
export const sloOption = ({ figures, usual }) => ({
  common: true,
  group: BOTH,
  ...thresholds(figures, false),
  defaultText: usual.join('; '),
  describe:
    'what a load must meet to be sustained: conditions as of --threshold, repeated or with ; between them. Each replaces the condition of the default on the same figure, any time that on p99'
})

/** SATURATION_OPTIONS are those of finding out how much load is carried, whatever carries it. @type {Readonly<Record<string, import('../plan/option.js').Option>>} */
export const SATURATION_OPTIONS = {
  search: {
    common: true,
    group: SEARCH,
    default: false,
    ...yesOrNo(),
    describe: 'instead of a grid, search for the highest sustainable rate'
  },
  from: {
    common: true,
    group: SEARCH,
    ...rate({ max: MOST_PER_SECOND }),
    defaultText: '100/s',
    describe: 'with --search, the first rate, of all connections together'
  },
  most: {
    common: true,
    group: SEARCH,
    ...rate({ max: MOST_PER_SECOND }),
    defaultText: '1000000/s',
    describe: 'with --search, no rate above this one is tried'
  },
  repeats: {
    common: true,
    group: SEARCH,
    ...wholeNumber(0, 100),
    defaultText: '0',
    describe: 'with --search, how often both ends of the bracket are run again before the blocks'
  },
  blocks: {
    group: SEARCH,
    allowed: 'must be 0, or a whole number from 4 to 100',
    schema: z =>
      z.preprocess(
        value => decimal(String(value)),
        z
          .number()
          .int()
          .max(100)
          .refine(blocks => blocks === 0 || blocks >= 4)
      ),
    defaultText: '8',
    describe:
      'with --search, blocks of five rates around the one that was bracketed, in shuffled order; 0: the bracket alone'
  },
  duration: {
    common: true,
    short: 'd',
    group: BOTH,
    default: '10s',
    ...seconds({ min: '1s', max: '24h' }),
    describe: 'how long each load is held, in whole seconds; the source took 90s'
  },
  resume: {
    common: true,
    group: BOTH,
    ...folderOrLatest(),
    describe: 'go on in this folder, or the latest one: what was run is not run again'
  }
}
