import { ROTATE_GOSSIP } from '../scenarios/rotate-gossip/scenario.js'
import { ROTATE_RENDEZVOUS } from '../scenarios/rotate-rendezvous/scenario.js'
import { refuse } from './refuse.js'
import { commandOf, scenarioCommand } from './scenario-command.js'

/** What can rotate. */
const GOSSIP = 'gossip'
const RENDEZVOUS = 'rendezvous'

/** ROTATE describes `rotate`, with the options of `rotate gossip`. */
export const ROTATE = commandOf(ROTATE_GOSSIP, 'rotate')

const OF_RENDEZVOUS = commandOf(ROTATE_RENDEZVOUS, 'rotate')

/**
 * rotateFor is the command as it is to be read and helped with: what rotates decides on its options.
 *
 * @param {readonly string[]} argv - without node and script
 */
export const rotateFor = argv =>
  argv[0] === ROTATE.name && argv.includes(RENDEZVOUS) && !argv.includes(GOSSIP) ? OF_RENDEZVOUS : ROTATE

/** @type {Readonly<Record<string, ReturnType<typeof scenarioCommand>>>} */
const RUN = Object.freeze({
  [GOSSIP]: scenarioCommand('rotation', 'rotate gossip --help'),
  [RENDEZVOUS]: scenarioCommand('rotation-rendezvous', 'rotate rendezvous --help')
})

/**
 * rotateCommand plans a run whose nodes rotate, runs it and shows and keeps its result.
 *
 * @param {import('./arguments.js').Arguments} args
 * @param {import('./surroundings.js').Surroundings} surroundings
 * @returns {Promise<number>} exit code
 */
export async function rotateCommand({ words: [what, ...words], ...args }, surroundings) {
  if (what !== undefined && Object.hasOwn(RUN, what)) return RUN[what]({ ...args, words }, surroundings)
  const allowed = `must be ${GOSSIP} or ${RENDEZVOUS}, as in rotate ${GOSSIP}`
  return refuse('rotate', [{ flag: 'scenario', value: what ?? '', allowed }], surroundings)
}
