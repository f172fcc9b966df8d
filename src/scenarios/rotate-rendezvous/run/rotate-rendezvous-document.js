import { present, sumOf } from '../../../kit/lists.js'
import { clockErrorOf, withheldBelow } from '../../../measure/clock-error.js'
import { judgeAll } from '../../../result/thresholds/judge.js'
import { figuresSoFar } from '../../rendezvous/measure/operation-result.js'
import { RunDocument } from '../../rendezvous/run/run-document.js'
import { NAME } from '../command.js'
import { ROTATE_RENDEZVOUS_FIGURES } from '../figures.js'

/**
 * @typedef {import('../plan/rotate-rendezvous-plan.js').RotateRendezvousPlan} RotateRendezvousPlan
 * @typedef {import('../rotate-rendezvous-types.js').RotateRendezvousResult} RotateRendezvousResult
 * @typedef {import('../../../result/types.js').Figures} Figures
 * @typedef {import('../../../result/types.js').Warning} Warning
 * @typedef {import('../rotate-rendezvous-types.js').RotateRendezvous} RotateRendezvous
 * @typedef {import('../measure/rotate-rendezvous-measurement.js').RotateRendezvousMeasurement} RotateRendezvousMeasurement
 */

/** Later than this, a peer was not where the schedule has it. */
const LATE_MS = 1000

/** RotateRendezvousDocument is everything known so far of a run whose peers rotate: that of a rendezvous run, and of those that came and went. */
export class RotateRendezvousDocument extends RunDocument {
  #plan
  /** @type {RotateRendezvousMeasurement | null} null: nothing was measured */
  rotation = null

  /**
   * @param {RotateRendezvousPlan} plan
   * @param {string} id
   * @param {import('../../run-log.js').RunLog} log
   * @param {import('../../../workers/fleet.js').Fleet} [fleet] - machines that hold the peers
   */
  constructor(plan, id, log, fleet) {
    super(/** @type {any} */ (plan), id, log, fleet)
    this.#plan = plan
  }

  /** figures so far, as thresholds are judged by them. @returns {Figures & { rotation: RotateRendezvous | null }} */
  figures() {
    const figures = figuresSoFar(this.measurement)
    return { ...figures, rotation: this.#rotationOf(figures) }
  }

  /** @param {Pick<Figures, 'operations' | 'measuredMs'>} figures */
  #rotationOf({ operations, measuredMs }) {
    const errorMs = this.#clockErrorMs
    const good = sumOf([operations.REGISTER, operations.DISCOVER], operation => operation?.outcomes.OK ?? 0)
    const rotation = this.rotation?.result(measuredMs > 0 ? (good * 60_000) / measuredMs : null) ?? null
    return rotation === null || errorMs === 0 ? rotation : withheld(rotation, errorMs)
  }

  /** By how much times between peers of two machines may be off. */
  get #clockErrorMs() {
    return clockErrorOf(this.header.fleet?.agents(() => 0) ?? [])
  }

  /** @override @param {Figures} figures */
  judged(figures) {
    const all = { ...figures, rotation: this.#rotationOf(figures) }
    return judgeAll(this.#plan.thresholds, all, ROTATE_RENDEZVOUS_FIGURES, this.header.brokeOff)
  }

  /** @returns {any} a RotateRendezvousResult */
  result() {
    const { outcome, run, ...result } = super.result()
    const rotation = this.#rotationOf(outcome)
    return /** @type {RotateRendezvousResult} */ ({
      ...result,
      scenario: NAME,
      plan: this.#plan,
      outcome: { ...outcome, rotation },
      run: { ...run, warnings: [...run.warnings, ...warningsOf(rotation, this.#clockErrorMs)] }
    })
  }
}

/**
 * What is registered at one machine is seen at another: times that are less than these may be off by say nothing.
 *
 * @param {RotateRendezvous} rotation
 * @param {number} errorMs
 * @returns {RotateRendezvous}
 */
function withheld({ visible, ...rotation }, errorMs) {
  const { all, known } = visible.delay
  const delay = { all: withheldBelow(all, errorMs), known: withheldBelow(known, errorMs) }
  return { ...rotation, visible: { ...visible, delay } }
}

/** @param {RotateRendezvous | null} rotation @param {number} clockErrorMs @returns {Warning[]} */
function warningsOf(rotation, clockErrorMs) {
  const { latestMs = 0, failed = 0 } = rotation?.lives ?? {}
  return present([
    clockErrorMs > 0 && { code: 'CLOCKS_APART', values: { errorMs: clockErrorMs } },
    failed > 0 && { code: 'PEERS_NOT_STARTED', values: { count: failed } },
    latestMs > LATE_MS && { code: 'PEERS_LATE', values: { latestMs } }
  ])
}
