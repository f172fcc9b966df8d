import { largestOf, sumOf } from '../../kit/lists.js'
import { limitedByText } from '../../measure/limited-by.js'
import { settingOf, settingText } from '../../report/description/settings.js'
import { facts, table, timeCell } from '../../report/description/tables.js'
import { megabytes } from '../../report/description/values.js'

/**
 * What a result says of the server under test: what it used, what was done to it, and how it was set up.
 *
 * @typedef {import('../../result/types.js').Result} Result
 * @typedef {import('../../result/types.js').FaultResult} FaultResult
 * @typedef {import('../../result/types.js').Trend} Trend
 * @typedef {NonNullable<Result['outcome']['members']>[number]} Member
 * @typedef {import('../../report/description/description.js').DescribedTable} DescribedTable
 */

/**
 * resourceTable says how much CPU and memory the server used, how busy the generator was, and what was used up.
 *
 * @param {Result} result
 * @returns {DescribedTable}
 */
export function resourceTable({ outcome: { server, limitedBy }, run: { health } }) {
  const busy = health.map(({ utilization }) => 100 * utilization)
  const rows = [
    ...(server === null
      ? []
      : [
          {
            name: 'Server CPU, % of a core',
            avg: server.cpu.averagePercent,
            median: server.cpu.medianPercent,
            max: server.cpu.maxPercent
          },
          {
            name: 'Server memory, MB',
            avg: megabytes(server.memory.averageBytes),
            median: megabytes(server.memory.medianBytes),
            max: megabytes(server.memory.maxBytes)
          }
        ]),
    ...(busy.length === 0
      ? []
      : [
          // a worker says how busy it was over the whole time: there are no samples to have a median and a maximum of
          {
            name: 'CPU of the clients, % of a core',
            avg: sumOf(health, ({ cpuPercent }) => cpuPercent),
            median: null,
            max: null
          },
          { name: 'Event loop of the busiest worker, %', avg: largestOf(busy), median: null, max: null }
        ])
  ]
  return {
    ...table(
      'resources',
      'Resources',
      rows,
      [
        ['Resources', ({ name }) => name, 'text'],
        ['Avg', ({ avg }) => avg, 'number'],
        ['Median', row => row.median, 'number'],
        ['Max', ({ max }) => max, 'number']
      ],
      { allColumns: true }
    ),
    terminal: true,
    ...(limitedBy !== undefined && { note: `Limited by ${limitedByText(limitedBy)}.` })
  }
}

/**
 * registrationTable says how many registrations there were.
 *
 * @param {Result} result
 * @returns {DescribedTable}
 */
export const registrationTable = ({ outcome: { registrations } }) =>
  table(
    'registrations',
    'Registrations',
    registrations.before === null && registrations.after === null ? [] : [registrations],
    [
      ['Registrations before', ({ before }) => before, 'count'],
      ['Registrations after', ({ after }) => after, 'count'],
      ['Namespaces', ({ namespaces }) => namespaces, 'count']
    ]
  )

/**
 * utilisationTable says how far everything was used.
 *
 * @param {Result} result
 * @returns {DescribedTable}
 */
export function utilisationTable({ outcome: { server, members = [] }, run }) {
  const { cores } = run.machine
  const servers = members.filter(({ name }) => name !== 'database')
  const database = members.find(({ name }) => name === 'database')
  const pools = servers.flatMap(({ pool }) => (pool === undefined ? [] : pool.usedPercent))
  const cpu =
    members.length > 0 ? sumOf(members, cpuOf) : server === null ? null : (server.cpu.averagePercent ?? null)
  const generated = sumOf(run.health, ({ cpuPercent }) => cpuPercent)
  const rows = [
    {
      name: 'Load generator: busiest event loop',
      used: run.health.length === 0 ? null : 100 * largestOf(run.health, ({ utilization }) => utilization)
    },
    {
      name: servers.length > 1 ? 'Server: a core, of the busiest one' : 'Server: a core',
      used: servers.length > 0 ? largestOf(servers, cpuOf) : cpu
    },
    {
      name: 'Database connections of the busiest pool',
      used: pools.length === 0 ? null : largestOf(pools)
    },
    {
      name: `Database: all ${cores} cores`,
      used: database === undefined ? null : cpuOf(database) / cores
    },
    {
      name: `Machine: all ${cores} cores, by the processes of the run`,
      used: cpu === null || run.agents !== undefined ? null : (cpu + generated) / cores
    }
  ].filter(({ used }) => used !== null)
  return {
    ...table('utilisation', 'Utilisation', rows, [
      ['What', ({ name }) => name, 'text'],
      ['Used %', ({ used }) => used, 'percent']
    ]),
    note: 'Averages of the measurement.'
  }
}

/** @param {Member} member */
const cpuOf = ({ cpu }) => cpu.averagePercent ?? 0

/** Of a database. @type {[null, null]} */
const NOTHING_SERVED = [null, null]

/**
 * memberTable has the figures of each of several servers, and of their database.
 *
 * @param {Result} result
 * @returns {DescribedTable}
 */
export function memberTable({ outcome: { members = [], measuredMs } }) {
  const rows = members.flatMap(member => {
    /** @type {[string | null, import('../../result/types.js').Summary | null][]} */
    const served = Object.entries(member.durations ?? {}).sort(([a], [b]) => a.localeCompare(b))
    return (served.length === 0 ? [NOTHING_SERVED] : served).map(([type, own]) => ({ member, type, own }))
  })
  /** @param {number} amount @param {Member} member */
  const perSecond = (amount, { written }) =>
    written === undefined ? null : (amount * 1000) / Math.max(1, written.ms)
  return {
    ...table('each-server', 'Each server', rows, [
      ['Server', ({ member }) => member.name, 'text'],
      ['Operation', ({ type }) => type, 'text'],
      ['Served/s', ({ own }) => own && (own.count * 1000) / measuredMs, 'perSecond'],
      ['Own p50 ms', ({ own }) => timeCell(own?.p50), 'ms'],
      ['Own p90 ms', ({ own }) => timeCell(own?.p90), 'ms'],
      ['Own p99 ms', ({ own }) => timeCell(own?.p99), 'ms'],
      ['Own max ms', ({ own }) => timeCell(own?.max), 'ms'],
      ['CPU avg %', ({ member }) => member.cpu.averagePercent, 'percent'],
      ['CPU max %', ({ member }) => member.cpu.maxPercent, 'percent'],
      ['Memory avg MB', ({ member }) => megabytes(member.memory.averageBytes), 'MB'],
      ['Memory max MB', ({ member }) => megabytes(member.memory.maxBytes), 'MB'],
      ['Database connections', ({ member }) => member.pool?.connections, 'count'],
      ['In use %', ({ member }) => member.pool?.usedPercent, 'percent'],
      ['Statements', ({ member }) => member.pool?.statements, 'count'],
      ['Wait for a connection ms', ({ member }) => member.pool?.waitedMs, 'ms'],
      ['Written MB/s', ({ member }) => perSecond((member.written?.writtenBytes ?? 0) / 1e6, member), 'MB'],
      ['Log MB/s', ({ member }) => perSecond((member.written?.walBytes ?? 0) / 1e6, member), 'MB'],
      ['fsync/s', ({ member }) => perSecond(member.written?.fsyncs ?? 0, member), 'perSecond'],
      ['Checkpoint files', ({ member }) => member.written?.checkpointFsyncs, 'count']
    ]),
    note: 'Own: from the decoded request to the reply handed over, as the server measures it.'
  }
}

/** faultName is what was done to which server. @param {FaultResult} fault */
export const faultName = ({ kind, server, cpus }) =>
  [kind, server === undefined ? [] : `server ${server}`, cpus == null ? [] : `${cpus} cores left`]
    .flat()
    .join(', ')

/** @param {number | null} ms */
const seconds = ms => (ms === null ? null : ms / 1000)

/**
 * faultTable says what the faults of a run did to the load.
 *
 * @param {Result} result
 * @returns {DescribedTable}
 */
export const faultTable = ({ outcome: { faults } }) => ({
  ...table('faults', 'Faults', faults, [
    ['Fault', faultName, 'text'],
    ['From s', ({ fromMs }) => seconds(fromMs), 's'],
    ['To s', ({ toMs }) => seconds(toMs), 's'],
    ['Planned at s', ({ atMs }) => seconds(atMs), 's', 'wide'],
    ['Before: op/s', ({ before }) => before?.throughputPerSecond, 'perSecond', 'wide'],
    ['Before: p99 ms', ({ before }) => before?.p99Ms, 'ms', 'wide'],
    ['Op/s back s', fault => seconds(fault.recoveredThroughputMs), 's'],
    ['p99 back s', fault => seconds(fault.recoveredP99Ms), 's'],
    ['Ops lost', ({ operationsLost }) => sumOf(Object.values(operationsLost)), 'count'],
    ['By outcome', ({ operationsLost }) => outcomesText(operationsLost), 'text', 'wide'],
    ['Reg lost', ({ registrationsLost }) => registrationsLost, 'count'],
    ['Dials again', ({ reconnects }) => reconnects.dials, 'count', 'wide'],
    ['Dials/s max', ({ reconnects }) => reconnects.peakPerSecond, 'perSecond', 'wide']
  ]),
  note: 'Back: for two seconds throughput was at least 90 % of what it was before, p99 below twice. –: not within the run.',
  terminal: true
})

/** @param {Record<string, number>} counts */
export const outcomesText = counts =>
  Object.entries(counts)
    .flatMap(([outcome, count]) => (count > 0 ? `${outcome} ${count}` : []))
    .join(', ') || null

/**
 * soakTables say what changed over a long run.
 *
 * @param {Result} result
 * @returns {DescribedTable[]}
 */
export function soakTables({ outcome: { soak } }) {
  if (soak == null) return []
  /** @type {{ name: string, trend: Trend | null, per: number }[]} */
  const trends = [
    { name: 'Server memory, MB', trend: soak.serverBytes, per: 1e6 },
    ...soak.p50Ms.map(({ type, trend }) => ({ name: `${type} p50, ms`, trend, per: 1 })),
    ...soak.ownBytes.flatMap(({ process, trend, inUse }) => [
      { name: `Memory of our ${process}, MB`, trend, per: 1e6 },
      { name: `Memory in use of our ${process}, MB`, trend: inUse, per: 1e6 }
    ])
  ]
  return [
    {
      ...table('trends', 'Trends over the run', trends, [
        ['What', ({ name }) => name, 'text'],
        ['Median', ({ trend, per }) => trend && trend.median / per, 'number'],
        ['Change per hour', ({ trend, per }) => trend && trend.perHour / per, 'number'],
        ['95 % from', ({ trend, per }) => trend && trend.low / per, 'number'],
        ['95 % to', ({ trend, per }) => trend && trend.high / per, 'number'],
        ['Stretches', ({ trend }) => trend?.points, 'count'],
        ['Verdict', ({ trend }) => verdictOf(trend), 'text']
      ]),
      note: `Theil–Sen slopes over medians of ${soak.stretchMs / 1000} s; memory without the first third of the run. Growing: the whole interval is above 0, and by 2 % or more (memory in use: 10 %).`
    },
    table(
      'failures-by-third',
      'Failures in the thirds of the run',
      soak.errors.map((third, i) => ({ ...third, name: ['First', 'Second', 'Last'][i] ?? String(i + 1) })),
      [
        ['Third', ({ name }) => name, 'text'],
        ['Operations', ({ operations }) => operations, 'count'],
        ['Errors', ({ errors }) => errors, 'count']
      ]
    )
  ]
}

/** A rise that is sure and small is a rise. @param {Trend | null} trend */
function verdictOf(trend) {
  if (trend === null) return 'too few readings'
  return trend.verdict === 'not shown to grow' && trend.low > 0 ? 'growing slightly' : trend.verdict
}

/**
 * serverFacts say where the server ran.
 *
 * @param {{ kind: string, chosenBy?: string | null, multiaddr: string | null, container?: Result['outcome']['target']['container'] | null,
 *   settings: Record<string, unknown> }} target
 * @param {Result['outcome']['server']} [server]
 * @returns {DescribedTable}
 */
export function serverFacts({ kind, chosenBy, multiaddr, container, settings }, server) {
  const { store, durability } = /** @type {Record<string, any>} */ (settings.server ?? {})
  return facts('server', 'Server', [
    ['Runs as', kind, 'text'],
    ['Chosen because', chosenBy, 'text'],
    ['Address', multiaddr, 'text'],
    ['Container image', container?.image, 'text'],
    ['Container cores', container?.cpus],
    ['Container memory, MB', megabytes(container?.memoryBytes)],
    ['Memory is counted as', server?.memoryCountedAs, 'text'],
    ['Store', durability === undefined ? null : String(store), 'text'],
    ['Durability', durability === undefined ? null : String(durability), 'text']
  ])
}

/**
 * settingsTable lists what differs from the defaults of the libraries and of the specification.
 *
 * @param {Record<string, unknown>} settings - by name, for whom they are
 * @returns {DescribedTable}
 */
export const settingsTable = settings =>
  table(
    'settings',
    'Settings that differ from defaults',
    Object.entries(settings).flatMap(([whose, changes]) =>
      Object.entries(/** @type {object} */ (changes)).map(([name, setting]) => ({
        whose,
        name,
        ...settingOf(setting)
      }))
    ),
    [
      ['Of', ({ whose }) => whose, 'text'],
      ['Setting', ({ name }) => name, 'text'],
      ['Value', ({ value }) => settingText(value), 'text'],
      ['Reason', ({ why }) => why, 'text']
    ]
  )
