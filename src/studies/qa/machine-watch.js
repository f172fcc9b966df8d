import { readFileSync } from 'node:fs'
import { loadavg } from 'node:os'

/**
 * @typedef {object} MachineReading - of the whole machine, about once a second
 * @property {number} at - s since the first one
 * @property {number} load1 - processes that ran or waited for a core, averaged over about a minute
 * @property {number | null} sockets - of TCP, in use: a connection between two processes of the machine has two; null: not told
 */

/** Readings a series is kept to: each second one is left out where there are more. */
const MOST_READINGS = 1200

/** @returns {string} */
function socketStatistics() {
  try {
    return readFileSync('/proc/net/sockstat', 'utf8')
  } catch {
    return ''
  }
}

/**
 * socketsIn reads how many TCP sockets are in use: proc_net(5).
 *
 * @param {string} text - of `/proc/net/sockstat`
 */
export function socketsIn(text) {
  const found = /^TCP: inuse (\d+)/m.exec(text)?.[1]
  return found === undefined ? null : Number(found)
}

/**
 * MachineWatch reads load average and sockets of this machine with every second of a run that is measured.
 */
export class MachineWatch {
  /** @type {MachineReading[]} */
  #readings = []
  #beganMs = 0
  #now
  #read

  /** @param {{ now?: () => number, read?: () => Omit<MachineReading, 'at'> }} [components] - `now`: ms, monotonic */
  constructor({ now = () => performance.now(), read = readMachine } = {}) {
    this.#now = now
    this.#read = read
  }

  /** begin forgets what was read. */
  begin() {
    this.#readings = []
  }

  /** add takes a record of a run. @param {import('../../result/types.js').Record_} record */
  add({ type }) {
    if (type !== 'interval') return
    if (this.#readings.length === 0) this.#beganMs = this.#now()
    const at = Math.round((this.#now() - this.#beganMs) / 100) / 10
    this.#readings.push({ at, ...this.#read() })
    if (this.#readings.length > MOST_READINGS)
      this.#readings = this.#readings.filter((_, place) => place % 2 === 0)
  }

  /** readings are those since `begin`. */
  get readings() {
    return this.#readings
  }
}

/** @returns {Omit<MachineReading, 'at'>} */
const readMachine = () => ({
  load1: Math.round(loadavg()[0] * 100) / 100,
  sockets: socketsIn(socketStatistics())
})
