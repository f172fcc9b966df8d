/** muxersOf gives the muxers that a node offers, the preferred one first. @param {Pick<import('./types.js').NodeParts, 'muxer'>} parts */
export const muxersOf = ({ muxer = 'yamux' }) => [muxer].flat()
