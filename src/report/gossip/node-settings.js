/** @typedef {import('../../result/gossip-types.js').GossipResult} GossipResult */

/** @param {unknown} setting @returns {setting is { value: unknown, why: string }} */
const hasReason = setting =>
  setting !== null && typeof setting === 'object' && 'value' in setting && 'why' in setting

/** @param {GossipResult} result @returns {import('../view.js').Setting[]} */
const ofNodes = ({ outcome: { network } }) =>
  Object.entries(network.settings).map(([name, setting]) =>
    hasReason(setting)
      ? { whose: '', name, value: setting.value, why: setting.why }
      : { whose: '', name, value: setting, why: null }
  )

/** NODE_SETTINGS are those of the nodes of a network. @type {Readonly<import('../view.js').Settings>} */
export const NODE_SETTINGS = Object.freeze({ path: 'outcome.network.settings', read: ofNodes })
