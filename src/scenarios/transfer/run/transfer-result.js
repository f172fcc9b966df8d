import { judgeAll } from '../../../result/thresholds/judge.js'
import { namespaceWarnings } from '../../namespaces/namespace-warnings.js'
import { TRANSFER_FIGURES } from '../figures.js'
import { casesOf } from '../measure/cases.js'
import { roundsOf } from '../plan/rounds.js'

/**
 * @typedef {import('../transfer-plan.js').TransferPlan} TransferPlan
 * @typedef {import('../transfer-types.js').TransferOutcome} TransferOutcome
 * @typedef {import('./transfer-log.js').TransferLog} TransferLog
 * @typedef {Awaited<ReturnType<import('./sides.js').Sides['most']>>} Most
 */

/** How latencies and bandwidths come about. */
const LINE = {
  at: 'the socket: TCP sees loopback, its windows and handshake are not part of it',
  slowStart: false
}
/** Between network namespaces. */
const LINKS = {
  at: 'links between network namespaces: all of TCP of the kernel goes over them',
  slowStart: true
}

/** @param {TransferPlan} plan @param {Most | null} most @returns {TransferOutcome['limits']} */
const limitsOf = (plan, most) =>
  most && {
    inProgressRequests: { limit: plan.maxInProgressRequests, most: most.inProgressRequests },
    memoryPerPeerBytes: { limit: plan.maxMemoryPerPeerBytes, most: most.memoryPerPeerBytes },
    memoryTotalBytes: { limit: plan.maxMemoryTotalBytes, most: most.memoryTotalBytes },
    waitingRequests: most.waitingRequests
  }

/**
 * transferResult is everything known of a run so far.
 *
 * @param {TransferPlan} plan
 * @param {TransferLog} measuredSoFar
 * @param {{ header: import('../../run-header.js').RunHeader, most: Most | null, settings: import('../../../libp2p/node-settings.js').Settings,
 *   joined: () => import('./joined-rounds.js').RoundFigures[] }} known
 */
export function transferResult(plan, measuredSoFar, { header, most, joined, settings }) {
  const { files, batches, transfers, waiting, blockTimes, memory } = measuredSoFar
  const measured = {
    files,
    leftOut: [...plan.leftOut],
    limits: limitsOf(plan, most),
    line: plan.network === 'namespaces' ? LINKS : LINE,
    ...(plan.network === 'namespaces' && { namespaces: joined() }),
    settings,
    cases: casesOf({ ...plan, rounds: roundsOf(plan) }, { batches, transfers }),
    batches: [...batches],
    transfers: [...transfers],
    waiting: [...waiting],
    blockTimes: plan.blockDiagnostics ? [...blockTimes] : null,
    memory: plan.memorySnapshots === 'none' ? null : [...memory]
  }
  const thresholds = judgeAll(
    plan.thresholds,
    /** @type {any} */ (measured),
    TRANSFER_FIGURES,
    header.brokeOff
  )
  return {
    ...header.ending(),
    scenario: 'transfer',
    plan,
    outcome: { ...measured, thresholds },
    run: header.run([], (measured.namespaces ?? []).flatMap(namespaceWarnings))
  }
}
