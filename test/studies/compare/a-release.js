import { time } from '../../report/sample-result.js'

/**
 * @typedef {import('../../../src/studies/compare/releases.js').Release} Release
 * @typedef {import('../../../src/studies/compare/releases.js').ReleaseLoad} ReleaseLoad
 */

/** aLoad is one of 100/s with two connections that was carried. @param {Partial<ReleaseLoad>} [parts] @returns {ReleaseLoad} */
export const aLoad = (parts = {}) => ({
  ...{ size: 2, perSecond: 100, load: 100, throughput: 100, p50: time(2), p99: time(6), beyond: false },
  ...parts
})

/** aRelease is what a release came to that tried two loads. @param {Partial<Release>} [parts] @returns {Release} */
export const aRelease = (parts = {}) => ({
  ...{ label: 'results/one', id: 'one', startedAt: '2026-11-20T07:12:00.000Z', scenario: 'rendezvous' },
  options: {},
  answer: 'It kept up with every load.',
  loads: [aLoad(), aLoad({ perSecond: 200, load: 200, throughput: 200, p50: time(4) })],
  ...{ rotationSlope: null, rotationCame: null, rotationSeconds: 0 },
  runs: { examined: null, rotation: null },
  ...parts
})
