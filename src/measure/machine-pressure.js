import { textOf } from '../kit/system-files.js'

/**
 * @typedef {object} Pressure - counters of the whole machine, or of the part of it that this is
 * @property {number | null} waitedMicros - in which something was ready to run and had no core; null: this system does not tell
 * @property {{ stolen: number, all: number } | null} ticks - of all cores: taken by other guests of the same host; null: likewise
 */

/**
 * pressure reads what the kernel says about the want of cores: https://docs.kernel.org/accounting/psi.html and proc_stat(5).
 *
 * @param {(path: string) => string} [read] - a file; empty: it cannot be read
 * @returns {Pressure}
 */
export const pressure = (read = textOf) => ({
  waitedMicros: waitedIn(read('/proc/pressure/cpu')),
  ticks: ticksIn(read('/proc/stat'))
})

/**
 * waitedIn reads `/proc/pressure/cpu`.
 *
 * @param {string} text
 * @returns {number | null} µs
 */
export function waitedIn(text) {
  const total = /^some .*total=(\d+)/m.exec(text)?.[1]
  return total === undefined ? null : Number(total)
}

/** The first eight of a line `cpu`: user nice system idle iowait irq softirq steal; what follows is part of user and nice. */
const STOLEN_AT = 7

/**
 * ticksIn reads `/proc/stat`.
 *
 * @param {string} text
 * @returns {Pressure['ticks']}
 */
export function ticksIn(text) {
  const counts = /^cpu +(.*)$/m.exec(text)?.[1].split(' ').map(Number) ?? []
  if (counts.length <= STOLEN_AT) return null
  const all = counts.slice(0, STOLEN_AT + 1).reduce((sum, count) => sum + count, 0)
  return { stolen: counts[STOLEN_AT], all }
}
