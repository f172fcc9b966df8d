import { tableOf } from '../../../../kit/html-table.js'
import { grouped, significant } from '../../../../kit/numbers.js'
import { reasonsOf } from '../carried-words.js'

/**
 * trialTable shows the rates that were tried by `--rate auto`.
 *
 * @param {import('../../gossip-types.js').GossipResult} result
 * @returns {import('../../../../kit/html.js').Html | null} null: the rate was given
 */
export function trialTable({ outcome: { carriedRate } }) {
  if (carriedRate === null || carriedRate.trials.length === 0) return null
  return tableOf(
    {
      headings: ['Messages/s', 'Repeats', 'Carried', 'Why not'],
      align: ['r', 'r', 'l', 'l'],
      rows: carriedRate.trials.map(({ perSecond, repeats, carried, reasons }) => [
        significant(perSecond),
        grouped(repeats),
        carried ? 'yes' : reasons.length === 0 ? 'not finished' : 'no',
        reasonsOf(reasons)
      ])
    },
    { label: 'Rates that were tried' }
  )
}
