/**
 * nodeSettings are what libp2p's nodes of both sides have other than its defaults.
 *
 * @param {import('../transfer-types.js').TransferResult} result
 * @returns {import('../../../report/view.js').Setting[]}
 */
export const nodeSettings = ({ outcome: { settings } }) =>
  Object.entries(settings).map(([name, { value, why }]) => ({ whose: 'nodes', name, value, why }))
