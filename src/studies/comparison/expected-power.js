import { counted } from '../../kit/numbers.js'
import { percent } from '../../report/rule-line.js'
import { smallestShown } from '../statistics/power.js'

/** How far the ratios of pairs may scatter, as a share: it is not known before they are run. */
const SCATTERS = [0.05, 0.1]

/**
 * expectedPower says, before anything is run, what pairs of runs can show.
 *
 * @param {number} pairs
 * @param {number} least - that are needed to decide anything
 */
export function expectedPower(pairs, least) {
  if (pairs < least)
    return `${counted(pairs, 'pair')} of runs cannot decide anything: ${least} are needed, so every rule will be UNDECIDED.`
  const shown = SCATTERS.map(
    scatter => `${percent(smallestShown(pairs, scatter))} (if their ratios scatter by ${percent(scatter)})`
  )
  return `${pairs} pairs of runs show a change of ${shown.join(' or ')}; a smaller one stays undecided.`
}
