import { studyFile } from '../../study-document.js'
import { withFormerVerdicts } from './former-verdicts.js'
import { earlierEstimate } from './found.js'

/**
 * @typedef {import('./trial.js').Trial} Trial
 * @typedef {import('./trial.js').AnyTrial} AnyTrial
 * @typedef {import('./trial.js').SearchState} SearchState
 *
 * @typedef {object} Options
 * @property {Record<string, unknown>} options - of the plans, as they were given
 * @property {string[] | null} objective - what a load must meet to be sustained; null: of a version that had other rules
 *
 * @typedef {import('../../study-document.js').Head & Options} Head - what the documents of all studies that try loads have
 *
 * @typedef {object} GridState
 * @property {number[]} rates - per second: of each connection, or of the whole network
 * @property {number[]} [connections]
 * @property {number[]} [nodes] - of a gossip network
 * @property {AnyTrial[]} cells - in the order of `gridCells`
 * @property {{ ratePerSecond: number, connections?: number, nodes?: number } | null} chosen - null: none lies below the diagonal
 *
 * @typedef {object} SaturationParts
 * @property {string} scenario
 * @property {number} seconds - of each trial
 * @property {number | null} [connections] - of a search; null: it is a grid
 * @property {number | null} [nodes] - of a search in a gossip network; null: it is a grid
 * @property {import('../network-servers.js').Network} [network] - that servers are counted for
 * @property {number} [inTimeMs] - within which a message of a gossip network is to reach everyone
 * @property {GridState | null} grid - it, or `search`, is there
 * @property {SearchState | null} search
 *
 * @typedef {Head & SaturationParts} SaturationDocument - `saturate.json`
 */

/** Earlier searches had no blocks, and no estimate. @param {SearchState} search @returns {SearchState} */
function current({ found, blocks = 0, ...search }) {
  if (found === null || found.estimate !== undefined) return { ...search, blocks, found }
  return { ...search, blocks, found: { ...found, estimate: earlierEstimate(search.trials, found) } }
}

/** SATURATION_DOCUMENT is the document of a folder of `saturate`. @type {import('../../study-document.js').StudyFile<SaturationDocument>} */
export const SATURATION_DOCUMENT = studyFile({
  file: 'saturate.json',
  holds: ({ grid, search }) => Array.isArray(grid?.cells ?? search?.trials),
  current({ objective = null, grid, search, ...document }) {
    if (objective !== null) return { ...document, objective, grid, search }
    return {
      ...document,
      objective,
      grid: grid && { ...grid, cells: withFormerVerdicts(grid.cells) },
      search: search && current({ ...search, trials: withFormerVerdicts(search.trials) })
    }
  }
})

/**
 * sizesOf are the connections of a grid, or its nodes.
 *
 * @param {Pick<GridState, 'connections' | 'nodes'>} grid
 */
export const sizesOf = ({ connections, nodes }) => connections ?? nodes ?? []
