import { grouped } from '../../../kit/numbers.js'
import { nodesSelected, publishMsOf, subscriptionsOf, topicsOf } from '../../../load/network-script.js'
import { nodeCount } from '../../network-options.js'
import { GOSSIPSUB_PARAMS, gossipsubProblems, gossipsubValues, messageBytesProblem } from '../gossipsub.js'

/**
 * What a network file cannot say beside flags, of a network of so many nodes, or to a kind of network.
 *
 * @typedef {import('../../../plan/options.js').Rule} Rule
 * @typedef {import('./network-file.js').NetworkFile} NetworkFile
 */

/** What flags say of all topics that a file says of each. */
const OF_TOPICS = [
  'topics',
  'messageBytes',
  'rate',
  'publishers',
  'interval',
  'loadModel',
  'topicScoreParams'
]

/** By flag: where the file says the same, if it does. @type {Readonly<Record<string, (file: NetworkFile) => string | false>>} */
const SAID_TWICE = {
  ...Object.fromEntries(OF_TOPICS.map(flag => [flag, file => file.topics !== null && 'topics'])),
  linkLatency: ({ zones }) => zones !== null && 'zones',
  linkJitter: ({ zones }) => zones?.jitter != null && 'zones.jitter',
  linkLoss: ({ zones }) => zones?.lossShare != null && 'zones.loss',
  upBandwidth: ({ classes }) => keyOfClass(classes, 'upBytesPerSecond', 'up'),
  downBandwidth: ({ classes }) => keyOfClass(classes, 'downBytesPerSecond', 'down'),
  validationDelay: ({ classes }) => keyOfClass(classes, 'validation', 'validation'),
  ...Object.fromEntries(
    Object.entries(GOSSIPSUB_PARAMS).map(([flag, { param }]) => [
      flag,
      ({ gossipsub }) => Object.hasOwn(gossipsub, param) && `gossipsub.${param}`
    ])
  )
}

/** @param {NetworkFile['classes']} classes @param {'upBytesPerSecond' | 'downBytesPerSecond' | 'validation'} property @param {string} key */
function keyOfClass(classes, property, key) {
  const first = classes.find(each => each[property] !== null)
  return first !== undefined && `classes.${first.name}.${key}`
}

/** What a topology file says of links and nodes, by the flag that says it of all. @type {readonly [flag: string, property: string][]} */
const SAID_BY_TOPOLOGY = [
  ['linkLatency', 'latencyMs'],
  ['linkLoss', 'lossShare'],
  ['upBandwidth', 'upBytesPerSecond'],
  ['downBandwidth', 'downBytesPerSecond']
]

/** @type {Rule[]} */
const saidTwice = Object.entries(SAID_TWICE).map(([flag, placeIn]) => ({
  flag,
  needs: ['networkFile'],
  refuse: ({ networkFile }, given) => {
    const place = networkFile !== undefined && given.has(flag) && placeIn(networkFile)
    return place && `is said by ${networkFile.path} too, in ${place}: say it in one of them`
  }
}))

/** @param {Pick<Rule, 'needs' | 'refuse' | 'lacks'>} rule @returns {Rule} */
const ofFile = ({ needs = [], refuse, ...rule }) => ({
  ...rule,
  flag: 'networkFile',
  needs: ['nodes', 'topology', 'seed', ...needs],
  refuse: (values, given) =>
    values.networkFile !== undefined && refuse({ ...values, nodes: nodeCount(values) }, given)
})

/** Loopback joins all nodes alike. @type {readonly [key: string, asked: (file: NetworkFile) => boolean][]} */
const NOT_ON_LOOPBACK = [
  ['zones', ({ zones }) => zones !== null],
  ['classes.….up', ({ classes }) => keyOfClass(classes, 'upBytesPerSecond', 'up') !== false],
  ['classes.….down', ({ classes }) => keyOfClass(classes, 'downBytesPerSecond', 'down') !== false],
  ['partition in its script', ({ script }) => script.some(({ action }) => action === 'partition')]
]

/** @param {Record<string, any>} values @returns {number} ms; Infinity: without an end */
const publishMs = ({ duration, messages, rate }) =>
  publishMsOf({ durationMs: duration, messages, ratePerSecond: rate })

/** NETWORK_FILE_RULES @type {readonly Rule[]} */
export const NETWORK_FILE_RULES = [
  ...saidTwice,
  ofFile({
    needs: ['network'],
    lacks: 'simulated',
    refuse: ({ network, networkFile }) => {
      const [key] = NOT_ON_LOOPBACK.find(([, asked]) => asked(networkFile)) ?? []
      return (
        network === 'loopback' &&
        key !== undefined &&
        `has ${key}, which needs --network simulated, namespaces or docker: nothing of the kind is done to loopback`
      )
    }
  }),
  ofFile({
    refuse: ({ nodes, networkFile: { placement } }) =>
      placement !== null &&
      placement.length !== nodes &&
      `places ${placement.length} nodes, and there are ${nodes}`
  }),
  ofFile({
    refuse: values => {
      const { nodes, networkFile } = values
      if (networkFile.placement !== null && networkFile.placement.length !== nodes) return false
      const all = selectorsOf(networkFile)
      const stranger = all.find(({ selector }) => selector.nodes?.some(node => node >= nodes))
      if (stranger !== undefined) {
        const node = stranger.selector.nodes?.find(each => each >= nodes)
        return `names node ${node} in ${stranger.key}, and there are ${nodes}: 0 to ${nodes - 1}`
      }
      const empty = all.find(
        ({ selector, name }) => nodesSelected(selector, plannedAs(values), ...name).length === 0
      )
      return empty !== undefined && `selects none of ${nodes} nodes in ${empty.key}`
    }
  }),
  ofFile({
    refuse: values => {
      const { networkFile } = values
      if (networkFile.topics === null) return false
      const own = subscriptionsOf({ ...plannedAs(values), topics: values.topics }).flat()
      const count = (/** @type {number} */ topic) => own.filter(each => each === topic).length
      const place = topicsOf(networkFile).findIndex((_, topic) => count(topic) < 2)
      return place !== -1 && `leaves topic ${values.topics[place].name} with fewer than 2 subscribers`
    }
  }),
  ofFile({
    needs: ['arrivals'],
    refuse: ({ networkFile, arrivals }) =>
      networkFile.topics !== null &&
      typeof arrivals !== 'string' &&
      'has topics with rates of their own: --arrivals must be constant or poisson beside them'
  }),
  ofFile({
    refuse: ({ networkFile: { topics, script } }) =>
      topics?.every(
        (/** @type {{ ratePerSecond: number | null }} */ { ratePerSecond }) => ratePerSecond === null
      ) &&
      script.every((/** @type {{ action: string }} */ { action }) => action !== 'publish') &&
      'publishes nothing: give a topic a rate, or the script a step that publishes'
  }),
  ofFile({
    needs: ['topics'],
    refuse: ({ networkFile, topics }) => {
      const names = topics.map((/** @type {{ name: string }} */ { name }) => name)
      const stranger = /** @type {NetworkFile} */ (networkFile).script.find(
        ({ topic }) => topic !== undefined && !names.includes(topic)
      )
      return (
        stranger !== undefined &&
        `names topic ${stranger.topic} in its script, and there are ${names.slice(0, 8).join(', ')}`
      )
    }
  }),
  ofFile({
    needs: ['duration', 'messages', 'rate'],
    refuse: values => {
      const endMs = publishMs(values)
      const late = /** @type {NetworkFile} */ (values.networkFile).script.find(
        ({ atMs, forMs = 0 }) => atMs + forMs > endMs
      )
      return (
        late !== undefined &&
        `has a ${late.action} in its script until ${(late.atMs + (late.forMs ?? 0)) / 1000}s, and publishing ends after ${endMs / 1000}s: give a longer --duration`
      )
    }
  }),
  ofFile({
    needs: ['preset', ...Object.keys(GOSSIPSUB_PARAMS)],
    refuse: values => {
      const { gossipsub } = values.networkFile
      const problem = gossipsubProblems(gossipsubValues(values), values.preset).find(({ param }) =>
        Object.hasOwn(gossipsub, param)
      )
      return problem !== undefined && `has ${problem.param} in gossipsub, which ${problem.message}`
    }
  }),
  ofFile({
    refuse: ({ networkFile, ...values }) => {
      const gossipsub = gossipsubValues({ networkFile, ...values })
      const sizes = [
        ...topicsOf(networkFile).map(({ name, spec }) => ({
          key: `topics.${name}`,
          bytes: spec.messageBytes.max
        })),
        .../** @type {NetworkFile} */ (networkFile).script.map(({ bytes = 0 }, step) => ({
          key: `script.${step}`,
          bytes
        }))
      ]
      const [problem] = sizes.flatMap(({ key, bytes }) => {
        const message = messageBytesProblem(bytes, gossipsub)
        return message === undefined
          ? []
          : [`has messages of ${grouped(bytes)} bytes in ${key}, which ${message}`]
      })
      return problem
    }
  }),
  ofFile({
    needs: ['pubsub'],
    refuse: ({ networkFile, pubsub }) =>
      pubsub === 'floodsub' &&
      Object.keys(networkFile.gossipsub).length > 0 &&
      'has gossipsub, which has no meaning with --pubsub floodsub'
  }),
  ofFile({
    needs: ['churn', 'profile'],
    refuse: ({ networkFile, topology, churn, profile }) => {
      const has = (/** @type {string} */ action) =>
        networkFile.script.some((/** @type {{ action: string }} */ each) => each.action === action)
      if (networkFile.script.length > 0 && profile !== undefined)
        return 'has a script, which --profile cannot be beside: nothing happens to nodes that are sampled'
      if (topology.kind === 'rendezvous' && ['subscribe', 'unsubscribe', 'leave', 'partition'].some(has))
        return 'has a script that does more than publish, which --topology rendezvous cannot be beside'
      return (
        churn?.asNew &&
        (has('leave') || has('partition')) &&
        'has a leave or a partition in its script: --churn must have as=itself beside it'
      )
    }
  }),
  ofFile({
    refuse: ({ networkFile, topology }) => {
      const [said] = SAID_BY_TOPOLOGY.filter(([flag, property]) => {
        const { links = [], hosts = [] } = topology
        return SAID_TWICE[flag](networkFile) && [...links, ...hosts].some(each => property in each)
      })
      return (
        said !== undefined &&
        `says in ${SAID_TWICE[said[0]](networkFile)} what file:${topology.path} of --topology says too: say it in one of them`
      )
    }
  }),
  ofFile({
    refuse: ({ networkFile, topology }) => {
      const outbound = outboundNodes(networkFile)
      return (
        outbound.length > 0 &&
        (topology.kind === 'rendezvous' || topology.kind === 'file') &&
        `has classes that accept no connections (${outbound.join(', ')}), which needs a topology that is made, not ${topology.kind}`
      )
    }
  })
]

/** @param {NetworkFile} file */
const outboundNodes = ({ classes }) =>
  classes.filter(({ dial }) => dial === 'outbound').map(({ name }) => name)

/** @param {Record<string, any>} values */
const plannedAs = ({ nodes, seed, networkFile }) => ({ nodes, seed, networkFile })

/** @param {NetworkFile} file @returns {{ key: string, name: (string | number)[], selector: import('../../../load/network-script.js').Selector }[]} */
const selectorsOf = file => [
  ...topicsOf(file).flatMap(({ name, spec: { publishers, subscribers } }) =>
    Object.entries({ publishers, subscribers }).flatMap(([key, selector]) =>
      selector === null ? [] : [{ key: `topics.${name}.${key}`, name: [key, name], selector }]
    )
  ),
  ...file.script.map(({ who }, step) => ({ key: `script.${step}`, name: ['script', step], selector: who }))
]
