import { isLoopback } from '../../../plan/addresses.js'

/** HOSTS of 127.0.0.0/8 that honest clients connect from: each in a /24 of its own, and none in one of hostile peers. */
const FIRST = '127.200'

/** honestAddress is where a client connects from. @param {number} client */
export const honestAddress = client => `${FIRST}.${client}.1`

/**
 * spreadsAt says whether there are addresses of 127.0.0.0/8 to connect from to a target.
 *
 * @param {string} multiaddr
 * @param {NodeJS.Platform} platform - macOS and the BSDs have 127.0.0.1 only
 */
export const spreadsAt = (multiaddr, platform) =>
  (platform === 'linux' || platform === 'win32') && multiaddr.startsWith('/ip4/') && isLoopback(multiaddr)
