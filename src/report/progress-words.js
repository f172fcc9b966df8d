import { counted, grouped, megabytes, percent, significant, spell } from '../kit/numbers.js'
import { GOSSIP_WORDS } from './gossip/progress-words.js'
import { PROFILE_WORDS } from './profile/progress-words.js'
import { RENDEZVOUS_WORDS } from './rendezvous-words.js'
import { ROTATION_WORDS } from './rotation/progress-words.js'
import { ROTATING_PEERS_WORDS } from './rotation-rendezvous/progress-words.js'

/**
 * @typedef {import('../plan/plan.js').AnyPlan} AnyPlan
 * @typedef {import('../result/types.js').ProgressRecord} ProgressRecord
 *
 * @typedef {object} ScenarioWords - how a run of one scenario is spoken of
 * @property {Readonly<Record<string, (plan: any) => [running: string, done: string]>>} phases - what each is called while it goes
 *   on and when it is done
 * @property {(plan: any) => string} work - what a plan sends
 * @property {(plan: any) => string[]} setting - who sends it, where to
 * @property {string} rateUnit - of what is sent
 * @property {string} measured - whose CPU and memory are watched
 */

/** @type {Readonly<Record<AnyPlan['scenario'], ScenarioWords>>} */
const WORDS = Object.freeze({
  rendezvous: RENDEZVOUS_WORDS,
  gossip: GOSSIP_WORDS,
  profile: PROFILE_WORDS,
  rotation: ROTATION_WORDS,
  'rotation-rendezvous': ROTATING_PEERS_WORDS
})

const BAR_CELLS = 15

/**
 * phaseWords names a phase.
 *
 * @param {string} name
 * @param {AnyPlan} plan
 * @returns {{ running: string, done: string }}
 */
export function phaseWords(name, plan) {
  const [running, done] = WORDS[plan.scenario].phases[name]?.(plan) ?? [name, name]
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
 * @returns {string[]}
 */
export function headLines({ plan, run }, version) {
  const { versions, machine } = /** @type {Partial<import('../result/types.js').Result['run']>} */ (run)
  const node = versions?.node === undefined ? [] : [`Node ${versions.node.replace(/^v/, '')}`]
  const cores = machine?.cores === undefined ? [] : [counted(machine.cores, 'core')]
  return [
    [`libp2p-loadtest ${version}`, plan.scenario, `seed ${plan.seed}`, ...node, ...cores].join(' · '),
    [workWords(plan), ...WORDS[plan.scenario].setting(plan)].join(' · ')
  ]
}

/**
 * workWords say what a plan sends.
 *
 * @param {AnyPlan} plan
 */
export const workWords = plan => WORDS[plan.scenario].work(plan)

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
  const figures = [
    ...(cpuPercent == null ? [] : [`${percent(cpuPercent)} %`]),
    ...(rssBytes == null ? [] : [`${megabytes(rssBytes)} MB`])
  ]
  return figures.length === 0 ? [] : [`${whose} ${figures.join(' · ')}`]
}

/**
 * progressLine tells how far a phase has come.
 *
 * @param {string} title
 * @param {ProgressRecord} progress
 * @param {{ withBar: boolean, scenario?: AnyPlan['scenario'] }} look
 */
export function progressLine(title, progress, { withBar, scenario = 'rendezvous' }) {
  const { done, total, ratePerSecond, p50Ms, p99Ms, etaMs } = progress
  const { rateUnit, measured } = WORDS[scenario]
  return [
    title,
    ...(withBar && total !== null && total > 0 ? [bar(done, total)] : []),
    amount(progress),
    ...(ratePerSecond == null ? [] : [`${significant(ratePerSecond)} ${rateUnit}`]),
    ...(p50Ms == null ? [] : [`p50 ${significant(p50Ms)} ms`]),
    ...(p99Ms == null ? [] : [`p99 ${significant(p99Ms)} ms`]),
    ...usage(progress, measured),
    ...(etaMs == null ? [] : [`ETA ${spell(etaMs)}`])
  ].join('   ')
}
