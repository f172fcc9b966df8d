/**
 * @typedef {import('../../../src/plan/gossip/gossip-plan.js').GossipPlan} GossipPlan
 */

/** A small plan, with whatever a test is about. @param {Partial<GossipPlan>} [changes] @returns {GossipPlan} */
export const gossipPlan = (changes = {}) => ({
  scenario: 'gossip',
  seed: 7,
  network: 'loopback',
  fidelity: 'gossipsub',
  nodes: 6,
  workers: 1,
  topology: /** @type {any} */ ({ kind: 'line' }),
  topics: [{ name: 'load', chance: 1 }],
  security: 'noise',
  muxer: 'yamux',
  signing: true,
  keyType: 'ed25519',
  linkLatencyMs: 0,
  linkJitterMs: 0,
  ideal: false,
  lossShare: null,
  bandwidthBytesPerSecond: null,
  publishers: 'random',
  ratePerSecond: 20,
  autoRate: false,
  autoFromPerSecond: 1,
  autoDurationMs: 30_000,
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
  warmupTimeoutMs: 10_000,
  cooldownMs: 5000,
  traces: false,
  thresholds: [],
  ...changes
})
