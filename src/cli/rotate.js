import { ROTATION_OPTIONS } from '../plan/gossip/rotation-options.js'
import { refuse } from './refuse.js'
import { scenarioCommand } from './scenario-command.js'

const WHAT = 'gossip'

/** @type {import('./arguments.js').Command} */
export const ROTATE = Object.freeze({
  name: 'rotate',
  describe: 'Kill and replace nodes of a gossipsub network in turn while it carries messages',
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
    'The load is to be below what the network carries, which node index.js gossip --rate auto finds. How deliveries are counted: docs/rotation.md.\nExit codes: 0 done, 1 the run failed, 2 bad usage, 3 a threshold failed, 4 doubtful with --strict, 130 interrupted.'
})

const run = scenarioCommand('rotation', 'rotate --help')

/**
 * rotateCommand plans a run whose nodes rotate, runs it and shows and keeps its result.
 *
 * @param {import('./arguments.js').Arguments} args
 * @param {import('./surroundings.js').Surroundings} surroundings
 * @returns {Promise<number>} exit code
 */
export async function rotateCommand({ words: [what, ...words], ...args }, surroundings) {
  if (what === WHAT) return run({ ...args, words }, surroundings)
  const allowed = `must be ${WHAT}, as in rotate ${WHAT}`
  return refuse('rotate', [{ flag: 'scenario', value: what ?? '', allowed }], surroundings)
}
