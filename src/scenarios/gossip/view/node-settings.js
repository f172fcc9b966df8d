import { settingOf } from '../../../report/setting.js'

/** NODE_SETTINGS are those of the nodes of a network. @type {Readonly<import('../../../report/view.js').Settings<import('../gossip-types.js').GossipResult>>} */
export const NODE_SETTINGS = {
  path: 'outcome.network.settings',
  read: ({ outcome: { network } }) =>
    Object.entries(network.settings).map(([name, setting]) => settingOf('', name, setting))
}
