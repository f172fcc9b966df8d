import { RENDEZVOUS_FACE, tailFigure } from './face.js'

/** Clients that look for one another. */
const CHURNED = { benchmarkType: 'DISCOVER', nNamespaces: '1', discoverLimit: '1000' }

/**
 * RENDEZVOUS_QA is what `qa` runs on a rendezvous server.
 *
 * @type {import('../../saturation.js').QaRuns}
 */
export const RENDEZVOUS_QA = {
  // the grid of the source, and rates beyond it until some are not carried
  full: { rates: [25, 50, 100, 200], sizes: [1, 2, 4], seconds: 90, factor: 2, rows: 10 },
  quick: { rates: [50, 200, 800], sizes: [1, 4], seconds: 2, factor: 2, rows: 4 },
  quickOptions: {},
  figures: [
    {
      name: 'p50',
      title: 'p50, ms',
      part: 'times',
      of: ({ rt }) => rt.p50?.ms ?? null,
      isBound: ({ rt }) => rt.p50?.censored ?? false
    },
    {
      name: 'p99',
      title: 'p99, ms',
      part: 'times',
      of: RENDEZVOUS_FACE.tailOf,
      isBound: point => tailFigure(point)?.censored ?? false
    },
    {
      name: 'failed',
      title: 'Without success, %',
      part: 'times',
      isShare: true,
      of: ({ failed, due }) => (due === 0 ? null : (100 * failed) / due)
    },
    {
      name: 'cpu',
      title: 'CPU of the server, %',
      part: 'resources',
      of: ({ serverCpuPercent }) => serverCpuPercent
    },
    {
      name: 'memory',
      title: 'Memory of the server, MB',
      part: 'resources',
      of: ({ serverMemoryBytes }) => (serverMemoryBytes === null ? null : serverMemoryBytes / 1e6)
    }
  ],
  churnPerSecond: 30,
  churnOptions: { ...CHURNED, nClients: '30', churn: '10,every=5s,away=2s', ttl: '1m' },
  quickChurnOptions: {
    ...{ ...CHURNED, nClients: '15', churn: '5,every=1s,away=500ms', ttl: '4s' },
    warmup: '500ms'
  }
}
