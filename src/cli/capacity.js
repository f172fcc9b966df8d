import { grouped } from '../kit/numbers.js'
import { CAPACITY_STUDY } from '../studies/saturation/capacity-study.js'
import { CAPACITY_COMMAND_OPTIONS, planCapacity } from '../studies/saturation/plan/plan-capacity.js'
import { runStudyCommand } from './run-study-command.js'

/**
 * @typedef {import('./arguments.js').Arguments} Arguments
 * @typedef {import('./arguments.js').CommandHelp} CommandHelp
 * @typedef {import('./surroundings.js').Surroundings} Surroundings
 */

/** @type {CommandHelp} */
export const help = {
  options: CAPACITY_COMMAND_OPTIONS,
  examples: /** @type {[string, string][]} */ ([
    ['the network of the source, about 8 minutes', 'capacity --peers 1000000 --requestsPerDay 8'],
    ['a tenth of the requests in the busiest hour', 'capacity --peers 200000 --peakHourShare 0.1'],
    [
      'peers that register in 3 topics, and seldom look for others',
      'capacity --topics 3 --mix register=1,refresh=9,discover=2 --ttl 6h'
    ],
    ['go on where the latest one was broken off', 'capacity --resume']
  ]),
  epilogue:
    'Three rates are held: the mean, the peak hour, three times that; then the sustainable rate of one server is searched for, from the highest of them that it sustained. Formulas and assumptions: docs/capacity.md. Exit codes: 0 done, 1 a run failed, 2 bad usage, 4 with --strict: the answer is a bound, --scale was given, or rates were held for less than a minute, 130 interrupted: what is complete is kept, and --resume goes on.'
}

/**
 * run says how many servers a described network needs.
 *
 * @param {Arguments} args
 * @param {Surroundings} surroundings
 * @returns {Promise<number>} exit code
 */
export async function run(args, surroundings) {
  const made = await planCapacity(args, surroundings)
  const how = {
    command: 'capacity',
    ...(made.problems === undefined && { beginning: beginning(made.planned.document) })
  }
  return runStudyCommand(CAPACITY_STUDY, made, how, surroundings)
}

/** @param {import('../studies/saturation/result/saturation-document.js').CapacityDocument} document */
const beginning = ({ load, scale }) =>
  `a server that holds ${grouped(load.heldRegistrations * scale)} registrations${scale === 1 ? '' : `, which is only ${scale} of those of the network: its figures are not those of the network`}; identities that are new are made once, several thousand a second`
