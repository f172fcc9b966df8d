import { grouped, significant } from '../../../kit/numbers.js'

/**
 * @typedef {import('../../../result/types.js').Result} Result
 * @typedef {import('../../../result/types.js').FaultResult} FaultResult
 */

/** @param {number} ms */
const seconds = ms => `${(ms / 1000).toFixed(1)} s`

/** whoInWords says which server it was done to. @param {FaultResult} fault */
export const whoInWords = ({ server }) => (server === undefined ? 'the server' : `server ${server}`)

/** @type {Readonly<Record<FaultResult['kind'], (fault: FaultResult) => string>>} */
const DEEDS = {
  pause: () => 'stood still',
  kill: () => 'was killed',
  restart: ({ toMs }) =>
    toMs === null ? 'was killed, and not started again,' : 'was killed and started again',
  cpu: ({ cpus }) => `had ${cpus} ${cpus === 1 ? 'core' : 'cores'} left`
}

/**
 * deedInWords says what was done to the server.
 *
 * @param {FaultResult} fault
 */
export const deedInWords = fault => DEEDS[fault.kind](fault)

/**
 * timeInWords says when it was done, in the time of the measurement.
 *
 * @param {FaultResult} fault
 */
export const timeInWords = ({ kind, fromMs, toMs }) =>
  toMs === null || kind === 'kill'
    ? `from ${seconds(fromMs)} on`
    : `from ${seconds(fromMs)} to ${seconds(toMs)}`

/**
 * backInWords says how long it took until a figure was what it had been.
 *
 * @param {FaultResult} fault
 * @param {number | null} ms
 */
export function backInWords({ before, toMs }, ms) {
  if (before === null) return 'not known: too short a time before'
  if (toMs === null || ms === null) return 'not within the run'
  return `${seconds(ms)} after`
}

/**
 * lostInWords says how many operations were lost.
 *
 * @param {FaultResult} fault
 */
export function lostInWords({ operationsLost }) {
  const lost = Object.entries(operationsLost).filter(([, count]) => count > 0)
  return lost.length === 0
    ? 'none'
    : lost.map(([outcome, count]) => `${grouped(count)} ${outcome}`).join(', ')
}

/** @param {FaultResult} fault */
function sentence(fault) {
  const { recoveredThroughputMs, recoveredP99Ms, registrationsLost, reconnects } = fault
  const dials =
    reconnects.dials === 0
      ? ''
      : `, ${grouped(reconnects.dials)} dials to connect again (${significant(reconnects.peakPerSecond)} in one second at most)`
  const registrations = registrationsLost === null ? '' : `, ${grouped(registrationsLost)} registrations lost`
  return `Fault: ${whoInWords(fault)} ${deedInWords(fault)} ${timeInWords(fault)}. Back: throughput ${backInWords(fault, recoveredThroughputMs)}, p99 ${backInWords(fault, recoveredP99Ms)}. Operations lost: ${lostInWords(fault)}${registrations}${dials}.`
}

/**
 * faultNotes say what the faults of a run did.
 *
 * @param {Result} result
 * @returns {string[]}
 */
export const faultNotes = ({ outcome }) => (outcome.faults ?? []).map(sentence)
