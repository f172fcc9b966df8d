import { grouped, megabytes, percent, significant, spell } from './numbers.js'

/**
 * @typedef {import('../plan/plan.js').Plan} Plan
 * @typedef {import('../result/types.js').ProgressRecord} ProgressRecord
 * @typedef {import('../result/types.js').StartRecord} StartRecord
 */

const BAR_CELLS = 15

/**
 * @param {number} n
 * @param {string} one
 * @param {string} [many]
 */
const counted = (n, one, many = `${one}s`) => `${grouped(n)} ${n === 1 ? one : many}`

/**
 * What a phase is called while it goes on and when it is done.
 *
 * @type {Record<string, (plan: Plan) => [string, string]>}
 */
const PHASES = {
  setup: ({ target }) =>
    target === null ? ['starting the server', 'server ready'] : ['looking for the target', 'target'],
  preload: ({ initialRegistrations }) => ['registering', counted(initialRegistrations, 'registration')],
  connect: ({ nClients }) => ['connecting clients', `${counted(nClients, 'client')} connected`],
  warmup: () => ['warming up', 'warm-up'],
  measure: () => ['measuring', 'measured'],
  cooldown: () => ['checking replies and registrations', 'replies checked'],
  teardown: ({ target }) => ['clearing up', target === null ? 'server stopped' : 'cleared up']
}

/**
 * phaseWords names a phase.
 *
 * @param {string} name
 * @param {Plan} plan
 * @returns {{ running: string, done: string }}
 */
export function phaseWords(name, plan) {
  const [running, done] = PHASES[name]?.(plan) ?? [name, name]
  return { running, done }
}

/**
 * phaseLine tells of a phase that has ended.
 *
 * @param {string} title
 * @param {number} ms
 * @param {string | undefined} detail
 */
export const phaseLine = (title, ms, detail) =>
  `${title.padEnd(25)}${spell(ms).padStart(10)}   ${detail ?? ''}`.trimEnd()

/**
 * headLines tell what is going to happen.
 *
 * @param {StartRecord} start
 * @param {string} version - of this tool
 * @returns {string[]}
 */
export function headLines({ plan, run }, version) {
  const { versions, machine } = /** @type {Partial<import('../result/types.js').Result['run']>} */ (run)
  const node = versions?.node === undefined ? [] : [`Node ${versions.node.replace(/^v/, '')}`]
  const cores = machine?.cores === undefined ? [] : [counted(machine.cores, 'core')]
  return [
    [`libp2p-loadtest ${version}`, plan.scenario, `seed ${plan.seed}`, ...node, ...cores].join(' · '),
    `${workWords(plan)} · ${counted(plan.nClients, 'client')} in ${counted(plan.workers, 'process', 'processes')} · ${serverWords(plan)}`
  ]
}

/**
 * workWords say what a plan sends.
 *
 * @param {Plan} plan
 */
export function workWords({ benchmarkType, benchmarkRuns, durationMs, ratePerSecond }) {
  const amount = durationMs === null ? grouped(benchmarkRuns ?? 0) : spell(durationMs)
  const pace = ratePerSecond === null ? '' : ` at ${significant(ratePerSecond)}/s`
  return `${amount} ${durationMs === null ? '' : 'of '}${benchmarkType}${pace}`
}

/** @param {Plan} plan */
const serverWords = ({ target, server }) => (target === null ? PLACES[server] : `server at ${target}`)

const PLACES = Object.freeze({
  process: 'server in a process of its own',
  docker: 'server in a Docker container',
  auto: 'server in Docker if it can be, else in a process of its own'
})

/** @param {number} done @param {number} total */
function bar(done, total) {
  const full = Math.min(BAR_CELLS, Math.floor((done / total) * BAR_CELLS))
  return `${'█'.repeat(full)}${'░'.repeat(BAR_CELLS - full)}`
}

/** @param {ProgressRecord} progress */
function amount({ done, total, unit }) {
  const write = unit === 'ms' ? spell : grouped
  const whole = total === null ? '' : ` / ${write(total)}`
  return `${write(done)}${whole}${unit === 'ms' || unit === 'operations' ? '' : ` ${unit}`}`
}

/** @param {ProgressRecord} progress */
function serverState({ cpuPercent, rssBytes }) {
  const figures = [
    ...(cpuPercent == null ? [] : [`${percent(cpuPercent)} %`]),
    ...(rssBytes == null ? [] : [`${megabytes(rssBytes)} MB`])
  ]
  return figures.length === 0 ? [] : [`server ${figures.join(' · ')}`]
}

/**
 * progressLine tells how far a phase has come.
 *
 * @param {string} title
 * @param {ProgressRecord} progress
 * @param {{ withBar: boolean }} look
 */
export function progressLine(title, progress, { withBar }) {
  const { done, total, ratePerSecond, p50Ms, p99Ms, etaMs } = progress
  return [
    title,
    ...(withBar && total !== null && total > 0 ? [bar(done, total)] : []),
    amount(progress),
    ...(ratePerSecond == null ? [] : [`${significant(ratePerSecond)} op/s`]),
    ...(p50Ms == null ? [] : [`p50 ${significant(p50Ms)} ms`]),
    ...(p99Ms == null ? [] : [`p99 ${significant(p99Ms)} ms`]),
    ...serverState(progress),
    ...(etaMs == null ? [] : [`ETA ${spell(etaMs)}`])
  ].join('   ')
}
