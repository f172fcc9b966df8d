import { MISSING } from '../../../../kit/numbers.js'
import { NO_ANSWER, timeFigure } from '../../../../report/page/answer.js'
import { share } from '../../../../report/share.js'
import { registrationsPlot } from '../plots/registrations.js'
import { stalePlot } from '../plots/stale-records.js'

/**
 * rotateRendezvousAnswer gives how much of what discoverers are told is of peers that have gone, how long the server holds on to these, and
 * how soon who comes is seen.
 *
 * @param {import('../../rotate-rendezvous-types.js').RotateRendezvousResult} result
 * @returns {import('../../../../report/page/answer.js').Answer}
 */
export function rotateRendezvousAnswer(result) {
  const { rotation } = result.outcome
  if (rotation === null) return NO_ANSWER
  const { discovered, visible, left, firstDiscovery } = rotation
  const { records, stale } = discovered.withDuplicates
  const stales = stalePlot(result)
  return {
    figures: [
      ['Stale records', records === 0 ? MISSING : `${share(stale, records)} %`],
      ['p50 from registered to seen', timeFigure(visible.delay.all.p50)],
      ['p50 from start to first discovery', timeFigure(firstDiscovery.p50)],
      ['p50 from kill to last given out', timeFigure(left.lastSeenAfterKill.p50)]
    ],
    plots: stales.length > 0 ? stales : registrationsPlot(result)
  }
}
