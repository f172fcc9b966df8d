// One end of a link measurement, in the network namespace of a node: sends and echoes bytes over TCP.
import { connect, createServer } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { readDeviceCounts, readSentIPv6 } from './tun-device.js'

const PORT = 7
const LOOK_EVERY_MS = 5

/**
 * @typedef {{ atMs: number, bytes: number }} Arrival - `bytes` that had come by then
 * @typedef {{ connections: number, each: number, apartMs: number }} Pings - `each`: so many on a connection; `apartMs`: so much later
 *   than the one before it a connection begins
 */

/** LinkProbe is one end of a link that is measured, inside its namespace. What begins with a byte alone is sent back. */
export class LinkProbe {
  #address
  #port
  /** @type {import('node:net').Server | null} */
  #server = null
  /** @type {Set<import('node:net').Socket>} */
  #sockets = new Set()
  /** @type {Arrival[]} */
  #arrivals = []
  /** @type {NodeJS.Timeout | undefined} */
  #looking

  /** @param {{ address: string, port?: number }} setup - of its namespace; `port`: where both ends listen */
  constructor({ address, port = PORT }) {
    this.#address = address
    this.#port = port
  }

  async listen() {
    const server = createServer(socket => {
      this.#keep(socket)
      socket.on('data', bytes => bytes.length === 1 && socket.write(bytes))
    })
    this.#server = server
    await new Promise((resolve, reject) => {
      server.once('error', reject)
      server.listen(this.#port, this.#address, 1024, () => resolve(null))
    })
  }

  /** connect opens connections. @param {string} to @param {number} count @param {number} withinMs @returns {Promise<number>} that were opened */
  async connect(to, count, withinMs) {
    const opened = Array.from({ length: count }, () => {
      const socket = connect(this.#port, to)
      this.#keep(socket)
      return new Promise(resolve => socket.once('connect', resolve))
    })
    await Promise.race([Promise.all(opened), sleep(withinMs, null, { ref: false })])
    return this.#open.length
  }

  /**
   * roundTrips sends bytes there and back, one at a time on each of some connections.
   *
   * @param {Pings} pings
   * @param {number} withinMs
   * @returns {Promise<number[]>} ms
   */
  async roundTrips({ connections, each, apartMs }, withinMs) {
    /** @type {number[]} */
    const times = []
    const pings = this.#open.slice(0, connections).map(async (socket, i) => {
      await sleep(i * apartMs)
      for (let left = each; left > 0; left -= 1) {
        const sentMs = performance.now()
        socket.write('a')
        await new Promise(resolve => socket.once('data', resolve))
        times.push(performance.now() - sentMs)
      }
    })
    await Promise.race([Promise.all(pings), sleep(withinMs, null, { ref: false })])
    return times
  }

  /** trickle sends a small segment on every connection, again and again. @param {number} times @param {number} everyMs */
  async trickle(times, everyMs) {
    for (let left = times; left > 0; left -= 1) {
      for (const socket of this.#open) socket.write('ab')
      await sleep(everyMs)
    }
  }

  /** burst sends at once on every connection. @param {number} bytes - on each */
  async burst(bytes) {
    for (const socket of this.#open) socket.write(Buffer.alloc(bytes))
  }

  async hangUp() {
    for (const socket of this.#sockets) socket.destroy()
  }

  /** watchArrivals keeps when bytes come from now on. */
  async watchArrivals() {
    this.#arrivals = []
    clearInterval(this.#looking)
    this.#looking = setInterval(
      () => this.#arrivals.push({ atMs: performance.now(), bytes: readDeviceCounts().receivedBytes }),
      LOOK_EVERY_MS
    )
  }

  /** arrivals ends that. @returns {Promise<Arrival[]>} */
  async arrivals() {
    clearInterval(this.#looking)
    return this.#arrivals
  }

  /** counts are those of the device, without what IPv6 sends, which nobody hears. @returns {Promise<import('./tun-device.js').DeviceCounts>} */
  async counts() {
    const { sent, ...counts } = readDeviceCounts()
    return { ...counts, sent: sent - readSentIPv6() }
  }

  async close() {
    clearInterval(this.#looking)
    await this.hangUp()
    this.#server?.close()
  }

  get #open() {
    return [...this.#sockets].filter(({ readyState }) => readyState === 'open')
  }

  /** @param {import('node:net').Socket} socket */
  #keep(socket) {
    this.#sockets.add(socket)
    socket.setNoDelay()
    socket.on('error', () => {})
    socket.on('close', () => this.#sockets.delete(socket))
    socket.resume()
  }
}
