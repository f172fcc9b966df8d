import { DEFAULT_STACK } from '../../../libp2p/stacks.js'
import { GOSSIPSUB_PARAMS } from './gossipsub-params.js'

/** @typedef {import('../../../plan/option.js').Rule} Rule */

/** What floodsub does not have. */
const OF_GOSSIPSUB = [
  ...Object.keys(GOSSIPSUB_PARAMS),
  ...['preset', 'fastMsgId', 'topicScoreParams', 'traces']
]

/** @param {string} flag @param {(value: any) => boolean} asks @param {string} why @returns {Rule} */
const refused = (flag, asks, why) => ({
  flag,
  needs: ['pubsub'],
  refuse: ({ pubsub, ...values }) => pubsub === 'floodsub' && asks(values[flag]) && why
})

/** FLOODSUB_RULES refuse what has no meaning for floodsub, and what it cannot do. @type {readonly Rule[]} */
export const FLOODSUB_RULES = [
  ...OF_GOSSIPSUB.map(flag => ({
    flag,
    needs: ['pubsub'],
    refuse: (/** @type {Record<string, any>} */ { pubsub }, /** @type {Map<string, unknown>} */ given) =>
      pubsub === 'floodsub' && given.has(flag) && 'has no meaning with --pubsub floodsub: it is of gossipsub'
  })),
  refused(
    'signing',
    signing => !signing,
    "must be on with --pubsub floodsub: js-libp2p's drops every message without an author"
  ),
  refused(
    'network',
    network => network === 'simulated',
    'must not be simulated with --pubsub floodsub: only gossipsub is'
  ),
  refused(
    'stack',
    stack => stack.some((/** @type {string} */ each) => each !== DEFAULT_STACK),
    `must be ${DEFAULT_STACK} with --pubsub floodsub`
  )
]
