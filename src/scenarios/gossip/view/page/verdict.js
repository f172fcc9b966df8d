import { present } from '../../../../kit/lists.js'
import { counted, grouped } from '../../../../kit/numbers.js'
import { ADDED_TO_DELIVERIES, CAUSES, doubtfulFigures } from '../../../../measure/doubt.js'
import { bad, good, mind } from '../../../../report/page/verdict.js'
import { doubtMark, FIGURES } from '../../../../report/table.js'
import { isSimulated } from '../is-simulated.js'
import { reasonsInWords } from '../missing-words.js'

/**
 * @typedef {import('../../gossip-types.js').GossipResult} GossipResult
 * @typedef {import('../../../../report/page/verdict.js').Statement} Statement
 */

/** @param {GossipResult} result @returns {Statement[]} */
const simulated = ({ plan }) =>
  isSimulated(plan)
    ? [mind(`Simulated: no real network joined the nodes, and all times are virtual.`, 'about')]
    : []

/** @param {GossipResult} result @returns {Statement[]} */
function missing({ outcome: { missing, delivery } }) {
  if (delivery.expected === 0) return []
  if (missing.pairs === 0) {
    // a run that goes on has deliveries under way
    return delivery.delivered === delivery.expected ? [good('Every delivery came.', 'times')] : []
  }
  return [
    bad(
      `${grouped(missing.pairs)} of ${counted(delivery.expected, 'delivery', 'deliveries')} did not come: ${reasonsInWords(missing.byReason)}.`,
      'missing'
    )
  ]
}

/** @param {GossipResult} result @returns {Statement[]} */
function unpublished({ outcome: { messages } }) {
  const { skipped, failed } = messages
  const parts = present([
    skipped > 0 && `${counted(skipped, 'message was', 'messages were')} skipped`,
    failed > 0 && `${counted(failed, 'message')} could not be published`
  ])
  return parts.length === 0 ? [] : [mind(`${parts.join(', ')}.`, 'publications')]
}

/**
 * deliveryFailures say what did not come.
 *
 * @param {GossipResult} result
 * @returns {Statement[]}
 */
export const deliveryFailures = result => [...simulated(result), ...missing(result), ...unpublished(result)]

/** @param {string} key */
const nameOf = key => FIGURES.find(([name]) => name === key)?.[1] ?? key

/**
 * deliveryDoubts say which times processes or machine had too large a part in.
 *
 * @param {GossipResult} result
 * @returns {Statement[]}
 */
export const deliveryDoubts = ({ outcome: { latency, dissemination } }) =>
  CAUSES.flatMap(cause => {
    const named = Object.entries({ latency, dissemination }).flatMap(([name, { all }]) => {
      const figures = doubtfulFigures(all, cause)
      return figures.length === 0 ? [] : [`${name} ${figures.map(nameOf).join(', ')}`]
    })
    if (named.length === 0) return []
    const text = `Doubtful, marked ${doubtMark({ doubtful: true, cause })}: ${named.join('; ')}; ${ADDED_TO_DELIVERIES[cause]} more than a tenth of these times.`
    return [mind(text, 'generator')]
  })
