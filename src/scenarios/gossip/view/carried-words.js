import { counted, grouped, percent, significant } from '../../../kit/numbers.js'

/**
 * @typedef {import('../gossip-types.js').CarriedRate} CarriedRate
 * @typedef {import('../measure/not-carried.js').NotCarried} NotCarried
 */

/** @type {Readonly<Record<NotCarried['why'], (value: number) => string>>} */
const REASONS = {
  missing: pairs => `${counted(pairs, 'delivery', 'deliveries')} missing`,
  unpublished: count => `${counted(count, 'message')} not published in time`,
  slow: ms => `dissemination p99 ${significant(ms)} ms`,
  backlog: bytes => `a backlog that grew to ${grouped(bytes / 1000)} kB`,
  busy: utilization => `a worker ${percent(utilization * 100)} % busy`
}

/**
 * reasonsOf says why a rate was not carried.
 *
 * @param {readonly NotCarried[]} reasons
 */
export const reasonsOf = reasons => reasons.map(({ why, value }) => REASONS[why](value)).join(', ')

/**
 * carriedText says what `--rate auto` of an earlier release found.
 *
 * @param {CarriedRate} carriedRate
 * @returns {string} a line
 */
export function carriedText({ perSecond, lowestNotCarried, trials }) {
  const carried = `Carried: ${perSecond === null ? 'no rate' : `${significant(perSecond)} messages/s`}`
  const failed = trials.findLast(trial => trial.perSecond === lowestNotCarried)
  return failed === undefined
    ? `${carried}.`
    : `${carried}; ${significant(failed.perSecond)} not: ${reasonsOf(failed.reasons)}.`
}
