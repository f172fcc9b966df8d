import { timeCell } from '../../../report/description/tables.js'

/** DESCRIBED_OPERATIONS is how trials of operations stand in a description. @type {import('../../saturation.js').Described} */
export const DESCRIBED_OPERATIONS = {
  loads: 'operations',
  rateHeading: 'Rate of a connection /s',
  columns: [
    ['Failed', ({ failed }) => failed, 'count'],
    ['Avg ms', ({ rt }) => timeCell(rt.avg), 'ms', 'wide'],
    ['p50 ms', ({ rt }) => timeCell(rt.p50), 'ms'],
    ['p99 ms', ({ rt }) => timeCell(rt.p99), 'ms'],
    ['Max ms', ({ rt }) => timeCell(rt.max), 'ms', 'wide'],
    ['Server CPU %', ({ serverCpuPercent }) => serverCpuPercent, 'percent', 'wide'],
    [
      'Server memory MB',
      ({ serverMemoryBytes }) => serverMemoryBytes && serverMemoryBytes / 1e6,
      'MB',
      'wide'
    ],
    ['Generator busy %', ({ utilization }) => utilization && 100 * utilization, 'percent', 'wide']
  ],
  failed: {
    title: 'Failed operations, %',
    of: ({ failed, due }) => (due === 0 ? null : (100 * failed) / due)
  },
  expected: () => 'Expected: rate × connections × duration. Achieved: succeeded within the duration.'
}
