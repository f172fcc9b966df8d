import { BUSY, CAUSES, doubtfulFigures } from '../measure/doubt.js'

/** generatorWarnings say who was too busy to send more. @param {readonly { worker: number, utilization: number }[]} health */
export const generatorWarnings = health =>
  health
    .filter(({ utilization }) => utilization > BUSY)
    .map(({ worker, utilization }) => ({ code: 'GENERATOR_BUSY', values: { worker, utilization } }))

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
