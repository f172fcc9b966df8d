/**
 * DIAGONAL_SHARE is the share of the expected operations below which a cell lies beyond the saturation diagonal. The rule of the
 * source is "noticeably less": a twentieth is more than what is under way when the time is over, and than any scatter of a
 * schedule.
 */
export const DIAGONAL_SHARE = 0.95

/**
 * isBeyond says whether a cell of operations lies beyond the saturation diagonal.
 *
 * @param {Pick<import('../../../studies/saturation/search/saturation-grid.js').CellFigures, 'achieved' | 'expected'>} cell
 */
export const isBeyond = ({ achieved, expected }) => achieved < DIAGONAL_SHARE * expected
