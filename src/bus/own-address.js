import { once } from 'node:events'
import { connect } from 'node:net'
import { isLoopbackHost, loopbackHost, plainAddress } from '../kit/ip-address.js'
import { BusError } from './connect.js'

const CONNECT_WITHIN_MS = 5000

/**
 * ownAddress is the address of this machine that reaches the bus: the one that other machines on it most likely reach as well.
 *
 * @param {Pick<import('../plan/bus-address.js').BusAddress, 'url'>} bus
 * @returns {Promise<string>}
 * @throws {BusError}
 */
export async function ownAddress({ url }) {
  const { hostname, port } = new URL(url)
  const socket = connect({ host: hostname.replace(/^\[|\]$/g, ''), port: Number(port) })
  socket.on('error', () => {})
  try {
    await once(socket, 'connect', { signal: AbortSignal.timeout(CONNECT_WITHIN_MS) })
    const address = plainAddress(socket.localAddress ?? '')
    return isLoopbackHost(address) ? loopbackHost() : address
  } catch (error) {
    throw new BusError(`no connection to ${url}: ${/** @type {Error} */ (error).message}`, { cause: error })
  } finally {
    socket.destroy()
  }
}
