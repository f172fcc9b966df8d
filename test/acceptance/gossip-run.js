import { INDEX, Loadtest, newFolder, runCommand, startProgram } from './loadtest.js'
import { processesWith } from './processes.js'

/**
 * @typedef {import('../../src/scenarios/gossip/outcome.js').GossipResult} GossipResult
 * @typedef {Omit<import('./loadtest.js').Outcome, 'result'> & { result: GossipResult }} GossipEnded
 */

/** small is a network that stands within seconds. @param {number} [nodes] @param {number} [workers] */
export const small = (nodes = 8, workers = 2) => [
  ...['--linkLatency', '0'],
  ...[
    '--nodes',
    String(nodes),
    '--workers',
    String(workers),
    '--messageBytes',
    '100',
    '--heartbeat_interval',
    '200ms'
  ],
  ...['--cooldown', '10s']
]

/**
 * startGossip starts a run of the gossip scenario, with results in a folder of its own.
 *
 * @param {readonly string[]} args
 */
export async function startGossip(args) {
  const outputDir = await newFolder()
  const program = startProgram(INDEX, ['gossip', ...args, '--outputDir', outputDir])
  const loadtest = new Loadtest(program, outputDir)
  return {
    ended: /** @type {Promise<GossipEnded>} */ (/** @type {Promise<unknown>} */ (loadtest.ended)),
    line: (/** @type {RegExp} */ pattern) => loadtest.line(pattern),
    signal: (/** @type {NodeJS.Signals} */ signal) => loadtest.signal(signal),
    leftAfter: () => loadtest.leftAfter(),
    /** pidsOf lists the processes of a script that the run has started. @param {string} script */
    pidsOf: async script =>
      processesWith(program.mark)
        .filter(({ command }) => command.includes(script))
        .map(({ pid }) => pid)
  }
}

/** runGossip runs one to its end, in this process. @param {readonly string[]} args @returns {Promise<GossipEnded>} */
export const runGossip = args => /** @type {any} */ (runCommand(['gossip', ...args]))
