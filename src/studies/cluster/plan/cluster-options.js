import { choice, wholeNumber } from '../../../plan/values.js'
import { CAPACITY_OPTIONS } from '../../saturation/plan/capacity-options.js'
import { MOST_HELD } from '../../saturation/plan/network-problems.js'
import { byPreset, PRESETS } from './cluster-presets.js'

const { peers, requestsPerDay, mix, peakFactor, peakHourShare, duration, searchDuration, repeats, resume } =
  CAPACITY_OPTIONS

/**
 * CLUSTER_OPTIONS are those of `capacity --run`, beside what its runs take. What is not given follows from the preset.
 *
 * @type {Readonly<Record<string, import('../../../plan/option.js').Option>>}
 */
export const CLUSTER_OPTIONS = {
  preset: {
    common: true,
    group: peers.group,
    default: 'estimate',
    ...choice(Object.keys(PRESETS)),
    describe:
      "whose rate it is; estimate: the source's, which is run; waku: each peer registers every 10 s, so that the rate these servers sustain is searched for"
  },
  peers,
  requestsPerDay: {
    ...requestsPerDay,
    default: undefined,
    defaultText: byPreset(preset => preset.requestsPerDay)
  },
  mix: { ...mix, default: undefined, defaultText: byPreset(preset => preset.mix) },
  peakFactor: {
    ...peakFactor,
    defaultText: byPreset(preset => preset.peakFactor),
    describe: 'how many times the mean rate there is at the peak'
  },
  peakHourShare,
  registrations: {
    common: true,
    group: duration.group,
    ...wholeNumber(1, MOST_HELD),
    defaultText: 'one of each peer',
    describe:
      'registrations that the servers hold; with fewer than there are peers the answer is extrapolated'
  },
  duration: {
    ...duration,
    describe:
      'how long each rate is held: the mean, the peak, and the peak with one server killed after a third of the time'
  },
  searchDuration: { ...searchDuration, describe: 'how long each trial of a search takes' },
  repeats: { ...repeats, describe: 'how often the two rates that a search found are run again' },
  resume
}
