import { path, wholeNumber, yesOrNo } from '../../../plan/values.js'
import { SATURATION_OPTIONS } from '../../../scenarios/saturation-options.js'
import { LEAST_PAIRS } from '../../statistics/equivalence.js'
import { LEAST_RUNS } from '../result/judge-validation.js'

const GROUP = 'Is the simulation right?'

const PATTERN = "must be a pattern for names of cases, such as 'full-*'"

/** @type {import('../../../plan/values.js').Kind} */
const ONE_OR_MORE = {
  allowed: PATTERN,
  schema: z => z.array(z.string()),
  item: text => (typeof text === 'string' && text !== '' ? { value: text } : { allowed: PATTERN })
}

/**
 * VALIDATION_OPTIONS are those of `gossip --validate`, beside those of the plan.
 *
 * @type {Readonly<Record<string, Readonly<import('../../../plan/option.js').Option>>>}
 */
export const VALIDATION_OPTIONS = {
  validate: {
    common: true,
    group: GROUP,
    default: false,
    ...yesOrNo(),
    describe:
      'run the plan on real TCP (--network loopback or namespaces) and simulated, and say whether they agree (exit code 3: they do not, or it is undecided); by default 30 nodes, links of 400ms, 30 messages at 1/s, see docs/simulation.md'
  },
  validateSeeds: {
    group: GROUP,
    default: LEAST_PAIRS,
    ...wholeNumber(LEAST_RUNS, 100),
    describe: `with --validate, runs of each, with --seed and those after it; fewer than ${LEAST_PAIRS} cannot agree`
  },
  validateWith: {
    group: GROUP,
    ...path(),
    allowed: "must be options of the simulated runs, such as '--linkLatency 800ms'",
    describe:
      "with --validate, options that only the simulated runs have, such as --validateWith='--linkLatency 800ms': to see that it is noticed"
  },
  cases: {
    group: GROUP,
    ...path(),
    allowed: 'must name a file of cases, such as validation-cases, which comes with the program',
    describe:
      'with --validate, each case of this list, such as validation-cases, which comes with the program: agrees, differs, or undecided with the runs that would decide it'
  },
  only: {
    group: GROUP,
    ...ONE_OR_MORE,
    describe:
      'with --validate --cases or --resume, run only cases whose name matches this glob for now; can be repeated'
  },
  resume: {
    ...SATURATION_OPTIONS.resume,
    group: GROUP,
    describe:
      'with --validate or --runs, go on in this folder, or the latest one: what was run is not run again'
  }
}
