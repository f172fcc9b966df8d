import { topologyProblem } from '../../network/topology/make-topology.js'
import { IMPAIRMENT_RULES } from './impairment-rules.js'

/**
 * @typedef {import('../combinations.js').Rule} Rule
 * @typedef {import('../read-options.js').Given} Given
 */

/** @param {string} flag @param {string} what @returns {Rule} */
const onlyWithEvery = (flag, what) => ({
  flag,
  needs: ['publishers'],
  refuse: ({ publishers }, given) =>
    given.has(flag) && publishers !== 'every' && `needs --publishers every: ${what}`
})

/** @param {string} flag @returns {Rule} */
const onlyWithRandom = flag => ({
  flag,
  needs: ['publishers'],
  refuse: ({ publishers }, given) =>
    given.has(flag) &&
    publishers === 'every' &&
    'has no use with --publishers every, where each node has its own --interval'
})

/** @type {Rule[]} */
const load = [
  {
    flag: 'duration',
    refuse: (_, given) =>
      given.has('duration') && given.has('messages') && 'cannot be given together with --messages: choose one'
  },
  {
    flag: 'messages',
    needs: ['publishers'],
    refuse: ({ publishers }, given) =>
      given.has('messages') && publishers === 'every' && 'has no use with --publishers every: give --duration'
  },
  {
    flag: 'publishers',
    needs: ['duration'],
    refuse: ({ publishers, duration }) =>
      publishers === 'every' && duration === undefined && 'needs --duration: nodes publish until it is over'
  },
  onlyWithRandom('rate'),
  onlyWithRandom('arrivals'),
  onlyWithEvery('interval', 'else messages are due at --rate'),
  onlyWithEvery('loadModel', 'a rate is an open model')
]

/**
 * nodesOf is how many nodes there are: those of a topology file, unless a number was given.
 *
 * @param {Record<string, any>} values
 * @returns {number}
 */
export const nodesOf = ({ topology, nodes }) => (topology.kind === 'file' ? topology.nodes : nodes)

/** @type {Rule[]} */
const network = [
  {
    flag: 'topology',
    needs: ['nodes'],
    refuse: ({ topology, nodes }, given) => {
      if (topology.kind === 'rendezvous') return
      return topologyProblem(topology, given.has('nodes') ? nodes : nodesOf({ topology, nodes }))
    }
  },
  {
    flag: 'workers',
    needs: ['nodes', 'topology'],
    refuse: ({ workers, ...values }, given) =>
      given.has('workers') &&
      workers > nodesOf(values) &&
      `must be at most --nodes ${nodesOf(values)}: each worker needs a node`
  },
  {
    flag: 'topicScoreParams',
    needs: ['topics'],
    refuse: ({ topicScoreParams = {}, topics }) => {
      const names = topics.map((/** @type {{ name: string }} */ { name }) => name)
      const stranger = Object.keys(topicScoreParams).find(name => !names.includes(name))
      return stranger !== undefined && `has parameters of ${stranger}, and the topics are ${names.join(', ')}`
    }
  }
]

/** @type {Rule[]} */
const mesh = [
  {
    flag: 'D_low',
    needs: ['D'],
    refuse: ({ D = 6, D_low: low = 4 }, given) =>
      (given.has('D') || given.has('D_low')) && low > D && `must be at most D, which is ${D}`
  },
  {
    flag: 'D_high',
    needs: ['D'],
    refuse: ({ D = 6, D_high: high = 12 }, given) =>
      (given.has('D') || given.has('D_high')) && high < D && `must be at least D, which is ${D}`
  },
  {
    flag: 'mcache_gossip',
    needs: ['mcache_len'],
    refuse: ({ mcache_len: kept = 5, mcache_gossip: told = 3 }, given) =>
      (given.has('mcache_len') || given.has('mcache_gossip')) &&
      told > kept &&
      `must be at most mcache_len, which is ${kept}`
  }
]

/**
 * GOSSIP_COMBINATIONS are the combinations of gossip options that cannot be run.
 *
 * @type {readonly Rule[]}
 */
export const GOSSIP_COMBINATIONS = Object.freeze([
  ...network,
  ...IMPAIRMENT_RULES,
  ...load,
  ...mesh
])
