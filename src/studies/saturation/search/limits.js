import { limitedBy, usedUpIn } from '../../../measure/limited-by.js'

/** @typedef {import('../../../result/types.js').LimitedBy} LimitedBy */

/** @type {ReadonlySet<string>} */
const GENERATORS = new Set(['load generator', 'machine'])

/**
 * isGenerators says whether a load was not the server's own: the load generator, or the machine it shares with the server, was used up and the
 * server was not.
 *
 * @param {LimitedBy} limited
 */
export const isGenerators = ({ by }) => by.length > 0 && by.every(name => GENERATORS.has(name))

/**
 * limitAt is what was used up in a trial that did not sustain its load.
 *
 * @param {any} point - of the trial
 * @returns {LimitedBy}
 */
export const limitAt = point => usedUpIn(point.limitedBy ?? fromFigures(point))

/** Trials of earlier releases have these figures. @param {any} point */
const fromFigures = ({ serverCpuPercent, cpus, utilization, simulated, achieved, due }) =>
  limitedBy({
    ...(serverCpuPercent != null && {
      server: { percent: serverCpuPercent / Math.min(1, cpus ?? 1), of: 'what it may use' }
    }),
    ...(!simulated && { generator: { percent: utilization === null ? null : 100 * utilization } }),
    achieved: (100 * achieved) / Math.max(1, due)
  })

/** @param {LimitedBy} limited */
const nameOf = ({ by }) => by.join()

/**
 * limitOf says what was used up first, going by several trials at a load that was not sustained: what most of them say, and the load generator
 * where half of them do.
 *
 * @param {readonly LimitedBy[]} limits - of each trial
 * @returns {LimitedBy | null} null: there is no trial
 */
export function limitOf(limits) {
  const generators = limits.filter(isGenerators)
  const known = limits.filter(({ by }) => by.length > 0)
  const candidates = generators.length * 2 >= limits.length ? generators : known.length > 0 ? known : limits
  const count = (/** @type {LimitedBy} */ limited) =>
    candidates.filter(other => nameOf(other) === nameOf(limited)).length
  const [most = null] = [...candidates].sort((a, b) => count(b) - count(a))
  return most
}
