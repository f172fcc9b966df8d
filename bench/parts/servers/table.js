import { formatSignificant, formatWhole, MISSING_TEXT } from '../../../src/kit/numbers.js'
import { median } from '../median.js'
import { ratioOf } from '../ratio-rows.js'
import { CLIENTS, RATE, REGISTRATIONS } from './measures.js'

/**
 * @typedef {import('./measures.js').Load} Load
 * @typedef {import('./measures.js').Memory} Memory
 * @typedef {import('./measures.js').Hostile} Hostile
 * @typedef {{ failure: string }} Failed - could not be measured
 *
 * @typedef {object} Measured - of one server; what was not measured is not there
 * @property {Record<string, number>} [conformance] - checks, by verdict
 * @property {{ own: Load[], rust: Load[] }} [load] - of it and of the server in Rust, in turns
 * @property {Memory | Failed} [memory]
 * @property {Record<string, Hostile | Failed>} [hostile] - by kind
 */

/** REGISTER_TARGET is how many times the CPU of the server in Rust our tuned one may take for a REGISTER. */
const REGISTER_TARGET = 1.9
const MB = 1e6

/** @param {Record<string, number>} counts */
function passed(counts) {
  const { 'not tested': _, ...tried } = counts
  return `${counts.pass ?? 0} of ${Object.values(tried).reduce((sum, count) => sum + count, 0)}`
}

/** @param {Load[]} loads @param {keyof Load} key */
const middle = (loads, key) => formatSignificant(median(loads.map(load => load[key])))

/** @param {NonNullable<Measured['load']>} load @param {keyof Load} key */
function timesRust({ own, rust }, key) {
  const { ratio, interval } = ratioOf(own.map((load, pair) => [rust[pair][key], load[key]]))
  const bounded = Number.isFinite(interval.high)
  return `${ratio.toFixed(2)}${bounded ? ` (${interval.low.toFixed(2)} … ${interval.high.toFixed(2)})` : ''}`
}

/** @param {Memory} memory */
const megabytes = ({ startedBytes, filledBytes }) =>
  [startedBytes, filledBytes].map(bytes => (bytes / MB).toFixed(0)).join(' → ')

/** @param {Hostile} hostile */
function hostileCell({ quietMs, hostileMs, atLeast, notAnswered, recoveryMs }) {
  const times = [quietMs, hostileMs].map(ms => (ms === null ? MISSING_TEXT : formatSignificant(ms)))
  const lost = notAnswered > 0 ? `, ${formatSignificant(100 * notAnswered)} % not answered` : ''
  const back = recoveryMs === null ? 'not recovered' : `${(recoveryMs / 1000).toFixed(1)} s`
  return `${times.join(atLeast ? ' → > ' : ' → ')}${lost}; ${back}`
}

/**
 * @template {object} T
 * @param {(value: T) => string} write
 * @returns {(value: T | Failed) => string}
 */
const unlessFailed = write => value => ('failure' in value ? `not possible: ${value.failure}` : write(value))

/**
 * serversTable has a row for each measurement and a column for each server.
 *
 * @param {Readonly<Record<string, Measured>>} measured - by the name of the server
 * @param {readonly string[]} kinds - of hostile peers, in their order
 * @returns {{ title: string, head: string[], rows: string[][] }}
 */
export function serversTable(measured, kinds) {
  const all = Object.values(measured)
  /**
   * @template {keyof Measured} K
   * @param {string} title
   * @param {K} key
   * @param {(value: NonNullable<Measured[K]>) => string} write
   */
  const row = (title, key, write) => {
    const cells = all.map(each => {
      const value = each[key]
      return value === undefined ? MISSING_TEXT : write(value)
    })
    return cells.every(cell => cell === MISSING_TEXT) ? [] : [[title, ...cells]]
  }
  const verdicts = ['fail', 'differs']
  return {
    title: `Rendezvous servers. CPU and p99 are medians of runs in turns, asked by ${CLIENTS} clients in Rust with a stream for each request`,
    head: ['', ...Object.keys(measured)],
    rows: [
      ...row('Conformance: checks passed', 'conformance', passed),
      ...verdicts.flatMap(verdict =>
        row(`Conformance: ${verdict}`, 'conformance', counts => String(counts[verdict] ?? 0))
      ),
      ...row('Runs in turns', 'load', ({ own }) => String(own.length)),
      ...row('Server CPU of a REGISTER, µs', 'load', ({ own }) => middle(own, 'registerMicros')),
      ...row(`… times Rust, tuned ≤ ${REGISTER_TARGET}`, 'load', load => timesRust(load, 'registerMicros')),
      ...row('Server CPU of a DISCOVER, µs', 'load', ({ own }) => middle(own, 'discoverMicros')),
      ...row('… times Rust', 'load', load => timesRust(load, 'discoverMicros')),
      ...row(`p99 at ${RATE}/s, ms`, 'load', ({ own }) => middle(own, 'p99Ms')),
      ...row(
        `Memory before → with ${formatWhole(REGISTRATIONS)} registrations, MB`,
        'memory',
        unlessFailed(megabytes)
      ),
      ...kinds.flatMap(kind =>
        row(`Hostile ${kind}: p99 without → with, ms; recovered after`, 'hostile', hostile =>
          hostile[kind] === undefined ? MISSING_TEXT : unlessFailed(hostileCell)(hostile[kind])
        )
      )
    ]
  }
}
