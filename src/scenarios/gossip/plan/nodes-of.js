/**
 * nodesOf is how many nodes there are: those of a topology file, unless a number was given.
 *
 * @param {Record<string, any>} values
 * @returns {number}
 */
export const nodesOf = ({ topology, nodes }) => (topology.kind === 'file' ? topology.nodes : nodes)
