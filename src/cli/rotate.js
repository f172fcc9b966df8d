import { ROTATION_OPTIONS } from '../plan/gossip/rotation-options.js'
import { refuse } from './refuse.js'
import { ROTATE_RENDEZVOUS } from './rotate-rendezvous.js'
import { scenarioCommand } from './scenario-command.js'

/** What can rotate. */
const GOSSIP = 'gossip'
const RENDEZVOUS = 'rendezvous'

/** @type {import('./arguments.js').CommandHelp} */
export const ROTATE = Object.freeze({
  options: ROTATION_OPTIONS,
  examples: /** @type {[string, string][]} */ ([
    ['10 ephemeral nodes among 20 stable ones, 5 minutes', 'rotate gossip'],
    [
      'a node each 5 s, gone for 1 s only',
      'rotate gossip --rotateEvery 5s --downFor 1s --settle 3s --duration 1m'
    ],
    [
      'a small network',
      'rotate gossip --stable 6 --ephemeral 3 --rotateEvery 4s --downFor 2s --settle 3s --duration 20s'
    ],
    [
      'exit code 3 if nodes that have settled miss something',
      'rotate gossip --threshold "deliveryRatio >= 100%"'
    ]
  ]),
  epilogue:
    'These are the options of rotate gossip; those of rotate rendezvous: rotate rendezvous --help.\nThe load is to be below what the network carries, which node index.js gossip --rate auto finds. How deliveries are counted: docs/rotation.md.\nExit codes: 0 done, 1 the run failed, 2 bad usage, 3 a threshold failed, 4 doubtful with --strict, 130 interrupted.'
})

/**
 * rotateFor is the command as it is to be read and helped with: what rotates decides on its options.
 *
 * @param {readonly string[]} argv - without node and script
 */
export const rotateFor = argv =>
  argv[0] === 'rotate' && argv.includes(RENDEZVOUS) && !argv.includes(GOSSIP) ? ROTATE_RENDEZVOUS : ROTATE

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
