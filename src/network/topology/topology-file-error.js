/** READ ends the refusal of any other format. */
export const READ = 'edge lists, CSV, GML, GraphML and node-link JSON are read'

/**
 * TopologyFileError says what is wrong with a topology file, and where; `code` is INVALID_TOPOLOGY_FILE.
 */
export class TopologyFileError extends Error {
  name = 'TopologyFileError'
  code = 'INVALID_TOPOLOGY_FILE'

  /**
   * @param {string} message - what is wrong, and what is allowed
   * @param {string} [place] - such as `line 17` or `edges[16]`
   * @param {{ cause?: unknown }} [options]
   */
  constructor(message, place, options) {
    super(place ? `${place}: ${message}` : message, options)
  }
}
