import { cores, sample } from '../../report/gauge.js'

/** @typedef {import('../../result/types.js').Figures} Figures */

/** SERVER_GAUGES are what Prometheus is told of operations and their server beside their figures. @type {readonly import('../../report/gauge.js').Gauge[]} */
export const SERVER_GAUGES = [
  {
    name: 'loadtest_operations_total',
    help: 'Operations measured so far, by type and outcome',
    counts: true,
    labelNames: ['type', 'outcome'],
    read: ({ figures }) =>
      Object.entries(/** @type {Figures} */ (figures).operations).flatMap(([type, { outcomes }]) =>
        Object.entries(outcomes).flatMap(([outcome, count]) => sample(count, { type, outcome }))
      )
  },
  {
    name: 'loadtest_server_cpu_cores',
    help: 'CPU of the server at the last sample, in cores',
    read: ({ progress }) => cores(progress.cpuPercent)
  },
  {
    name: 'loadtest_server_memory_bytes',
    help: 'Memory of the server at the last sample',
    read: ({ progress }) => sample(progress.rssBytes)
  }
]
