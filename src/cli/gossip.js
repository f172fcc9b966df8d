import { camelCase } from '../plan/camel-case.js'
import { GOSSIP_OPTIONS } from '../plan/gossip/gossip-options.js'
import { scenarioCommand } from './scenario-command.js'
import { VALIDATION_OPTIONS } from './validation-options.js'

/** @type {import('./arguments.js').CommandHelp} */
export const GOSSIP = Object.freeze({
  options: Object.freeze({ ...GOSSIP_OPTIONS, ...VALIDATION_OPTIONS }),
  examples: /** @type {[string, string][]} */ ([
    ['100 messages to 95 nodes', 'gossip'],
    [
      'the topology of the 95-node study, 20 s long',
      'gossip --topology barabasi-albert:m=6,seed=42,networkx=2.4 --preset study-2019 --duration 20s'
    ],
    ['links of 50 ms', 'gossip --nodes 30 --linkLatency 50ms'],
    [
      'every host publishes on one of three topics at its own random intervals',
      'gossip --nodes 20 --topics foo=0.7,bar=0.4,quix=0.8 --publishers every --interval 1s-3s --duration 20s'
    ],
    ['a network of your own', 'gossip --topology file:network.graphml'],
    ['nodes that find each other at a rendezvous server', 'gossip --nodes 30 --topology rendezvous'],
    [
      'the same code in virtual time, with losses, and with two halves that are cut off for 5 s',
      'gossip --network simulated --nodes 30 --linkLatency 50ms --linkLoss 0.1% --upBandwidth 10MB/s --partition "hold@5s-10s:0-14|rest"'
    ],
    ['does the simulated network agree with real TCP? About 5 minutes', 'gossip --validate'],
    ['exit code 3 if something is lost', 'gossip --threshold "deliveryRatio >= 100%"']
  ]),
  epilogue:
    'Parameters of gossipsub have the names of its specification.\nExit codes: 0 done, 1 the run failed, 2 bad usage, 3 a threshold or a validation failed, 4 doubtful with --strict, 130 interrupted.'
})

const run = scenarioCommand('gossip', 'gossip --help')

/** @param {import('./arguments.js').Arguments} args */
const asksForValidation = ({ options }) =>
  Object.keys(options).some(name => Object.hasOwn(VALIDATION_OPTIONS, camelCase(name)))

/**
 * gossipCommand runs a network, or validates the simulated one.
 *
 * @param {import('./arguments.js').Arguments} args
 * @param {import('./surroundings.js').Surroundings} surroundings
 * @returns {Promise<number>} exit code
 */
export async function gossipCommand(args, surroundings) {
  if (!asksForValidation(args)) return run(args, surroundings)
  const { validateGossip } = await import('./validate-gossip.js')
  return validateGossip(args, surroundings)
}
