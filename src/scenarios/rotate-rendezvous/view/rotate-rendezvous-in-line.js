import { counted, MISSING } from '../../../kit/numbers.js'
import { figure } from '../../../report/table.js'
import { ROTATE_RENDEZVOUS_WORDS } from './rotate-rendezvous-progress-words.js'
import { livesInWords, staleShare } from './rotate-rendezvous-words.js'

/** @typedef {import('../rotate-rendezvous-types.js').RotateRendezvousResult} RotateRendezvousResult */

/**
 * rotatingInLine says in a line what was run.
 *
 * @param {RotateRendezvousResult} result
 */
export const rotatingInLine = ({ plan }) =>
  `${ROTATE_RENDEZVOUS_WORDS.work(plan)}, ${counted(plan.nClients, 'peer')}`

/**
 * rotateRendezvousInLine says in a line what came of it.
 *
 * @param {RotateRendezvousResult} result
 */
export function rotateRendezvousInLine({ outcome: { operations, rotation } }) {
  if (rotation === null || operations.DISCOVER === undefined) return MISSING
  const { all } = operations.DISCOVER.rt
  const { withDuplicates } = rotation.discovered
  return [
    `DISCOVER p50 ${figure(all.p50)} ms, p99 ${figure(all.p99)} ms`,
    ...(withDuplicates.records === 0 ? [] : [`${staleShare(withDuplicates)} of records stale`]),
    livesInWords(rotation)
  ].join('; ')
}
