import { failRules } from './fail-rules.js'
import { GROUP } from './shared-options.js'
import { folderOrLatest, path, wholeNumber, yesOrNo } from './values.js'

/** @typedef {import('./option.js').Option} Option */

/** MOST_RUNS that are looked at: as many pairs can be decided exactly. */
export const MOST_RUNS = 20

/** ALLOW_UNDECIDED, an option of every command that takes a rule or a baseline. @type {Readonly<Option>} */
export const ALLOW_UNDECIDED = {
  group: GROUP.VERDICT,
  part: 'output',
  default: false,
  ...yesOrNo(),
  describe: 'a rule or a baseline that the runs leave undecided makes the exit code 0, not 3'
}

/** REPEATED says where a plan is not run several times, and held against earlier runs. */
export const REPEATED = {
  runs: {
    trial: 'each load is held once; a search repeats those that matter',
    matrix: 'name the row several times, or take ab'
  },
  baseline: {
    trial: 'hold single runs against earlier ones with compare',
    matrix: 'hold single rows against earlier ones with compare'
  },
  failOn: {
    trial: 'it is a rule for a comparison',
    matrix: 'rows are run once, which cannot decide it'
  }
}

/** Studies go on by a --resume of their own. @param {Readonly<Record<string, string>>} places */
const withoutStudies = ({ trial: _, matrix: __, ...others }) => others

/**
 * gateOptions run a plan several times, and hold the runs against earlier ones.
 *
 * @param {import('../measure/figure.js').Comparable} compared - what its runs are compared by
 * @param {Record<'runs' | 'baseline' | 'failOn', Readonly<Record<string, string>>>} [notIn]
 * @returns {Record<string, Readonly<Option>>}
 */
export const gateOptions = (compared, notIn = { runs: {}, baseline: {}, failOn: {} }) => ({
  runs: {
    common: true,
    group: GROUP.VERDICT,
    part: 'output',
    default: 1,
    ...wholeNumber(1, MOST_RUNS),
    notIn: notIn.runs,
    describe: 'run the plan so often: medians over the runs, the least and the greatest'
  },
  baseline: {
    group: GROUP.VERDICT,
    part: 'output',
    ...path(),
    notIn: notIn.baseline,
    describe: 'folder of earlier --runs of the same plan to hold these against; needs --runs itself'
  },
  failOn: {
    group: GROUP.VERDICT,
    part: 'output',
    ...failRules(compared),
    notIn: notIn.failOn,
    only: {
      of: 'runs held against a baseline',
      needs: ['baseline', 'resume'],
      // a folder that is gone on with may hold one
      met: ({ baseline, resume }) => baseline !== undefined || resume !== undefined,
      otherwise: 'needs --baseline: one run alone has not changed'
    },
    describe: `with --baseline, what makes the exit code 3, such as ${compared.example}; can be repeated (default: any of ${compared.figures.map(({ name }) => name).join(', ')} worse by more than 5 %)`
  },
  allowUndecided: { ...ALLOW_UNDECIDED, notIn: notIn.failOn },
  resume: {
    group: GROUP.VERDICT,
    part: 'output',
    ...folderOrLatest(),
    notIn: withoutStudies(notIn.runs),
    only: {
      of: 'runs of a plan',
      needs: ['runs'],
      met: ({ runs }) => runs > 1,
      otherwise: 'needs --runs, and the plan whose runs are gone on with'
    },
    describe: 'with --runs, go on in this folder, or the latest one: complete runs are kept'
  }
})
