import { counted, grouped, MISSING, megabytes, percent, spell } from '../../../kit/numbers.js'
import { spanText } from '../../../kit/span-text.js'
import { sendersOf } from '../../../load/roles.js'
import { SOURCE_FIGURES } from '../../../report/source-figures.js'
import { figure, operationName, operationsOf, throughput } from '../../../report/table.js'
import { operationInLine } from './operations-in-line.js'
import { loadModel, OPERATION_SIGNS } from './rendezvous-notes.js'

/**
 * @typedef {import('../../../plan/plan.js').Plan} Plan
 * @typedef {import('../../../result/types.js').Result} Result
 * @typedef {import('../../../result/types.js').OperationResult} OperationResult
 * @typedef {import('../../../studies/matrix/matrix-folder.js').RowRecord} RowRecord
 * @typedef {import('../../../report/scenario-matrix.js').Line<import('../../../result/types.js').Result>} Line
 * @typedef {import('../../../report/scenario-matrix.js').Column<import('../../../result/types.js').Result>} Column
 */

/** @param {Pick<RowRecord, 'plan'>} row */
const planOf = ({ plan }) => /** @type {Readonly<Plan>} */ (plan)

/** @param {RowRecord} row */
function operations(row) {
  const { benchmarkRuns, durationMs } = planOf(row)
  if (benchmarkRuns === null) return spell(durationMs ?? 0)
  const whole = row.unscaled.benchmarkRuns
  const count = `${grouped(benchmarkRuns)}${whole === undefined ? '' : ` of ${grouped(Number(whole))}`}`
  return durationMs === null ? count : `${count} or ${spell(durationMs)}`
}

/**
 * @param {Line} line
 * @param {(measured: { result: Result, operation: OperationResult }) => string} cell
 */
const ifMeasured = ({ result, operation }, cell) =>
  result === undefined || operation === undefined ? MISSING : cell({ result, operation })

/** @type {Column[]} */
const CASE = [
  { heading: 'Type', align: 'l', cell: ({ type = '' }) => operationName(type) },
  { heading: 'Clients', cell: ({ row, type }) => grouped(sendersOf(planOf(row), type).clients) },
  { heading: 'Io Reg', cell: ({ row }) => grouped(planOf(row).initialRegistrations) },
  { heading: 'Namespaces', cell: ({ row }) => grouped(planOf(row).nNamespaces) },
  { heading: 'Ops', cell: ({ row }) => operations(row) }
]

/** Whether a REGISTER adds a registration, or refreshes what there is. @type {Column[]} */
const MODE = [
  {
    heading: 'Mode',
    align: 'l',
    cell: ({ row, type }) => (type === 'REGISTER' ? planOf(row).registerMode : MISSING)
  }
]

/** @type {Column[]} */
const SERVERS = [{ heading: 'Servers', cell: ({ row }) => grouped(planOf(row).servers) }]

const REGISTERING = ['REGISTER', 'MIXED']

/** Of the database that they share, where it is of the run. @type {Column[]} */
const DATABASE = [
  ofDatabase('CPU %', ({ cpu }) => percent(cpu.averagePercent)),
  ofDatabase('Mem MB', ({ memory }) => megabytes(memory.averageBytes))
]

/** @param {string} heading @param {(database: import('./member-table.js').Member) => string} cell @returns {Column} */
function ofDatabase(heading, cell) {
  return {
    heading: `Database ${heading}`,
    cell: ({ result }) => {
      const database = result?.outcome.members?.find(({ name }) => name === 'database')
      return database === undefined ? MISSING : cell(database)
    }
  }
}

/** Units, which the headings of the source leave out. @type {Record<string, string>} */
const UNITS = { RT: 'ms', CPU: '%', Mem: 'MB' }

/** @type {Column[]} */
const BESIDE = SOURCE_FIGURES.map(({ heading, measured, published }) => ({
  heading: `${heading} ${UNITS[heading.split(' ')[1]]}`,
  cell: line => {
    const { reference } = line.row
    const isOfCase = line.type === planOf(line.row).benchmarkType
    const figure = reference === null || !isOfCase ? undefined : published(reference)
    return `${ifMeasured(line, measured)}${figure === undefined ? '' : ` / ${grouped(figure)}`}`
  }
}))

/** @type {Column[]} */
const OURS = [
  ...['p90', 'p99'].map(key => ({
    heading: `${key} RT ms`,
    cell: (/** @type {Line} */ line) =>
      ifMeasured(line, ({ operation }) => figure(operation.rt.all[/** @type {'p90' | 'p99'} */ (key)]))
  })),
  { heading: 'Op/s', cell: line => ifMeasured(line, ({ operation }) => throughput(operation)) },
  {
    heading: 'Errors',
    cell: line =>
      ifMeasured(line, ({ operation }) => `${grouped(operation.errors)} of ${grouped(operation.count)}`)
  }
]

/** @param {RowRecord} row @param {Result | undefined} result @returns {Line[]} one for each type of operation */
function lines(row, result) {
  const measured = result === undefined ? [] : operationsOf(result)
  if (measured.length === 0) return [{ row, type: planOf(row).benchmarkType }]
  return measured.map(([type, operation]) => ({ row, type, result, operation }))
}

/** What the kinds of target are called. @type {Record<string, string>} */
const TARGETS = {
  process: 'in memory, as a process of its own',
  docker: 'in memory, in a Docker container'
}

/** @param {Result} result */
function server({ plan: { servers, store }, outcome: { target } }) {
  if (target.kind === 'address') return 'one that was running already'
  const [kind] = store.split(':')
  if (servers > 1) return `${grouped(servers)} of ours that share ${kind}, each a process of its own`
  if (kind !== 'memory') return `ours, on ${kind}, as a process of its own`
  return `ours, ${TARGETS[target.kind] ?? target.kind}`
}

/** @param {Result} result */
const clients = ({ plan: { workers, seed } }) =>
  `in ${grouped(workers)} ${workers === 1 ? 'process' : 'processes'} beside the server, TCP with Noise and Yamux, seed ${seed}`

/** @param {Result} result */
function protocol({ plan: { warmupMs, minDurationMs, durationMs, benchmarkRuns } }) {
  const warmup =
    warmupMs === 0 ? 'no warm-up' : `a warm-up of ${spell(warmupMs)} or longer, which is not counted`
  const until = minDurationMs === 0 ? '' : `, and more until ${spell(minDurationMs)} were measured`
  const load =
    durationMs === null
      ? `the operations${until}`
      : `${spell(durationMs)} of operations${benchmarkRuns === null ? '' : ` or ${grouped(benchmarkRuns)} of them`}`
  return `a server started for the row alone, ${warmup}, then ${load}`
}

/** @param {string[]} texts */
const distinct = texts => [...new Set(texts)].join('; ')

/** @param {Result[]} results */
const setting = results => [
  `- Server: ${distinct(results.map(server))}`,
  `- Clients: ${distinct(results.map(clients))}`,
  `- Each row: ${distinct(results.map(protocol))}`,
  `- ${distinct(results.map(loadModel))} Operations without success are part of the times and counted under Errors.`
]

/** @param {Result[]} results */
function lead(results) {
  const plans = results.map(({ plan }) => plan)
  const types = [...new Set(plans.map(({ benchmarkType }) => benchmarkType))].join(', ')
  const clients = spanText(plans.map(({ nClients }) => nClients))
  const registrations = spanText(plans.map(({ initialRegistrations }) => initialRegistrations))
  return `${types} with ${clients} clients on a server that holds ${registrations} registrations: ${counted(results.length, 'case')} measured.`
}

/** @param {Result} result */
const inLine = result =>
  operationsOf(result)
    .map(([type, operation]) =>
      operationInLine(
        type,
        operation,
        ({ rt }) => `${throughput(operation)} op/s p50 ${figure(rt.all.p50)} ms`
      )
    )
    .join(', ')

/** RENDEZVOUS_MATRIX is what a matrix of the rendezvous scenario shows. @type {import('../../../report/scenario-matrix.js').ScenarioMatrix<import('../rendezvous-types.js').OperationsResult>} */
export const RENDEZVOUS_MATRIX = {
  columns: rows => [
    ...CASE,
    ...(rows.some(row => planOf(row).servers > 1) ? SERVERS : []),
    ...BESIDE,
    ...(rows.some(row => planOf(row).store === 'postgres') ? DATABASE : []),
    ...(rows.some(row => REGISTERING.includes(planOf(row).benchmarkType)) ? MODE : []),
    ...OURS
  ],
  lines,
  signs: OPERATION_SIGNS,
  setting,
  words: { work: 'operations', members: 'clients' },
  lead,
  withoutPlots: 'No plots: the rows differ neither in clients nor in initial registrations.',
  inLine
}
