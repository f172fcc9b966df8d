/** muxersOf gives the muxers that a node offers, the preferred one first. @param {import('./types.js').NodeParts} parts */
export const muxersOf = ({ muxer = 'yamux' }) => [muxer].flat()
