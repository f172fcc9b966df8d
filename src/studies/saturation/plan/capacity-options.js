import { decimal } from '../../../kit/numbers.js'
import { shares } from '../../../plan/shares.js'
import { numberBetween, seconds, wholeNumber, yesOrNo } from '../../../plan/values.js'
import { SATURATION_OPTIONS } from '../../../scenarios/saturation-options.js'
import { PEAK_FACTOR } from './network-load.js'

const NETWORK = 'The network:'
const MEASURED = 'What is measured:'

/** MIX are the kinds of requests of a network. */
const MIX = ['register', 'refresh', 'discover']

const USUAL_MIX = 'register=0.1,refresh=0.9,discover=8'

/** @type {Readonly<Record<string, import('../../../plan/option.js').Option>>} */
export const CAPACITY_OPTIONS = {
  run: {
    group: MEASURED,
    default: false,
    ...yesOrNo(),
    describe:
      'run the network on several servers that share a database, instead of dividing by what one server sustains; it has options of its own: capacity --run --help'
  },
  peers: {
    common: true,
    group: NETWORK,
    default: 1_000_000,
    ...wholeNumber(1, 1_000_000_000_000),
    describe: 'peers that use the rendezvous servers'
  },
  requestsPerDay: {
    common: true,
    group: NETWORK,
    default: 8,
    ...numberBetween(0.001, 1_000_000),
    describe: 'requests of each peer, of all kinds together'
  },
  mix: {
    group: NETWORK,
    default: USUAL_MIX,
    ...shares(MIX, USUAL_MIX),
    describe: 'shares of the requests: register, refresh, discover'
  },
  topics: {
    group: NETWORK,
    default: 1,
    ...wholeNumber(1, 1000),
    describe: 'namespaces that a peer registers in, at most'
  },
  peakFactor: {
    common: true,
    group: NETWORK,
    ...numberBetween(1, 24),
    defaultText: String(PEAK_FACTOR),
    describe: 'how many times the mean rate the busiest hour of the day has'
  },
  peakHourShare: {
    group: NETWORK,
    allowed: 'must be a share of the day from 0.0417 (1/24) to 1, such as 0.1',
    schema: z => z.preprocess(value => decimal(String(value)), z.number().min(0.0416).max(1)),
    describe: "instead of --peakFactor, the busiest hour's share of the day's requests"
  },
  duration: {
    group: MEASURED,
    default: '60s',
    ...seconds({ min: '1s', max: '24h' }),
    describe: 'how long each of the three rates is held: mean, peak hour, three times that'
  },
  searchDuration: {
    group: MEASURED,
    default: '10s',
    ...seconds({ min: '1s', max: '24h' }),
    describe: 'how long each trial of the search for the sustainable rate takes'
  },
  repeats: {
    ...SATURATION_OPTIONS.repeats,
    group: MEASURED,
    defaultText: '1',
    describe: 'how often the two rates that the search found are run again'
  },
  scale: {
    common: true,
    group: MEASURED,
    default: 1,
    allowed: 'must be a number above 0 and up to 1, such as 0.1',
    schema: z => z.preprocess(value => decimal(String(value)), z.number().positive().max(1)),
    describe:
      'share of the registrations held that the server is given; below 1 the figures are not those of the network'
  },
  resume: { ...SATURATION_OPTIONS.resume, group: MEASURED }
}
