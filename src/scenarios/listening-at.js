import { isLoopbackHost, loopbackHost, plainAddress } from '../kit/ip-address.js'
import { gater } from '../libp2p/gater.js'

/**
 * @typedef {object} At - where what is started for a run listens; structured clone carries it
 * @property {string} host
 * @property {readonly string[] | null} peers - addresses of those it takes connections of; null: of everybody, on this machine alone
 */

/**
 * atAddressOf is where a process of this machine listens for those that agents hold.
 *
 * @param {Pick<import('../workers/fleet.js').Fleet, 'address' | 'peers'>} [fleet] - none: all are on this machine
 * @param {string} [host] - where they are on this machine
 * @returns {At}
 */
export const atAddressOf = (fleet, host = loopbackHost()) =>
  fleet === undefined || isLoopbackHost(fleet.address)
    ? { host: fleet?.address ?? host, peers: null }
    : { host: fleet.address, peers: [fleet.address, ...fleet.peers] }

/** gaterOf is that of libp2p. @param {At} at */
export const gaterOf = ({ peers }) =>
  peers === null ? undefined : gater({ isAddress: address => peers.includes(address) })

/**
 * onlyPeers has a server close connections of others unheard. It is called once the server has its listeners of connections.
 *
 * @template {import('node:net').Server} T
 * @param {T} server
 * @param {At} at
 * @returns {T} the server
 */
export function onlyPeers(server, { peers }) {
  if (peers === null) return server
  const listeners = server.listeners('connection')
  server.removeAllListeners('connection')
  server.on('connection', socket => {
    if (!peers.includes(plainAddress(socket.remoteAddress ?? ''))) return void socket.destroy()
    for (const listener of listeners) listener.call(server, socket)
  })
  return server
}
