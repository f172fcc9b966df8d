import { counted, grouped, significant } from '../../../kit/numbers.js'

/**
 * @typedef {object} NotCarried - why a rate was not carried, in documents of earlier versions
 * @property {'missing' | 'unpublished' | 'slow' | 'backlog' | 'busy'} why - `missing`: deliveries that did not come; `unpublished`:
 *   messages that should have gone out, and did not; `slow`: p99 of dissemination, in ms; `backlog`: bytes in write buffers that
 *   grew all the while; `busy`: share of the time that the event loop of a worker was busy
 * @property {number} value
 */

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
