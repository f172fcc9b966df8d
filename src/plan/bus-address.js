import { isLoopbackHost } from '../kit/ip-address.js'

/**
 * @typedef {object} BusAddress - plain values: a thread is given them too
 * @property {string} url - nats://host:port, or tls://host:port
 * @property {string | null} user
 * @property {string | null} password
 * @property {string | null} token
 * @property {string | null} credentials - path of a file of NATS's own, with a user's JWT and seed
 * @property {string | null} ca - path of the certificate that the bus's is signed by
 */

/**
 * busAddress takes a URL apart, so that nothing secret of it is shown.
 *
 * @param {string} text - nats://host:4222, with user:password@ or token@ before the host
 * @param {{ credentials?: string | null, ca?: string | null }} [files]
 * @returns {BusAddress}
 */
export function busAddress(text, { credentials = null, ca = null } = {}) {
  const { protocol, hostname, port, username, password } = new URL(text)
  const [name, word] = [username, password].map(part => (part === '' ? null : decodeURIComponent(part)))
  return {
    url: `${protocol}//${hostname}:${port || 4222}`,
    user: word === null ? null : name,
    password: word,
    token: word === null ? name : null,
    credentials,
    ca
  }
}

/** isBusAddress says whether busAddress can take a text apart. @param {string} text */
export function isBusAddress(text) {
  try {
    busAddress(text)
    return true
  } catch {
    return false
  }
}

/** isLoopback says whether a bus is on this machine. @param {string} url */
export const isLoopback = url => isLoopbackHost(new URL(url).hostname)

/** isOpen says whether others than this machine may reach a bus, and need nothing to use it. @param {BusAddress} address */
export const isOpen = ({ url, password, token, credentials }) =>
  !isLoopback(url) && password === null && token === null && credentials === null
