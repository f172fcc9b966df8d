import { counted, MISSING } from '../../../kit/numbers.js'
import { figure } from '../../../report/table.js'
import { ROTATING_PEERS_WORDS } from './progress-words.js'
import { livesInWords, staleShare } from './words.js'

/** @typedef {import('../../gossip/gossip-types.js').RendezvousRotationResult} RendezvousRotationResult */

/**
 * rotatingInLine says in a line what was run.
 *
 * @param {RendezvousRotationResult} result
 */
export const rotatingInLine = ({ plan }) =>
  `${ROTATING_PEERS_WORDS.work(plan)}, ${counted(plan.nClients, 'peer')}`

/**
 * rotatedInLine says in a line what came of it.
 *
 * @param {RendezvousRotationResult} result
 */
export function rotatedInLine({ outcome: { operations, rotation } }) {
  if (rotation === null || operations.DISCOVER === undefined) return MISSING
  const { all } = operations.DISCOVER.rt
  return `DISCOVER p50 ${figure(all.p50)} ms, p99 ${figure(all.p99)} ms; ${staleShare(rotation.discovered.withDuplicates)} of records stale; ${livesInWords(rotation)}`
}
