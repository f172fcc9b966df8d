import { planSaturate } from '../studies/saturation/plan/plan-saturate.js'
import { SATURATE_STUDY } from '../studies/saturation/saturate-study.js'
import { SATURATED } from '../studies/saturation/saturated.js'
import { runStudyCommand } from './run-study-command.js'

/**
 * @typedef {import('./arguments.js').Arguments} Arguments
 * @typedef {import('./arguments.js').CommandHelp} CommandHelp
 * @typedef {import('./surroundings.js').Surroundings} Surroundings
 */

const EXIT_CODES =
  'Exit codes: 0 done, 1 a run failed, 2 bad usage, 4 with --strict: the figure is a lower bound or a cell is doubtful, 130 interrupted: what is complete is kept, and --resume goes on.'

/** @type {CommandHelp} */
const SATURATE_GOSSIP = {
  options: SATURATED.gossip.options,
  examples: /** @type {[string, string][]} */ ([
    ['4 rates to 20 and to 50 nodes, 30 s each: about 7 minutes', 'saturate gossip'],
    [
      'as long as in the source, with rates and nodes of your own',
      'saturate gossip --rate 5/s,10/s,20/s --nodes 20,50 --duration 90s'
    ],
    [
      'search for the highest rate that 50 nodes on this machine carry',
      'saturate gossip --search --nodes 50 --topology random-degree:k=10'
    ],
    [
      'of a network, not of this machine: simulated, with lines of 200 kB/s',
      'saturate gossip --network simulated --upBandwidth 200KB/s --linkLatency 50ms --duration 10s --search --nodes 20'
    ],
    ['go on where the latest one was broken off', 'saturate gossip --resume']
  ]),
  epilogue: `Every cell and every trial is a run of its own on a fresh network, kept in the folder. On real TCP nodes and load generator share the processes: the answer is what this machine carries, not what the network would. How it is decided: docs/saturation.md. ${EXIT_CODES}`
}

/** @type {CommandHelp} */
export const SATURATE = {
  options: SATURATED.rendezvous.options,
  examples: /** @type {[string, string][]} */ ([
    ['the grid of the source, 10 s each: about 4 minutes', 'saturate rendezvous'],
    [
      'as long as in the source, with rates of your own',
      'saturate rendezvous --rates 500,1000,2000 --connections 1,2,4 --duration 90s'
    ],
    ['search for the highest sustainable rate', 'saturate rendezvous --search'],
    [
      'of a container with a third of a core, DISCOVER',
      'saturate rendezvous --search --benchmarkType DISCOVER --server docker --cpus 0.3'
    ],
    ['go on where the latest one was broken off', 'saturate rendezvous --resume'],
    ['of a gossipsub network: options of its own', 'saturate gossip --help']
  ]),
  epilogue: `Every cell and every trial is a run of its own on a fresh server, kept in the folder. REGISTER refreshes registrations here, unless --registerMode new is given. How it is decided: docs/saturation.md. ${EXIT_CODES}`,
  forms: { gossip: SATURATE_GOSSIP }
}

/**
 * saturateCommand tries loads on a server, or a network, and says how much it carries.
 *
 * @param {Arguments} args
 * @param {Surroundings} surroundings
 * @returns {Promise<number>} exit code
 */
export async function saturateCommand(args, surroundings) {
  const command = args.words[0] === 'gossip' ? 'saturate gossip' : 'saturate'
  return runStudyCommand(SATURATE_STUDY, await planSaturate(args, surroundings), { command }, surroundings)
}
