import { BUSY, CAUSES, doubtfulFigures } from '../measure/doubt.js'

/** generatorWarnings say who was too busy to send more. @param {readonly { worker: number, utilization: number }[]} health */
export const generatorWarnings = health =>
  health
    .filter(({ utilization }) => utilization > BUSY)
    .map(({ worker, utilization }) => ({ code: 'GENERATOR_BUSY', values: { worker, utilization } }))

/** Those who generate a full load, and what is loaded, make less pressure than this, however few cores they share. */
const MOST_PRESSURE_PERCENT = 50

/**
 * isOfFullLoad says whether what was added to times is part of a load that keeps all cores busy: who sends again at once has times that are the
 * machine's, which nobody takes for latency. They are marked, and it is a warning only where other things made the machine wait; who could not
 * send more has one of its own.
 *
 * @param {import('../measure/doubt.js').Cause} cause - who added it
 * @param {number | null} pressurePercent - of the measured time something waited for a core; null: not known
 */
export const isOfFullLoad = (cause, pressurePercent) =>
  cause === 'generator' || (cause === 'machine' && Number(pressurePercent) <= MOST_PRESSURE_PERCENT)

/**
 * doubtWarnings say which percentiles generator or machine had too large a part in.
 *
 * @param {string} type - of what they are the times
 * @param {Parameters<typeof doubtfulFigures>[0]} summary
 */
export const doubtWarnings = (type, summary) =>
  CAUSES.map(cause => ({ type, cause, percentiles: doubtfulFigures(summary, cause) }))
    .filter(({ percentiles }) => percentiles.length > 0)
    .map(values => ({ code: 'PERCENTILES_DOUBTFUL', values }))
