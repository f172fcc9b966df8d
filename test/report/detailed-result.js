import { operation, SERVER, sampleResult, summary, time } from './sample-result.js'

/**
 * detailedResult is a result in which every kind of figure differs from every other.
 *
 * @returns {import('../../src/result/types.js').Result}
 */
export const detailedResult = () =>
  sampleResult({
    options: { benchmarkType: 'MIXED', rate: '500/s', nClients: 12, initialRegistrations: 3400 },
    outcome: {
      operations: {
        DISCOVER: operation({
          count: 1003,
          errors: 3,
          outcomes: { OK: 1000, TIMEOUT: 3 },
          throughputPerSecond: 498.765,
          throughputIsLowerBound: true,
          all: summary(1003, {
            avg: time(31.23, { censored: true }),
            p50: time(1.234, { doubtful: true }),
            p90: time(2.345),
            p95: time(3.456),
            p99: time(456.7),
            p999: null,
            max: time(10_002.5, { censored: true, doubtful: true })
          }),
          service: summary(1003, { p50: time(1.111) }),
          lag: summary(1003, { p50: time(0.123), max: time(7.5) }),
          bytesPerReply: 5123.4
        }),
        REGISTER: operation({ count: 77, throughputPerSecond: 38.5, serverCpuMicrosPerOperation: 181.6 })
      },
      measuredMs: 2000,
      perSecond: [
        {
          second: 0,
          type: 'DISCOVER',
          outcome: 'OK',
          histogram: [
            [1200, 600],
            [2000, 399],
            [9000, 1]
          ]
        },
        { second: 1, type: 'DISCOVER', outcome: 'TIMEOUT', histogram: [[10_000_000, 3]] }
      ],
      server: {
        ...SERVER,
        series: [
          { atMs: 1000.5, cpuPercent: 31.25, rssBytes: 98_000_000 },
          { atMs: 1250.75, cpuPercent: 42, rssBytes: 98_400_000 }
        ]
      }
    }
  })
