import { MISSING, significant } from '../../../../kit/numbers.js'
import { NO_ANSWER } from '../../../../report/page/answer.js'
import { secondsBars } from '../plots/seconds-bars.js'
import { lastRound } from '../transfer-words.js'

/**
 * transferAnswer gives how long each way took in the last round, the hardest one.
 *
 * @param {import('../../transfer-types.js').TransferResult} result
 * @returns {import('../../../../report/page/answer.js').Answer}
 */
export function transferAnswer({ outcome: { cases } }) {
  const round = lastRound(cases)
  if (round.length === 0) return NO_ANSWER
  return {
    figures: round
      .slice(0, 4)
      .map(({ way, seconds: { median } }) => [
        `Median, ${way}`,
        median === null ? MISSING : `${significant(median)} s`
      ]),
    plots: secondsBars(cases).slice(-1)
  }
}
