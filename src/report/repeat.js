import { PROGRAM } from '../kit/program.js'
import { planFlags, quoted } from '../plan/plan-flags.js'

/**
 * @typedef {import('../studies/comparison/ab-folder.js').AbDocument} AbDocument
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
 * heldFlags are what runs were held to.
 *
 * @param {{ failOn: readonly string[], baseline: string | null }} to
 */
export const heldFlags = ({ failOn, baseline }) => [
  ...failOn.map(rule => `--failOn ${quoted(rule)}`),
  ...(baseline === null ? [] : [`--baseline ${quoted(baseline)}`])
]

/**
 * abCommandLine makes a comparison again, without its plan files at hand.
 *
 * @param {AbDocument} document
 * @param {Scenario} scenario
 */
export function abCommandLine({ arms, pairs, failOn, baseline }, scenario) {
  const [a, b] = [arms.a, arms.b].map(({ plan }) => byOption(planFlags(scenario, plan)))
  const shared = [...a].filter(([name, flag]) => b.get(name) === flag).map(([, flag]) => flag)
  const own = [a, b].map(options => armWord([...options.values()].filter(flag => !shared.includes(flag))))
  return [
    [PROGRAM, 'ab', ...commandOf(scenario)].join(' '),
    ...own,
    `--runs ${pairs.length}`,
    ...shared,
    ...heldFlags({ failOn, baseline })
  ].join(' ')
}
