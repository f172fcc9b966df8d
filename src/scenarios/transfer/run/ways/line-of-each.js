/**
 * lineOfEach is the line of one of several connections between the same two sides: a requestor has one line to the provider, of which
 * each has an equal part.
 *
 * @param {import('./way.js').NodeSettings} settings
 * @returns {import('./way.js').NodeSettings['line']}
 */
export const lineOfEach = ({ line, connections }) =>
  line && {
    ...line,
    bytesPerSecond: line.bytesPerSecond === null ? null : line.bytesPerSecond / connections
  }
