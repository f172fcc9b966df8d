import { PROGRAM } from '../kit/program.js'
import { planFlags, quoted } from '../plan/plan-flags.js'

/**
 * @typedef {import('../studies/comparison/comparison-document.js').ComparisonDocument} ComparisonDocument
 * @typedef {import('../scenarios/scenario.js').Scenario} Scenario
 */

/** @param {string} folder - of the run */
const rerunCommandLine = folder => `${PROGRAM} rerun ${quoted(folder)}`

/**
 * repeatCommandLine runs a plan again where its result is at hand.
 *
 * @param {string} folder - of the run
 * @param {import('../plan/plan.js').AnyPlan} plan
 * @param {Scenario} scenario
 */
export const repeatCommandLine = (folder, plan, { commandLine }) =>
  commandLine?.(plan) ?? rerunCommandLine(folder)

/**
 * reportCommandLine makes the views of a result again.
 *
 * @param {string} folder - of the run
 */
export const reportCommandLine = folder => `${PROGRAM} report ${quoted(folder)}`

/**
 * planCommandLine runs a plan without its result at hand.
 *
 * @param {import('../plan/plan.js').AnyPlan} plan
 * @param {Scenario} scenario
 */
export const planCommandLine = (plan, scenario) =>
  scenario.commandLine?.(plan) ?? [PROGRAM, ...commandOf(scenario), ...planFlags(scenario, plan)].join(' ')

/** @param {Scenario} scenario */
const commandOf = ({ command: { words } }) => (words === '' ? [] : [words])

/** @param {string[]} flags @returns {Map<string, string>} by option: all it is given */
function byOption(flags) {
  /** @type {Map<string, string>} */
  const options = new Map()
  for (const flag of flags) {
    const name = flag.split(' ')[0].replace(/^--(no-)?/, '')
    options.set(name, options.has(name) ? `${options.get(name)} ${flag}` : flag)
  }
  return options
}

/** Options in quotes; a single one needs a space to be told from an option of the command. @param {string[]} flags */
function armWord(flags) {
  const text = flags.join(' ')
  return text === '' ? "''" : quoted(text.includes(' ') ? text : ` ${text}`)
}

/**
 * comparisonCommandLine makes a comparison again, without its plan files at hand.
 *
 * @param {Pick<ComparisonDocument, 'sides' | 'failOn' | 'baseline'>} document
 * @param {Scenario} scenario
 */
export function comparisonCommandLine({ sides, failOn, baseline }, scenario) {
  const held = [
    ...failOn.map(rule => `--failOn ${quoted(rule)}`),
    ...(baseline === null ? [] : [`--baseline ${quoted(baseline)}`])
  ]
  const runs = `--runs ${sides[0].runs.length}`
  if (sides.length === 1) return [planCommandLine(sides[0].plan, scenario), runs, ...held].join(' ')
  const [a, ...others] = sides.map(({ plan }) => byOption(planFlags(scenario, plan)))
  const shared = [...a].flatMap(([name, flag]) =>
    others.every(options => options.get(name) === flag) ? [flag] : []
  )
  const own = [a, ...others].map(options =>
    armWord([...options.values()].filter(flag => !shared.includes(flag)))
  )
  return [[PROGRAM, 'ab', ...commandOf(scenario)].join(' '), ...own, runs, ...shared, ...held].join(' ')
}
