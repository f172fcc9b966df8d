import { counted, grouped, significant } from '../../../kit/numbers.js'

/** @typedef {import('../measure/not-carried.js').NotCarried} NotCarried */

/** @type {Readonly<Record<NotCarried['why'], (value: number) => string>>} */
const REASONS = {
  missing: pairs => `${counted(pairs, 'delivery', 'deliveries')} missing`,
  unpublished: count => `${counted(count, 'message')} not published in time`,
  slow: ms => `dissemination p99 ${significant(ms)} ms`,
  backlog: bytes => `backlog grew to ${grouped(bytes / 1000)} kB`,
  busy: utilization => `a process ${grouped(utilization * 100)} % busy`
}

/**
 * reasonsOf says why a rate was not carried.
 *
 * @param {readonly NotCarried[]} reasons
 */
export const reasonsOf = reasons => reasons.map(({ why, value }) => REASONS[why](value)).join(', ')
