import { AB_STUDY } from '../studies/comparison/ab-study.js'
import { AB_GOSSIP_OPTIONS, AB_OPTIONS, planAb } from '../studies/comparison/plan/plan-ab.js'
import { runStudyCommand } from './run-study-command.js'

/**
 * @typedef {import('./arguments.js').Arguments} Arguments
 * @typedef {import('./arguments.js').CommandHelp} CommandHelp
 * @typedef {import('./surroundings.js').Surroundings} Surroundings
 */

const EXIT_CODES =
  'Exit codes: 0 compared, 1 a run failed, 3 a --fail-on rule, the baseline or a threshold of a run failed, 130 interrupted: complete pairs are kept and compared, and --resume goes on.'

const PLANS =
  "A plan is a YAML or JSON file as for --config, or options in quotes with a space in them; '' is what the other options say. These hold for both plans, go before files, and stand behind quoted options."

/** Both plans of a gossip network. @type {CommandHelp} */
const AB_GOSSIP = {
  options: AB_GOSSIP_OPTIONS,
  examples: /** @type {[string, string][]} */ ([
    [
      'what changed from one generation of libp2p to the next?',
      "ab gossip '--stack libp2p-2' '--stack libp2p-3' --nodes 30 --rate 5 --messages 300"
    ],
    ['do fast message ids pay?', "ab gossip '--fastMsgId off' '--fastMsgId on'"]
  ]),
  epilogue: `${PLANS} How it is decided: docs/comparison.md. ${EXIT_CODES}`
}

/** @type {CommandHelp} */
export const AB = {
  options: AB_OPTIONS,
  examples: /** @type {[string, string][]} */ ([
    [
      'does one long-lived stream make a difference?',
      `ab '--streamPerOperation true' '--streamPerOperation false' --benchmarkType DISCOVER`
    ],
    ['two plan files, 12 runs each', 'ab before.yaml after.yaml --runs 12'],
    ['how much does this machine scatter?', `ab '' '' --nClients 10`],
    ['fail when p99 is worse by more than 10 %', `ab before.yaml after.yaml --fail-on "p99 > +10%"`],
    [
      'has the program become slower since last week?',
      'ab plan.yaml plan.yaml --baseline results/20261120-0712-ab-7/a'
    ],
    ['go on where the latest one was broken off', 'ab --resume'],
    ['two plans of a gossip network: options of its own', 'ab gossip --help']
  ]),
  epilogue: `${PLANS} How it is decided: docs/comparison.md. ${EXIT_CODES}`,
  forms: { gossip: AB_GOSSIP }
}

/**
 * abCommand runs two plans in turn and compares them.
 *
 * @param {Arguments} args
 * @param {Surroundings} surroundings
 * @returns {Promise<number>} exit code
 */
export async function abCommand(args, surroundings) {
  const command = args.words[0] === 'gossip' ? 'ab gossip' : 'ab'
  return runStudyCommand(AB_STUDY, await planAb(args, surroundings), { command }, surroundings)
}
