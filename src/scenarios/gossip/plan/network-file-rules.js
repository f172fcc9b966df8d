// Rules that refuse a network file (--networkFile) together with options that contradict it.
import { formatWhole } from '../../../kit/numbers.js'
import {
  computePublishMs,
  drawSubscriptions,
  expandTopics,
  selectNodes
} from '../../../load/network-script.js'
import { countNodes } from '../../network-options.js'
import {
  findGossipsubProblems,
  findMessageBytesProblem,
  GOSSIPSUB_PARAMS,
  gatherGossipsubParams
} from '../gossipsub.js'

/**
 * @typedef {import('../../../plan/options.js').Rule} Rule
 * @typedef {import('./network-file.js').NetworkFile} NetworkFile
 */

/** Flags for all topics whose values a file gives for each topic. */
const OF_TOPICS = 'topics messageBytes rate publishers interval loadModel topicScoreParams'.split(' ')

/** KEYS_BY_FLAG gives, by flag, the key of the file that gives the same, if it does. @type {Readonly<Record<string, (file: NetworkFile) => string | false>>} */
const KEYS_BY_FLAG = {
  ...Object.fromEntries(OF_TOPICS.map(flag => [flag, file => file.topics !== null && 'topics'])),
  linkLatency: ({ zones }) => zones !== null && 'zones',
  linkJitter: ({ zones }) => zones?.jitter != null && 'zones.jitter',
  linkLoss: ({ zones }) => zones?.lossShare != null && 'zones.loss',
  upBandwidth: ({ classes }) => findClassKey(classes, 'upBytesPerSecond', 'up'),
  downBandwidth: ({ classes }) => findClassKey(classes, 'downBytesPerSecond', 'down'),
  validationDelay: ({ classes }) => findClassKey(classes, 'validation', 'validation'),
  ...Object.fromEntries(
    Object.entries(GOSSIPSUB_PARAMS).map(([flag, { param }]) => [
      flag,
      ({ gossipsub }) => Object.hasOwn(gossipsub, param) && `gossipsub.${param}`
    ])
  )
}

/** @param {NetworkFile['classes']} classes @param {'upBytesPerSecond' | 'downBytesPerSecond' | 'validation'} property @param {string} key */
function findClassKey(classes, property, key) {
  const first = classes.find(each => each[property] !== null)
  return first !== undefined && `classes.${first.name}.${key}`
}

/** Properties of links and nodes in a topology file, by the flag for all of them. @type {readonly [flag: string, property: string][]} */
const TOPOLOGY_FILE_KEYS = [
  ['linkLatency', 'latencyMs'],
  ['linkLoss', 'lossShare'],
  ['upBandwidth', 'upBytesPerSecond'],
  ['downBandwidth', 'downBytesPerSecond']
]

/** @param {Pick<Rule, 'needs' | 'refuse' | 'lacks'>} rule @returns {Rule} */
const makeFileRule = ({ needs = [], refuse, ...rule }) => ({
  ...rule,
  flag: 'networkFile',
  needs: ['nodes', 'topology', 'seed', ...needs],
  refuse: (values, explicit) =>
    values.networkFile !== undefined && refuse({ ...values, nodes: countNodes(values) }, explicit)
})

/** Keys of the file that loopback does not support. @type {readonly [key: string, asked: (file: NetworkFile) => boolean][]} */
const NOT_ON_LOOPBACK = [
  ['zones', ({ zones }) => zones !== null],
  ['classes.….up', ({ classes }) => findClassKey(classes, 'upBytesPerSecond', 'up') !== false],
  ['classes.….down', ({ classes }) => findClassKey(classes, 'downBytesPerSecond', 'down') !== false],
  ['partition in its script', ({ script }) => script.some(({ action }) => action === 'partition')]
]

/** NETWORK_FILE_RULES refuse a network file beside flags, for a number of nodes, or on a kind of network. @type {readonly Rule[]} */
export const NETWORK_FILE_RULES = [
  ...Object.entries(KEYS_BY_FLAG).map(([flag, keyIn]) => ({
    flag,
    needs: ['networkFile'],
    refuse: (
      /** @type {Record<string, any>} */ { networkFile },
      /** @type {Map<string, unknown>} */ explicit
    ) => {
      const key = networkFile !== undefined && explicit.has(flag) && keyIn(networkFile)
      return key && `is also set by ${networkFile.path}, in ${key}: set it in one of them`
    }
  })),
  makeFileRule({
    needs: ['network'],
    lacks: 'simulated',
    refuse: ({ network, networkFile }) => {
      const [key] = NOT_ON_LOOPBACK.find(([, isUsed]) => isUsed(networkFile)) ?? []
      return (
        network === 'loopback' &&
        key !== undefined &&
        `has ${key}, which needs --network simulated, namespaces or docker: loopback does not support it`
      )
    }
  }),
  makeFileRule({
    refuse: ({ nodes, networkFile: { placement } }) =>
      placement !== null &&
      placement.length !== nodes &&
      `places ${placement.length} nodes, and there are ${nodes}`
  }),
  makeFileRule({
    refuse: values => {
      const { nodes, networkFile } = values
      if (networkFile.placement !== null && networkFile.placement.length !== nodes) return false
      const all = selectorsOf(networkFile)
      for (const { key, selector } of all) {
        const node = selector.nodes?.find(each => each >= nodes)
        if (node !== undefined)
          return `names node ${node} in ${key}, and there are ${nodes}: 0 to ${nodes - 1}`
      }
      const { seed } = values
      const empty = all.find(
        ({ selector, name }) => selectNodes(selector, { nodes, seed, networkFile }, ...name).length === 0
      )
      return empty !== undefined && `selects none of ${nodes} nodes in ${empty.key}`
    }
  }),
  makeFileRule({
    refuse: values => {
      const { networkFile, nodes, seed, topics } = values
      if (networkFile.topics === null) return false
      const own = drawSubscriptions({ nodes, seed, networkFile, topics }).flat()
      const count = (/** @type {number} */ topic) => own.filter(each => each === topic).length
      const lonely = expandTopics(networkFile).findIndex((_, topic) => count(topic) < 2)
      return lonely !== -1 && `leaves topic ${topics[lonely].name} with fewer than 2 subscribers`
    }
  }),
  makeFileRule({
    needs: ['arrivals'],
    refuse: ({ networkFile, arrivals }) =>
      networkFile.topics !== null &&
      typeof arrivals !== 'string' &&
      'has topics with their own rates: --arrivals must then be constant or poisson'
  }),
  makeFileRule({
    refuse: ({ networkFile: { topics, script } }) =>
      topics?.every(
        (/** @type {{ ratePerSecond: number | null }} */ { ratePerSecond }) => ratePerSecond === null
      ) &&
      script.every((/** @type {{ action: string }} */ { action }) => action !== 'publish') &&
      'publishes nothing: give a topic a rate, or the script a step that publishes'
  }),
  makeFileRule({
    needs: ['topics'],
    refuse: ({ networkFile, topics }) => {
      const names = topics.map((/** @type {{ name: string }} */ { name }) => name)
      const unknown = /** @type {NetworkFile} */ (networkFile).script.find(
        ({ topic }) => topic !== undefined && !names.includes(topic)
      )
      return (
        unknown !== undefined &&
        `names topic ${unknown.topic} in its script, and there are ${names.slice(0, 8).join(', ')}`
      )
    }
  }),
  makeFileRule({
    needs: ['duration', 'messages', 'rate'],
    refuse: values => {
      const { duration: durationMs, messages, rate: ratePerSecond } = values
      const endMs = computePublishMs({ durationMs, messages, ratePerSecond })
      const late = /** @type {NetworkFile} */ (values.networkFile).script.find(
        ({ atMs, forMs = 0 }) => atMs + forMs > endMs
      )
      return (
        late !== undefined &&
        `has a ${late.action} in its script until ${(late.atMs + (late.forMs ?? 0)) / 1000}s, and publishing ends after ${endMs / 1000}s: give a longer --duration`
      )
    }
  }),
  makeFileRule({
    needs: ['preset', ...Object.keys(GOSSIPSUB_PARAMS)],
    refuse: values => {
      const { gossipsub } = values.networkFile
      const problem = findGossipsubProblems(gatherGossipsubParams(values), values.preset).find(({ param }) =>
        Object.hasOwn(gossipsub, param)
      )
      return problem !== undefined && `has ${problem.param} in gossipsub, which ${problem.message}`
    }
  }),
  makeFileRule({
    refuse: ({ networkFile, ...values }) => {
      const gossipsub = gatherGossipsubParams({ networkFile, ...values })
      const sizes = [
        ...expandTopics(networkFile).map(({ name, spec }) => [`topics.${name}`, spec.messageBytes.max]),
        .../** @type {NetworkFile} */ (networkFile).script.map(({ bytes = 0 }, i) => [`script.${i}`, bytes])
      ]
      for (const [key, bytes] of /** @type {[string, number][]} */ (sizes)) {
        const message = findMessageBytesProblem(bytes, gossipsub)
        if (message !== undefined)
          return `has messages of ${formatWhole(bytes)} bytes in ${key}, which ${message}`
      }
    }
  }),
  makeFileRule({
    needs: ['pubsub'],
    refuse: ({ networkFile, pubsub }) =>
      pubsub === 'floodsub' &&
      Object.keys(networkFile.gossipsub).length > 0 &&
      'has gossipsub parameters, which do not apply with --pubsub floodsub'
  }),
  makeFileRule({
    needs: ['churn', 'profile'],
    refuse: ({ networkFile, topology, churn, profile }) => {
      const has = (/** @type {string} */ action) =>
        networkFile.script.some((/** @type {{ action: string }} */ each) => each.action === action)
      if (networkFile.script.length > 0 && profile !== undefined)
        return 'has a script, which cannot be combined with --profile: nodes must not change while they are sampled'
      if (topology.kind === 'rendezvous' && ['subscribe', 'unsubscribe', 'leave', 'partition'].some(has))
        return 'has a script that does more than publish, which cannot be combined with --topology rendezvous'
      return (
        churn?.asNew &&
        (has('leave') || has('partition')) &&
        'has a leave or a partition in its script: --churn must then have as=itself'
      )
    }
  }),
  makeFileRule({
    refuse: ({ networkFile, topology }) => {
      const [conflict] = TOPOLOGY_FILE_KEYS.filter(([flag, property]) => {
        const { links = [], hosts = [] } = topology
        return KEYS_BY_FLAG[flag](networkFile) && [...links, ...hosts].some(each => property in each)
      })
      return (
        conflict !== undefined &&
        `sets in ${KEYS_BY_FLAG[conflict[0]](networkFile)} what file:${topology.path} of --topology also sets: set it in one of them`
      )
    }
  }),
  makeFileRule({
    refuse: ({ networkFile, topology }) => {
      const { classes } = /** @type {NetworkFile} */ (networkFile)
      const outbound = classes.filter(({ dial }) => dial === 'outbound').map(({ name }) => name)
      return (
        outbound.length > 0 &&
        (topology.kind === 'rendezvous' || topology.kind === 'file') &&
        `has classes that accept no connections (${outbound.join(', ')}), which needs a topology that is made, not ${topology.kind}`
      )
    }
  })
]

/** @param {NetworkFile} file @returns {{ key: string, name: (string | number)[], selector: import('../../../load/network-script.js').Selector }[]} */
const selectorsOf = file => [
  ...expandTopics(file).flatMap(({ name, spec: { publishers, subscribers } }) =>
    Object.entries({ publishers, subscribers }).flatMap(([key, selector]) =>
      selector === null ? [] : [{ key: `topics.${name}.${key}`, name: [key, name], selector }]
    )
  ),
  ...file.script.map(({ who }, step) => ({ key: `script.${step}`, name: ['script', step], selector: who }))
]
