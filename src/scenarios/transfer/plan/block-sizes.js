/** What UnixFS puts around a leaf that is not raw. */
const WRAPPING_BYTES = 64
/** A link of a node: CID, size, and the size of what it leads to. */
const LINK_BYTES = 96

/**
 * largestBlock is how large a block of a file is at most.
 *
 * @param {{ chunkBytes: number, linksPerLevel: number }} shape
 * @returns {number} bytes
 */
export const largestBlock = ({ chunkBytes, linksPerLevel }) =>
  Math.max(chunkBytes + WRAPPING_BYTES, linksPerLevel * LINK_BYTES + WRAPPING_BYTES)
