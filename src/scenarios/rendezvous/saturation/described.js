import { grouped, significant } from '../../../kit/numbers.js'
import { timeCell } from '../../../report/description/tables.js'

/**
 * @typedef {import('./load-point.js').LoadPoint} LoadPoint
 * @typedef {import('./saturated-first.js').SaturatedFirst} SaturatedFirst
 */

const percent = (/** @type {number | null} */ value) => `${grouped(value ?? 0)} %`
const ms = (/** @type {number | null} */ value) => `${significant(value ?? 0)} ms`
const megabytes = (/** @type {number | null} */ bytes) => grouped((bytes ?? 0) / 1e6)
const cores = (/** @type {number | null} */ value) => significant((value ?? 0) / 100)

/** @type {Readonly<Record<import('./saturated-first.js').Limit, (limit: SaturatedFirst) => string>>} */
const LIMITS = {
  generator: ({ value, of }) =>
    of === null
      ? `load generator (1 % sent over ${ms(value)} late)`
      : `load generator (event loop ${percent(value)} busy)`,
  added: ({ value }) => `load generator (over a tenth of ${ms(value)})`,
  machine: ({ value, of }) => `machine (CPU ${percent(value)} of ${cores(of)} cores)`,
  maxInFlight: ({ value }) => `--maxInFlight (${grouped(value ?? 0)} operations not sent)`,
  ports: ({ value }) => `local ports (${grouped(value ?? 0)} connections failed)`,
  memory: ({ value, of }) => `server memory (${megabytes(value)} of ${megabytes(of)} MB)`,
  cpu: ({ value, of }) => `server CPU (${percent(value)} of ${percent(of)})`,
  eventLoop: ({ value }) => `server event loop (CPU ${percent(value)} of a core)`,
  unknown: () => 'not determined'
}

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
  expected: () => 'Expected: rate × connections × duration. Achieved: succeeded within the duration.',
  limitedBy: limit => LIMITS[/** @type {import('./saturated-first.js').Limit} */ (limit.limit)](limit)
}
