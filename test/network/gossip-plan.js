/**
 * @typedef {import('../../src/scenarios/gossip/options.js').GossipPlan} GossipPlan
 */

/**
 * fileWith is a network file with a script and nothing else.
 *
 * @param {import('../../src/scenarios/gossip/plan/network-file.js').ScriptStep[]} script
 * @param {Partial<import('../../src/scenarios/gossip/plan/network-file.js').NetworkFile>} [others]
 */
export const fileWith = (script, others = {}) => ({
  ...{ path: 'net.yaml', zones: null, classes: [], topics: null, gossipsub: {}, placement: null },
  script,
  ...others
})

/** A small plan, with whatever a test is about. @param {Partial<GossipPlan>} [changes] @returns {GossipPlan} */
export const gossipPlan = (changes = {}) => ({
  scenario: 'gossip',
  seed: 7,
  network: 'loopback',
  nodes: 6,
  workers: 1,
  topology: /** @type {any} */ ({ kind: 'line' }),
  dialOrder: 'ascending',
  topics: [{ name: 'load', chance: 1 }],
  pubsub: 'gossipsub',
  security: 'noise',
  stack: ['libp2p-3'],
  stock: false,
  transport: 'tcp',
  muxer: 'yamux',
  signing: true,
  keyType: 'ed25519',
  linkLatencyMs: 0,
  linkLatencies: null,
  linkJitter: null,
  linkLossShare: null,
  linkBandwidthBytesPerSecond: null,
  upBandwidthBytesPerSecond: null,
  downBandwidthBytesPerSecond: null,
  partitions: [],
  churn: null,
  sendQueue: null,
  congestionControl: null,
  nodesPerContainer: null,
  nodeCpus: null,
  nodeMemoryBytes: null,
  publishers: 'random',
  ratePerSecond: 20,
  arrivals: 'constant',
  messages: 10,
  durationMs: null,
  intervalMs: { min: 10, max: 30 },
  loadModel: 'open',
  messageBytes: { min: 1000, max: 1000 },
  maxBacklogBytes: null,
  memoryCeilingBytes: null,
  preset: 'default',
  // faster than by default, for tests to wait less
  gossipsub: { heartbeatInterval: 200 },
  topicScoreParams: null,
  fastMsgId: false,
  validationDelayMs: 0,
  validation: { accept: 1, ignore: 0, reject: 0 },
  warmupMs: null,
  warmupTimeoutMs: 10_000,
  cooldownMs: 5000,
  traces: false,
  thresholds: [],
  ...changes
})
