/**
 * GOSSIP_QA is what `qa` runs on a gossip network.
 *
 * @type {import('../../saturation.js').QaRuns}
 */
export const GOSSIP_QA = {
  full: { rates: [5, 10, 20, 40], sizes: [20, 50], seconds: 90, factor: 2, rows: 6 },
  quick: { rates: [5, 20, 80], sizes: [10, 20], seconds: 3, factor: 4, rows: 2 },
  // what never comes beyond the diagonal is not waited for
  quickOptions: { cooldown: '5s' },
  figures: [
    {
      name: 'p50',
      title: 'Dissemination p50, ms',
      part: 'times',
      of: ({ rt }) => rt.p50?.ms ?? null,
      isBound: ({ rt }) => rt.p50?.censored ?? false
    },
    {
      name: 'p99',
      title: 'Dissemination p99, ms',
      part: 'times',
      of: ({ tailMs }) => tailMs,
      // it is of messages that reached everyone
      isBound: ({ missing }) => missing > 0
    },
    {
      name: 'missing',
      title: 'Deliveries missing, %',
      part: 'times',
      isShare: true,
      of: ({ missing, dueDeliveries }) => (dueDeliveries === 0 ? null : (100 * missing) / dueDeliveries)
    },
    { name: 'cpu', title: 'CPU of all processes, %', part: 'resources', of: ({ cpuPercent }) => cpuPercent }
  ],
  churnPerSecond: 2,
  churnOptions: { nodes: '30', topology: 'random-degree:k=6', churn: '10,every=15s,away=5s' },
  quickChurnOptions: {
    ...{ nodes: '15', topology: 'random-degree:k=6', cooldown: '5s' },
    churn: '5,every=2s,away=1s,settle=1s,dials=4'
  }
}
