import { TopologyFileError } from './topology-file-error.js'

/** Two names; NetworkX writes the data of an edge after them, be there any or not. */
const EDGE = /^(\S+)\s+(\S+)(?:\s+\{.*\})?$/

/**
 * parseEdgeList reads lines of two names, such as `a b`; `#` begins a comment, and data in braces is passed over.
 *
 * @param {string} text
 * @returns {import('./parse-topology-file.js').NamedNetwork}
 * @throws {TopologyFileError} with the line
 */
export function parseEdgeList(text) {
  const edges = text.split(/\r\n|\r|\n/).flatMap((line, index) => {
    const content = line.replace(/#.*/, '').trim()
    if (content === '') return []
    const place = `line ${index + 1}`
    const [, dialer, listener] = EDGE.exec(content) ?? []
    if (!listener) {
      throw new TopologyFileError(
        `"${content.slice(0, 60)}" must be two names, such as "0 1": dialer and listener`,
        place
      )
    }
    return [{ dialer, listener, place }]
  })
  return { nodes: undefined, edges }
}
