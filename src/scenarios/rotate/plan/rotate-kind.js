import { grouped } from '../../../kit/numbers.js'
import { livesAtMost } from '../../../load/rotation-schedule.js'

/**
 * @typedef {import('../../scenario.js').Kind} Kind
 * @typedef {import('../../../plan/option.js').Rule} Rule
 * @typedef {Record<string, any>} Values - of options
 */

/** Each life is a node or peer of its own: of a node the number has 16 bits, of a peer the identity is known before the run begins. */
const MOST_LIVES = 10_000

/** inSeconds writes a time as it is typed. @param {number} ms */
export const inSeconds = ms => `${ms / 1000}s`

/** @param {string} who @returns {Rule[]} */
const scheduleRules = who => [
  {
    flag: 'rotateEvery',
    needs: ['duration'],
    refuse: ({ rotateEvery, duration }) =>
      rotateEvery >= duration && `must be less than --duration ${inSeconds(duration)}: nothing would rotate`
  },
  {
    flag: 'rotateEvery',
    needs: ['duration', 'ephemeral'],
    refuse: ({ rotateEvery, duration, ephemeral }) =>
      livesAtMost({ ephemeral, rotateEveryMs: rotateEvery, durationMs: duration }) > MOST_LIVES + ephemeral &&
      `must be at least ${duration / MOST_LIVES}ms with --duration ${inSeconds(duration)}: at most ${grouped(MOST_LIVES)} ${who} are started`
  }
]

/**
 * rotateKind makes the plans of a scenario in which some come and go, as those of the scenario where all stay, with as many at the
 * beginning as there are stable and ephemeral ones.
 *
 * @param {Kind} staying
 * @param {object} rotating
 * @param {Kind['options']} rotating.options
 * @param {string} rotating.amount - option of the other scenario that says how many there are
 * @param {string} rotating.who - comes and goes: `nodes`
 * @param {readonly Rule[]} rotating.rules - of its own
 * @param {(rule: Rule) => boolean} [rotating.applies] - of the rules of the other scenario; default: all of options that can be given
 * @param {(values: Values) => Values} rotating.inPlan - what its plans have of their own, by key
 * @returns {Pick<Kind, 'options' | 'combinations' | 'rivals' | 'toPlan'>}
 */
export function rotateKind(staying, { options, amount, who, rules, applies = () => true, inPlan }) {
  const withAmount = (/** @type {Values} */ { stable, ephemeral }) => ({ [amount]: stable + ephemeral })
  const theirs = staying.combinations
    .filter(rule => options[rule.flag].fixed === undefined && applies(rule))
    .map(({ refuse, needs = [], ...rule }) => ({
      ...rule,
      needs: [...needs, 'stable', 'ephemeral'],
      refuse: (/** @type {Values} */ values, /** @type {Parameters<Rule['refuse']>[1]} */ given) =>
        refuse({ ...values, ...withAmount(values) }, given)
    }))
  return {
    options,
    combinations: [...theirs, ...scheduleRules(who), ...rules],
    rivals: [],
    toPlan: (picked, values, machine) => ({
      ...staying.toPlan({ ...picked, ...withAmount(values) }, { ...values, ...withAmount(values) }, machine),
      ...inPlan(values)
    })
  }
}
