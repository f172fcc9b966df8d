import { growthPlots } from './gossip/growth-plots.js'
import { gossipOverlays } from './gossip/matrix-overlays.js'
import { rendezvousMatrixPlots } from './rendezvous-matrix-plots.js'

/**
 * @typedef {import('../../result/gossip-types.js').AnyResult} AnyResult
 * @typedef {import('../../result/matrix-folder.js').TableRecord} TableRecord
 * @typedef {import('../../kit/plots/theme.js').Plot} Plot
 */

/** @type {(table: TableRecord, results: ReadonlyMap<string, any>) => Plot[]} */
const gossipPlots = (table, results) => [...growthPlots(table, results), ...gossipOverlays(table, results)]

/** @type {Readonly<Record<string, (table: TableRecord, results: ReadonlyMap<string, any>) => Plot[]>>} */
const PLOTS = Object.freeze({
  rendezvous: rendezvousMatrixPlots,
  gossip: gossipPlots,
  profile: gossipOverlays,
  rotation: gossipOverlays,
  'rotation-rendezvous': () => []
})

/**
 * matrixPlots draw the rows of a table of a matrix.
 *
 * @param {TableRecord} table
 * @param {ReadonlyMap<string, AnyResult>} results - by row id
 * @returns {Plot[]} none where there is nothing to hold against one another
 */
export const matrixPlots = (table, results) => PLOTS[table.scenario](table, results)
