// The `ab` command: runs two plans alternately and reports the differences of their results.
import { readCommandWord } from '../../scenarios/presets.js'
import { computeMinPairs } from '../../studies/compare/comparison.js'
import {
  describeExpectedPower,
  listAbOptions,
  listComparableScenarios,
  planAb
} from '../../studies/compare/plan.js'
import { COMPARISON_STUDY } from '../../studies/compare/study.js'
import { runStudyCommand } from '../study-command.js'

/**
 * @typedef {import('../command-line.js').Arguments} Arguments
 * @typedef {import('../command-line.js').CommandHelp} CommandHelp
 * @typedef {import('../index.js').ProcessIo} ProcessIo
 */

const EXIT_CODES =
  'Exit codes: 0 compared, 1 a run failed, 3 a rule, baseline or threshold failed or is undecided, 130 interrupted (continue with --resume).'

const PLANS =
  "A plan is a file (as for --config) or quoted options with a space ('': none). Common options override files; quoted ones override both."

/** @param {import('../../scenarios/index.js').ComparableScenario} scenario @returns {CommandHelp} */
const helpOf = scenario => ({
  options: listAbOptions(scenario),
  examples: [...scenario.compared.commands],
  epilogue: `${PLANS} See docs/studies.md.\n${EXIT_CODES}`
})

/** loadAbCommand gives the command, with help for each scenario whose results can be compared. */
export async function loadAbCommand() {
  const [first, ...others] = await listComparableScenarios()
  const { examples, ...help } = helpOf(first)
  const more = others.map(
    scenario =>
      /** @type {[string, string]} */ ([
        `options for two plans of ${readCommandWord(scenario)}`,
        `ab ${readCommandWord(scenario)} --help`
      ])
  )
  const forms = Object.fromEntries(others.map(scenario => [readCommandWord(scenario), helpOf(scenario)]))
  return { help: { ...help, examples: [...examples, ...more], forms }, run: abCommand }
}

/**
 * Runs two plans in turn and compares them.
 *
 * @param {Arguments} args
 * @param {ProcessIo} io
 * @returns {Promise<number>} exit code
 */
async function abCommand(args, io) {
  const comparable = await listComparableScenarios()
  const named = comparable.slice(1).find(scenario => readCommandWord(scenario) === args.words[0])
  const command = named === undefined ? 'ab' : `ab ${readCommandWord(named)}`
  const made = await planAb(args, io)
  const beginning =
    'planned' in made
      ? describeExpectedPower(
          made.planned.document.sides[0].runs.length,
          computeMinPairs((named ?? comparable[0]).compared.figures.length)
        )
      : undefined
  return runStudyCommand(COMPARISON_STUDY, made, { command, beginning }, io)
}
