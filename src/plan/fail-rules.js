// The options --runs, --baseline and --fail-on: when a comparison makes a command fail. Parses these rules and judges
// them.
import { describeRemovedFigure, groupOptions, OPTION_GROUPS } from './options.js'
import { findMetric, listComparedFigures } from './threshold.js'
import { folderOrLatest, path, wholeNumber, yesOrNo } from './values.js'

/**
 * failRulesKind is the kind of --fail-on, which can be given several times.
 *
 * @param {import('../measure/figure.js').Comparable} compared
 * @returns {import('./values.js').OptionValueKind}
 */
export const failRulesKind = compared => ({
  allowed: describeFailRules(compared),
  item: raw => parseFailRule(raw, compared),
  schema: z =>
    z.array(z.object({ text: z.string(), metric: z.string(), operator: z.string(), ratio: z.number() }))
})

const UNREAD = 'must be a metric, > or <, and a change in %, such as "p99 > +10%"'

/**
 * UNPARSED_FAIL_RULES is the kind of --fail-on as long as it is not known what runs the rules are about.
 *
 * @type {import('./values.js').OptionValueKind}
 */
export const UNPARSED_FAIL_RULES = {
  allowed: UNREAD,
  item: raw => (partsOf(raw) === null ? { allowed: UNREAD } : { value: raw }),
  schema: z => z.array(z.unknown())
}

/** @typedef {import('./options.js').Option} Option */

/** MAX_RUNS that are looked at: as many pairs can be decided exactly. */
const MAX_RUNS = 20

/** ALLOW_UNDECIDED, an option of every command that takes a rule or a baseline. @type {Readonly<Option>} */
export const ALLOW_UNDECIDED = {
  group: OPTION_GROUPS.VERDICT,
  part: 'output',
  default: false,
  ...yesOrNo(),
  describe: 'exit code 0, not 3, if a rule or baseline is undecided'
}

/** REPEATED_NOT_IN says where a plan is not run several times, and held against earlier runs. */
export const REPEATED_NOT_IN = {
  runs: {
    trial: 'each load runs once; a search repeats the decisive ones',
    matrix: 'name the row several times, or use ab'
  },
  baseline: {
    trial: 'compare single runs with the command compare',
    matrix: 'compare single rows with the command compare'
  },
  failOn: {
    trial: 'it is a rule for a comparison',
    matrix: 'rows are run once, which cannot decide it'
  }
}

/**
 * makeVerdictOptions run a plan several times, and hold the runs against earlier ones.
 *
 * @param {import('../measure/figure.js').Comparable} compared - what its runs are compared by
 * @param {Record<'runs' | 'baseline' | 'failOn', Readonly<Record<string, string>>>} [notIn]
 * @returns {Record<string, Readonly<Option>>}
 */
export function makeVerdictOptions(compared, notIn = { runs: {}, baseline: {}, failOn: {} }) {
  // studies have a --resume of their own
  const { trial: _, matrix: __, ...notInOthers } = notIn.runs
  return groupOptions(OPTION_GROUPS.VERDICT, 'output', {
    runs: {
      common: true,
      default: 1,
      ...wholeNumber(1, MAX_RUNS),
      notIn: notIn.runs,
      describe: 'number of runs; results are medians with minimum and maximum'
    },
    baseline: {
      ...path(),
      notIn: notIn.baseline,
      describe: 'folder of earlier --runs of this plan to compare with; needs --runs'
    },
    failOn: {
      ...failRulesKind(compared),
      notIn: notIn.failOn,
      only: {
        of: 'runs with a baseline',
        needs: ['baseline', 'resume'],
        // the folder of --resume may have a baseline
        met: ({ baseline, resume }) => baseline !== undefined || resume !== undefined,
        otherwise: 'needs --baseline: a single run has nothing to compare with'
      },
      describe: `change from --baseline that causes exit code 3; for example ${compared.example}. Can be repeated. Default: any of ${compared.figures.map(({ name }) => name).join(', ')} worse by more than 5 %`
    },
    allowUndecided: { ...ALLOW_UNDECIDED, notIn: notIn.failOn },
    resume: {
      ...folderOrLatest(),
      notIn: notInOthers,
      only: {
        of: 'runs of a plan',
        needs: ['runs'],
        met: ({ runs }) => runs > 1,
        otherwise: 'needs --runs, and the plan of the runs to continue'
      },
      describe: 'continue --runs in this folder or the latest; complete runs are kept'
    }
  })
}

/**
 * @typedef {import('../measure/figure.js').Comparable} Comparable
 * @typedef {import('../studies/compare/comparison.js').MetricComparison} MetricComparison
 *
 * @typedef {object} FailRule - what fails a comparison
 * @property {string} text - `p99 > +10%`
 * @property {string} metric
 * @property {'>' | '<'} operator
 * @property {number} ratio - candidate ÷ base
 *
 * @typedef {'PASS' | 'FAIL' | 'UNDECIDED'} RuleVerdict
 *
 * @typedef {object} JudgedRule
 * @property {string} text
 * @property {string} metric
 * @property {RuleVerdict} verdict
 * @property {string | null} why - it is undecided
 * @property {number | null} ratio - that was measured
 * @property {{ low: number, high: number } | null} interval - of it
 * @property {import('../studies/statistics.js').DetectableChange | null} seen - what could have been seen
 */

/**
 * describeFailRules say how a rule is written.
 *
 * @param {Comparable} compared
 */
export function describeFailRules({ figures, example }) {
  const names = figures.map(({ name }) => name).join(', ')
  return `must be a metric (${names.replace(/, (?=[^,]*$)/, ' or ')}), > or <, and a change in %, such as ${example}`
}

/** @param {unknown} raw @returns {{ name: string, operator: string, percent: number } | null} null: it is not written as a rule is */
function partsOf(raw) {
  const [, name, operator, sign, number] =
    /^\s*([a-z][\w.]*)\s*([<>])\s*([+-]?)\s*(\d*\.?\d+)\s*%\s*$/i.exec(String(raw)) ?? []
  const percent = Number(`${sign}${number}`)
  return name === undefined || !(percent > -100) ? null : { name, operator, percent }
}

/**
 * parseFailRule reads what --fail-on gives.
 *
 * @param {unknown} raw
 * @param {Comparable} compared
 * @returns {{ value: FailRule } | { allowed: string }}
 */
export function parseFailRule(raw, compared) {
  const written = partsOf(raw)
  if (written === null) return { allowed: describeFailRules(compared) }
  const { name, operator, percent } = written
  const all = [compared, ...(compared.variants ?? [])].flatMap(({ figures }) => figures)
  const figureNow = (/** @type {string} */ of) => findMetric(of, all)
  const metric = figureNow(name)?.name
  if (metric === undefined)
    return { allowed: describeRemovedFigure(name, figureNow) ?? describeFailRules(compared) }
  return {
    value: Object.freeze({
      text: `${metric} ${operator} ${percent < 0 ? '' : '+'}${percent}%`,
      metric,
      operator: /** @type {'>' | '<'} */ (operator),
      ratio: 1 + percent / 100
    })
  }
}

/**
 * makeBaselineRules are those of a comparison with a baseline when no others are given: nothing may have become worse by more
 * than what counts as a difference.
 *
 * @param {Comparable} compared
 * @param {object} plan - of the runs
 * @returns {readonly FailRule[]}
 */
export const makeBaselineRules = (compared, plan) =>
  listComparedFigures(compared, plan).map(({ name, better }) => {
    const text = better === 'higher' ? `${name} < -5%` : `${name} > +5%`
    return /** @type {{ value: FailRule }} */ (parseFailRule(text, compared)).value
  })

/**
 * makeUndecidedRule is a rule that nothing can decide.
 *
 * @param {FailRule} rule
 * @param {string} why
 * @returns {JudgedRule}
 */
export const makeUndecidedRule = ({ text, metric }, why) => ({
  text,
  metric,
  verdict: 'UNDECIDED',
  why,
  ratio: null,
  interval: null,
  seen: null
})

/**
 * judgeRule decides a rule by the interval of its metric, and only by it: what the interval leaves open is undecided.
 *
 * @param {FailRule} rule
 * @param {readonly MetricComparison[]} metrics
 * @returns {JudgedRule}
 */
export function judgeRule(rule, metrics) {
  const { text, metric, operator } = rule
  const compared = metrics.find(comparison => comparison.metric === metric)
  if (compared === undefined) return makeUndecidedRule(rule, 'no figure of these runs')
  const { ratio, interval, seen, verdict: measuredVerdict } = compared
  const known = { text, metric, ratio, interval, seen }
  if (interval === null) {
    const partly = measuredVerdict === 'not measured' && ratio !== null
    return { ...known, verdict: 'UNDECIDED', why: partly ? 'but not in every run' : measuredVerdict }
  }
  const { low, high } = interval
  const isBeyond = (/** @type {number} */ end) => (operator === '>' ? end > rule.ratio : end < rule.ratio)
  const [nearest, farthest] = operator === '>' ? [low, high] : [high, low]
  if (isBeyond(nearest)) return { ...known, verdict: 'FAIL', why: null }
  if (!isBeyond(farthest)) return { ...known, verdict: 'PASS', why: null }
  return { ...known, verdict: 'UNDECIDED', why: 'the interval is too wide to tell' }
}
