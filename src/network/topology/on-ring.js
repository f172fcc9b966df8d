/**
 * onRing says who dials, of two nodes on a ring: the one from which it is not the longer way up. So all dial about as many as they accept.
 *
 * @param {number} a
 * @param {number} b - above a
 * @param {number} nodes
 * @returns {import('./edge.js').Edge}
 */
export const onRing = (a, b, nodes) => ((b - a) * 2 <= nodes ? [a, b] : [b, a])
