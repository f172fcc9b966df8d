import { grouped } from '../kit/numbers.js'
import { CLUSTER_STUDY } from '../studies/cluster/cluster-study.js'
import { CLUSTER_COMMAND_OPTIONS, isClusterRun, planCluster } from '../studies/cluster/plan/plan-cluster.js'
import { clusterInWords } from '../studies/cluster/view/cluster-words.js'
import { CAPACITY_STUDY } from '../studies/saturation/capacity-study.js'
import { CAPACITY_OPTIONS } from '../studies/saturation/plan/capacity-options.js'
import { CAPACITY_COMMAND_OPTIONS, planCapacity } from '../studies/saturation/plan/plan-capacity.js'
import { runStudyCommand } from './run-study-command.js'

/**
 * @typedef {import('./arguments.js').Arguments} Arguments
 * @typedef {import('./arguments.js').CommandHelp} CommandHelp
 * @typedef {import('./surroundings.js').Surroundings} Surroundings
 */

/** @type {CommandHelp} */
const ofRun = {
  describe: "Run a network's load on several rendezvous servers that share a database",
  options: { run: CAPACITY_OPTIONS.run, ...CLUSTER_COMMAND_OPTIONS },
  examples: /** @type {[string, string][]} */ ([
    ['the estimate of the source: a million registrations, three servers, about 6 minutes', 'capacity --run'],
    [
      'a tenth of the registrations, 10 s for each rate: a first look',
      'capacity --run --registrations 100000 --duration 10s'
    ],
    ['how many peers of Waku three servers stand for', 'capacity --run --preset waku --registrations 100000'],
    [
      'with 5 servers on a database of your own',
      'capacity --run --servers 5 --store postgres://loadtest@db/rendezvous'
    ],
    ['go on where the latest one was broken off', 'capacity --run --resume']
  ]),
  epilogue:
    'The servers run here, over a PostgreSQL of the run unless --store names another, and hold one registration of each peer. The answer says what was measured and what is extrapolated: docs/capacity.md. Exit codes: 0 done, whether the rates were carried or not, 1 a run failed, or what was acknowledged was lost, 2 bad usage, 4 with --strict: fewer registrations than peers, rates held for less than a minute, or doubtful figures, 130 interrupted: what is complete is kept, and --resume goes on.'
}

/** @type {CommandHelp} */
export const help = {
  forms: { '--run': ofRun },
  options: CAPACITY_COMMAND_OPTIONS,
  examples: /** @type {[string, string][]} */ ([
    ['the network of the source, about 8 minutes', 'capacity --peers 1000000 --requestsPerDay 8'],
    ['a tenth of the requests in the busiest hour', 'capacity --peers 200000 --peakHourShare 0.1'],
    [
      'peers that register in 3 topics, and seldom look for others',
      'capacity --topics 3 --mix register=1,refresh=9,discover=2 --ttl 6h'
    ],
    ['run it on three servers with one database instead', 'capacity --run'],
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
  if (isClusterRun(args.options)) return runServers(args, surroundings)
  const made = await planCapacity(args, surroundings)
  const how = {
    command: 'capacity',
    ...(made.problems === undefined && { beginning: beginning(made.planned.document) })
  }
  return runStudyCommand(CAPACITY_STUDY, made, how, surroundings)
}

/** @param {Arguments} args @param {Surroundings} surroundings */
async function runServers(args, surroundings) {
  const made = await planCluster(args, surroundings)
  const how = {
    command: 'capacity --run',
    ...(made.problems === undefined && { beginning: clusterBeginning(made.planned.document) })
  }
  return runStudyCommand(CLUSTER_STUDY, made, how, surroundings)
}

/** @param {import('../studies/cluster/result/cluster-document.js').ClusterDocument} document */
const clusterBeginning = document =>
  `${clusterInWords(document)}, with ${grouped(document.registrations)} registrations; identities that are new are made once, several thousand a second`

/** @param {import('../studies/saturation/result/saturation-document.js').CapacityDocument} document */
const beginning = ({ load, scale }) =>
  `a server that holds ${grouped(load.heldRegistrations * scale)} registrations${scale === 1 ? '' : `, which is only ${scale} of those of the network: its figures are not those of the network`}; identities that are new are made once, several thousand a second`
