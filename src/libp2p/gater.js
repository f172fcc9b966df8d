import { plainAddress } from '../kit/ip-address.js'

/**
 * @typedef {object} Admitted - who may connect
 * @property {(address: string) => boolean} [isAddress] - is asked before a handshake, default: from everywhere
 * @property {(peerId: string) => boolean} [isPeer] - is asked behind it, default: everybody
 */

/**
 * gater is a connection gater of libp2p that takes connections of some alone. It knows nothing of generations: it is asked by their texts.
 *
 * @param {Admitted} admitted
 */
export const gater = ({ isAddress = () => true, isPeer = () => true }) => ({
  denyInboundConnection: (/** @type {{ remoteAddr: unknown }} */ { remoteAddr }) =>
    !isAddress(plainAddress(String(remoteAddr).split('/')[2] ?? '')),
  denyInboundEncryptedConnection: (/** @type {unknown} */ peerId) => !isPeer(String(peerId))
})
