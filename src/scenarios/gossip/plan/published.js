/** PUBLISHED says which plans are those of a published case, and what figures it can have. @type {Readonly<import('../../scenario.js').Published>} */
export const PUBLISHED = Object.freeze({
  case: [
    'nodes',
    'ratePerSecond',
    'publishers',
    'intervalMs',
    'messageBytes',
    'topology',
    'topics',
    'signing',
    'muxer',
    'gossipsub',
    'linkLatencyMs',
    'linkLatencies',
    'linkLossShare',
    'linkBandwidthBytesPerSecond',
    'upBandwidthBytesPerSecond',
    'downBandwidthBytesPerSecond',
    'partitions',
    'churn',
    'sendQueue'
  ],
  rates: ['ratePerSecond', 'intervalMs'],
  reference(z) {
    const number = z.number({ error: 'must be a number' })
    const ofAll = z.tuple([number, number], { error: 'must be two numbers: how many, and of how many' })
    return { disseminationMs: number, received: ofAll, lost: ofAll }
  }
})
