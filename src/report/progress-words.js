import { fitted, sparkline } from '../kit/fitted.js'
import { present } from '../kit/lists.js'
import { counted, grouped, significant, spell } from '../kit/numbers.js'

/**
 * @typedef {import('../plan/plan.js').AnyPlan} AnyPlan
 * @typedef {import('../result/types.js').ProgressRecord} ProgressRecord
 * @typedef {import('./view.js').View} View
 */

const BAR_CELLS = 8

/**
 * phaseWords names a phase.
 *
 * @param {string} name
 * @param {AnyPlan} plan
 * @param {View} view
 * @returns {{ running: string, done: string }}
 */
export function phaseWords(name, plan, { describePlan }) {
  const [running, done] = describePlan(plan).phases[name] ?? [name, name]
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
 * @param {{ plan: AnyPlan, run: object }} start
 * @param {string} version - of this tool
 * @param {View} view
 * @returns {string[]}
 */
export function headLines({ plan, run }, version, { describePlan }) {
  const { versions, machine } = /** @type {Partial<import('../result/types.js').Result['run']>} */ (run)
  const node = versions?.node === undefined ? [] : [`Node ${versions.node.replace(/^v/, '')}`]
  const cores = machine?.cores === undefined ? [] : [counted(machine.cores, 'core')]
  const { what, notes = [] } = describePlan(plan)
  return [
    [`libp2p-loadtest ${version}`, plan.scenario, `seed ${plan.seed}`, ...node, ...cores].join(' · '),
    what,
    ...notes
  ]
}

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

/** @param {ProgressRecord} progress @param {string} whose */
function usage({ cpuPercent, rssBytes }, whose) {
  const figures = present([
    cpuPercent != null && `${grouped(cpuPercent)} %`,
    rssBytes != null && `${grouped(rssBytes / 1e6)} MB`
  ])
  return figures.length === 0 ? [] : [`${whose} ${figures.join(' · ')}`]
}

/**
 * progressLine tells how far a phase has come.
 *
 * @param {string} title
 * @param {ProgressRecord} progress
 * @param {Parameters<typeof progressParts>[2] & { columns?: number }} look - `columns`: default: as many as it takes
 */
export const progressLine = (title, progress, { columns = Infinity, ...look }) =>
  fitted(progressParts(title, progress, look), columns)

/**
 * progressParts tell how far a phase has come, in order of worth.
 *
 * @param {string} title
 * @param {ProgressRecord} progress
 * @param {object} look
 * @param {boolean} look.withBar
 * @param {View} look.view
 * @param {AnyPlan} look.plan
 * @param {readonly ProgressRecord[]} [look.before] - what was told of the phase before, drawn beside rate and p99
 * @returns {string[]}
 */
export function progressParts(title, progress, { withBar, view, plan, before = [] }) {
  const { done, total, ratePerSecond, p50Ms, p99Ms, etaMs } = progress
  const { rateUnit, measured } = view.describePlan(plan)
  const drawn = (/** @type {'ratePerSecond' | 'p99Ms'} */ key) =>
    before.length === 0 ? '' : ` ${sparkline([...before, progress].map(each => each[key] ?? 0))}`
  return present([
    title,
    withBar && total !== null && total > 0 && bar(done, total),
    amount(progress),
    ratePerSecond != null && `${significant(ratePerSecond)} ${rateUnit}${drawn('ratePerSecond')}`,
    p50Ms != null && `p50 ${significant(p50Ms)} ms`,
    p99Ms != null && `p99 ${significant(p99Ms)} ms${drawn('p99Ms')}`,
    ...usage(progress, measured),
    etaMs != null && `ETA ${spell(etaMs)}`
  ])
}
