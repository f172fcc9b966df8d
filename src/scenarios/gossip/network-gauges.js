import { cores, sample } from '../../report/gauge.js'

/** NETWORK_GAUGES are what Prometheus is told of a network beside its figures. @type {readonly import('../../report/gauge.js').Gauge[]} */
export const NETWORK_GAUGES = [
  {
    name: 'loadtest_network_info',
    help: '1, with what joins the nodes: real TCP on this host (loopback, namespaces, docker), or nothing real (simulated)',
    labelNames: ['network'],
    read: ({ plan }) => (plan !== null && 'network' in plan ? sample(1, { network: plan.network }) : [])
  },
  {
    name: 'loadtest_workers_cpu_cores',
    help: 'CPU of the worker processes at the last sample, in cores',
    read: ({ progress }) => cores(progress.cpuPercent)
  },
  {
    name: 'loadtest_workers_memory_bytes',
    help: 'Memory of the worker processes at the last sample',
    read: ({ progress }) => sample(progress.rssBytes)
  }
]
