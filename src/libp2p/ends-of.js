/**
 * endsOf says which of its ways a node puts a line on.
 *
 * @param {Pick<import('./types.js').NodeParts, 'line' | 'linkLatencyMs' | 'traffic'>} parts
 * @returns {import('./line-transport.js').Ends | null} null: nothing is between
 */
export function endsOf({ line = null, linkLatencyMs = 0, traffic }) {
  if (line !== null) return { sent: line, received: line.both ? line : null, traffic }
  if (linkLatencyMs > 0) {
    return { sent: null, received: { latencyMs: linkLatencyMs, bytesPerSecond: null }, traffic }
  }
  return traffic === undefined ? null : { sent: null, received: null, traffic }
}
