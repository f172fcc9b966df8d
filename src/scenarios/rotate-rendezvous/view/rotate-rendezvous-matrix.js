import { counted, grouped, MISSING, percent, significant, spell } from '../../../kit/numbers.js'
import { spanText } from '../../../kit/span-text.js'
import { figure } from '../../../report/table.js'
import { RENDEZVOUS_MATRIX } from '../../rendezvous/view/rendezvous-matrix.js'
import { rotateRendezvousInLine } from './rotate-rendezvous-in-line.js'
import { cookieWords, staleShare } from './rotate-rendezvous-words.js'

/**
 * @typedef {import('../plan/rotate-rendezvous-plan.js').RotateRendezvousPlan} RotateRendezvousPlan
 * @typedef {import('../rotate-rendezvous-types.js').RotateRendezvousResult} RotateRendezvousResult
 * @typedef {import('../rotate-rendezvous-types.js').RotateRendezvous} RotateRendezvous
 * @typedef {import('../../../report/scenario-matrix.js').Line<import('../../rendezvous/rendezvous-types.js').OperationsResult>} Line
 * @typedef {import('../../../report/scenario-matrix.js').Column<import('../../rendezvous/rendezvous-types.js').OperationsResult>} Column
 */

/** @param {Line} line */
const planOf = ({ row }) => /** @type {RotateRendezvousPlan} */ (/** @type {unknown} */ (row.plan))

/** @param {string} heading @param {(plan: RotateRendezvousPlan) => string} cell @returns {Column} */
const ofPlan = (heading, cell) => ({ heading, cell: line => cell(planOf(line)) })

/**
 * @param {string} heading
 * @param {(rotation: RotateRendezvous, outcome: RotateRendezvousResult['outcome']) => string} cell
 * @returns {Column}
 */
const measured = (heading, cell) => ({
  heading,
  cell({ result }) {
    const outcome = /** @type {RotateRendezvousResult['outcome'] | undefined} */ (result?.outcome)
    return outcome?.rotation == null ? MISSING : cell(outcome.rotation, outcome)
  }
})

/** @type {Column[]} */
const COLUMNS = [
  ofPlan('Stable', ({ stable }) => grouped(stable)),
  ofPlan('Ephemeral', ({ ephemeral }) => grouped(ephemeral)),
  ofPlan('A kill each', ({ rotateEveryMs }) => spell(rotateEveryMs)),
  ofPlan('TTL', ({ ttlSeconds }) => spell(ttlSeconds * 1000)),
  ofPlan('Renewed each', ({ refreshEveryMs }) => spell(refreshEveryMs)),
  ofPlan('Cookies', ({ cookies }) => (cookies ? 'yes' : 'no')),
  ofPlan('Rate', ({ ratePerSecond }) => `${significant(Number(ratePerSecond))}/s`),
  measured('DISCOVER p50/p99 ms', (_, { operations }) =>
    [operations.DISCOVER?.rt.all.p50, operations.DISCOVER?.rt.all.p99].map(time => figure(time)).join(' / ')
  ),
  measured('Errors', (_, { operations }) =>
    grouped(Object.values(operations).reduce((sum, { errors }) => sum + errors, 0))
  ),
  measured('Killed', ({ lives }) => grouped(lives.killed)),
  measured('Stale with/without duplicates', ({ discovered }) =>
    discovered.withDuplicates.records === 0
      ? MISSING
      : [discovered.withDuplicates, discovered.withoutDuplicates].map(staleShare).join(' / ')
  ),
  measured('Overdue', ({ left }) => grouped(left.overdue)),
  measured('Registered → visible avg/max ms', ({ visible: { delay } }) =>
    [delay.all.avg, delay.all.max].map(time => figure(time)).join(' / ')
  ),
  measured('First discovery avg/max ms', ({ firstDiscovery: { avg, max } }) =>
    [avg, max].map(time => figure(time)).join(' / ')
  ),
  measured('CPU avg %', (_, { server }) => percent(server?.cpu.averagePercent))
]

/** @param {RotateRendezvousResult[]} results */
function setting(results) {
  const asked = [...new Set(results.map(({ plan }) => cookieWords(plan)))]
  return [
    // server, clients and what each row is; when times count differs
    ...RENDEZVOUS_MATRIX.setting(results).slice(0, 3),
    `- Response times in ms, open model: DISCOVER counts from when it was due; ${asked.join('; ')}.`
  ]
}

/** @param {RotateRendezvousResult[]} results */
function lead(results) {
  const peers = spanText(results.map(({ plan }) => plan.nClients))
  return `A rendezvous server with ${peers} peers, some of which are killed and replaced in turn: ${counted(results.length, 'case')} measured.`
}

/** ROTATE_RENDEZVOUS_MATRIX is what a matrix of rotate rendezvous shows. @type {import('../../../report/scenario-matrix.js').ScenarioMatrix<import('../../rendezvous/rendezvous-types.js').OperationsResult>} */
export const ROTATE_RENDEZVOUS_MATRIX = {
  ...RENDEZVOUS_MATRIX,
  columns: () => COLUMNS,
  lines: (/** @type {Line['row']} */ row, /** @type {RotateRendezvousResult | undefined} */ result) => [
    { row, result }
  ],
  setting,
  words: { work: 'time', members: 'peers' },
  lead,
  withoutPlots: 'No plots: each run has its own.',
  inLine: rotateRendezvousInLine
}
