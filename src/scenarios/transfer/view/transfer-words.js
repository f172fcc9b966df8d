import { counted, MISSING, significant } from '../../../kit/numbers.js'
import { sizeText } from '../../../kit/units.js'
import { roundsOf } from '../plan/rounds.js'
import { transferPlan } from '../transfer-plan.js'
import { roundWords } from './round-words.js'

/**
 * @typedef {import('../transfer-types.js').Case} Case
 * @typedef {import('../transfer-types.js').TransferResult} TransferResult
 */

/**
 * workWords say what a plan moves.
 *
 * @param {unknown} plan
 */
export function workWords(plan) {
  const { concurrency, sizeBytes, ways, repeats } = transferPlan(plan)
  const rounds = roundsOf(transferPlan(plan)).length
  return `${counted(concurrency, 'file')} of ${sizeText(sizeBytes)} by ${ways.join(', ')}, in ${counted(rounds, 'round')}, ${counted(repeats, 'repeat')} each`
}

/**
 * betweenWords say between whom, and over what.
 *
 * @param {unknown} plan
 */
export function betweenWords(plan) {
  const { requestors, security, transport, store, leftOut } = transferPlan(plan)
  return [
    `one provider, ${counted(requestors, 'requestor')}, a process each`,
    transport === 'quic' ? 'libp2p over quic' : `libp2p over ${transport} with ${security}`,
    `blocks ${store === 'memory' ? 'in memory' : store === 'car' ? 'in a CAR file' : 'on disk'}`,
    ...leftOut.map(({ why }) => `left out: ${why}`)
  ]
}

/** @param {Case} of */
const caseInWords = ({ way, seconds }) =>
  `${way} ${seconds.median === null ? MISSING : `${significant(seconds.median)} s`}`

/** lastRound are the cases of the last round, the hardest one. @param {readonly Case[]} cases */
export function lastRound(cases) {
  const last = cases.at(-1)
  return cases.filter(
    ({ latencyMs, bytesPerSecond }) =>
      latencyMs === last?.latencyMs && bytesPerSecond === last?.bytesPerSecond
  )
}

/**
 * transfersInLine are the figures of a run in a line: those of its last round, the hardest one.
 *
 * @param {TransferResult} result
 */
export function transfersInLine({ outcome: { cases } }) {
  const round = lastRound(cases)
  if (round.length === 0) return 'nothing was transferred'
  return `${roundWords(round[0])}: ${round.map(caseInWords).join(', ')}`
}

/**
 * verdictLines say of each way in each round what limited it.
 *
 * @param {TransferResult} result
 */
export const verdictLines = ({ outcome: { cases }, plan: { memorySnapshots } }) =>
  (memorySnapshots === 'detailed' ? [] : cases).map(
    each => `${roundWords(each)}, ${each.way}: ${each.verdict.text}.`
  )

/**
 * fileLines say what was moved, so that it can be known again.
 *
 * @param {TransferResult} result
 */
export const fileLines = ({ outcome: { files } }) =>
  files.length === 0
    ? []
    : [
        `${counted(files.length, 'file')} of ${counted(files[0].blocks, 'block')}; root ${files.length > 1 ? 'of the first ' : ''}${files[0].root}.`
      ]
