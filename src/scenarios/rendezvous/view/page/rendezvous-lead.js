import { grouped, significant } from '../../../../kit/numbers.js'
import { dueRate, rolesOf, sendersOf } from '../../../../load/roles.js'
import { rateInWords } from '../../../../report/arrival-words.js'
import { doubtMark, figure, operationsOf } from '../../../../report/table.js'
import { groupInWords } from '../role-words.js'

/**
 * @typedef {import('../../../../result/types.js').Result} Result
 * @typedef {import('../../../../result/types.js').OperationResult} OperationResult
 * @typedef {import('../../../../result/types.js').Percentile} Percentile
 */

/** @param {Percentile} percentile */
const time = percentile =>
  `${percentile.censored ? 'more than ' : ''}${significant(percentile.ms)} ms${doubtMark(percentile)}`

/** @param {OperationResult} operation */
function timesInWords({ rt: { all } }) {
  const high =
    all.p99 === null ? { share: '90 %', percentile: all.p90 } : { share: '99 %', percentile: all.p99 }
  const within = [{ share: 'half', percentile: all.p50 }, high].flatMap(({ share, percentile }) =>
    percentile === null ? [] : [`${share} within ${time(percentile)}`]
  )
  if (within.length > 0) return within.join(', ')
  return all.avg === null ? 'none was timed' : `${figure(all.avg)} ms on average`
}

/** @param {OperationResult} operation */
function successes({ count, errors, outcomes }) {
  if (errors === 0) return 'all succeeded'
  if (errors === count) return 'none succeeded'
  const failed = Object.entries(outcomes).filter(([outcome, n]) => outcome !== 'OK' && n > 0)
  const counts = failed.map(([outcome, n]) => `${grouped(n)} ${outcome}`).join(', ')
  return `${share(errors, count)} without success (${counts})`
}

/** @param {number} part @param {number} whole */
const share = (part, whole) => `${significant((part * 100) / whole)} %`

/** @param {OperationResult} operation */
const answered = ({ count, errors }) =>
  errors === 0 ? grouped(count) : `${grouped(count - errors)} of ${grouped(count)}`

/** @param {OperationResult} operation */
function pace(operation) {
  const rate = `${significant(operation.throughputPerSecond)}/s`
  return operation.throughputIsLowerBound ? `${rate} or more` : rate
}

/** Who sends operations of a type, and when. @param {Result['plan']} plan @param {string} type */
function settingOf(plan, type) {
  const senders = sendersOf(plan, type)
  const { ratePerSecond } = senders
  const of = dueRate(plan, type) === ratePerSecond ? 'due' : 'operations of all types due'
  const due = ratePerSecond === null ? '' : `, ${of} at ${rateInWords(plan.arrivals, ratePerSecond)}`
  return ` with ${groupInWords(senders)}${due}`
}

/**
 * operationsLead says a result of the rendezvous scenario as a person would.
 *
 * @param {Result} result
 * @returns {string[]} one for each type of operation
 */
export function operationsLead(result) {
  const sentences = sentencesOn(result)
  return sentences.length > 0 ? sentences : ['No operation was measured.']
}

/** @param {Result} result */
function sentencesOn(result) {
  const { plan } = result
  const hasRoles = rolesOf(plan).length > 0
  return operationsOf(result).map(([type, operation], i) => {
    const setting = i === 0 || hasRoles ? settingOf(plan, type) : ''
    const verb = i === 0 ? 'The server answered' : 'It answered'
    return `${verb} ${answered(operation)} ${type} at ${pace(operation)}${setting}; ${timesInWords(operation)}; ${successes(operation)}.`
  })
}
