import { PROGRAM } from '../../kit/program.js'
/** NAME stands in plans and results as it was first written; everywhere else the scenario is called like its command. */
export const NAME = /** @type {const} */ ('rotation')

/** COMMAND is how the scenario is called and helped with. @type {Readonly<import('../scenario.js').CommandText>} */
export const COMMAND = {
  words: 'rotate gossip',
  describe: 'Kill and replace nodes of a gossipsub network in turn while it carries messages',
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
  epilogue: `The load is to be below what the network carries, which ${PROGRAM} saturate gossip --search finds. How deliveries are counted: docs/rotation.md.\nExit codes: 0 done, 1 the run failed, 2 bad usage, 3 a threshold failed, 4 generator-limited with --strict, 130 interrupted.`
}
