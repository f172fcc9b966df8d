import { gateOptions } from '../../../plan/gate-options.js'
import { GROUP, OUTPUT_OPTIONS, STRICT } from '../../../plan/shared-options.js'
import { targetAddress } from '../../../plan/target-address.js'
import { thresholds } from '../../../plan/threshold.js'
import {
  choice,
  containerName,
  cores,
  duration,
  rate,
  size,
  wholeNumber,
  yesOrNo
} from '../../../plan/values.js'
import { ownServer, withTarget } from '../../rendezvous/plan/conditions.js'
import { KINDS } from '../../rendezvous/plan/hostile-kinds.js'
import { stockOption } from '../../stack-options.js'
import { ABUSE_COMPARED, ABUSE_FIGURES } from '../figures.js'
import { askedIn, isAsked, MOST_TIMES } from './cases.js'

const HOSTILE = 'Who is hostile:'
const HONEST = 'Who is honest:'
const SERVER = 'The server:'
const { MEASURE, VERDICT } = GROUP

/** @returns {import('../../../plan/values.js').Kind & { write: (value: readonly string[]) => string }} */
const kinds = () => ({
  allowed: `must be all, or some of ${Object.keys(KINDS).join(', ')}, joined by commas, each with ×10 behind it for so many times its rate, up to ×${MOST_TIMES}`,
  write: names => names.join(','),
  schema: z =>
    z.preprocess(
      askedIn,
      z
        .array(z.string())
        .min(1)
        .refine(names => names.every(isAsked))
    )
})

/** ABUSE_OPTIONS are the options of a run with hostile peers. @type {import('../../../plan/read-options.js').OptionTable} */
export const ABUSE_OPTIONS = {
  kinds: {
    group: HOSTILE,
    default: 'all',
    ...kinds(),
    describe: `kinds of abuse, or all: ${Object.keys(KINDS).join(', ')}; ×10 behind one is ten times its rate. Also the word behind the command`
  },
  clients: {
    short: 'c',
    group: HONEST,
    default: 4,
    ...wholeNumber(1, 64),
    describe: 'honest clients, each at an address of its own where the server is on this host'
  },
  rate: {
    short: 'r',
    group: HONEST,
    default: '200/s',
    ...rate({ max: 1000 }),
    planKey: 'ratePerSecond',
    describe: 'DISCOVERs of 20 that all of them together send, due whatever is answered'
  },
  server: {
    group: SERVER,
    default: 'process',
    ...choice(['process', 'docker']),
    only: ownServer('says where our own server runs'),
    added: 'process',
    describe:
      "where our server runs; docker: in a container in this machine's network, where peers keep addresses of their own"
  },
  ...stockOption(SERVER, 'server and honest clients'),
  cpus: {
    group: SERVER,
    ...cores({ min: 0.01, max: 1024 }),
    only: ownServer('limits our own server'),
    added: null,
    describe: 'cores our server may use; needs --server docker'
  },
  memory: {
    group: SERVER,
    ...size({ min: '6MiB', max: '64TiB' }),
    planKey: 'memoryBytes',
    only: ownServer('limits our own server'),
    added: null,
    describe: 'memory our server may use, such as 512MiB; needs --server docker'
  },
  target: {
    group: SERVER,
    ...targetAddress(),
    describe:
      'measure this rendezvous server instead of one of our own: a multiaddr with /tcp and /p2p; outside of this host it needs --iOwnTheTarget'
  },
  targetPid: {
    group: SERVER,
    ...wholeNumber(1, 4_194_304),
    only: withTarget(),
    describe: 'with --target, the process whose CPU and memory are read'
  },
  targetContainer: {
    group: SERVER,
    ...containerName(),
    only: withTarget(),
    added: null,
    describe: 'with --target, the container whose CPU and memory are read'
  },
  iOwnTheTarget: {
    group: SERVER,
    default: false,
    ...yesOrNo(),
    only: withTarget(),
    describe: 'needed to send hostile peers to another host'
  },
  pairs: {
    group: MEASURE,
    default: 6,
    ...wholeNumber(1, 20),
    describe: 'stretches without and with abuse of each kind, in turn; fewer than 6 of each give no interval'
  },
  stretch: {
    group: MEASURE,
    default: '5s',
    ...duration({ min: '500ms', max: '1m' }),
    planKey: 'stretchMs',
    describe: 'how long each is; p99 needs 1,000 requests in it'
  },
  warmup: {
    group: MEASURE,
    default: '10s',
    ...duration({ max: '10m' }),
    planKey: 'warmupMs',
    describe: 'honest load that is not counted, before the first stretch of each kind'
  },
  seed: {
    group: MEASURE,
    default: 1,
    ...wholeNumber(0, 4_294_967_295),
    describe: 'of the noise that hostile peers send'
  },
  threshold: {
    group: VERDICT,
    defaultText: 'none',
    ...thresholds(ABUSE_FIGURES, false),
    planKey: 'thresholds',
    describe:
      'what a figure of the kind that fared worst must be at the end, such as "ratio.p99.high < 2" or "longestTurn < 50ms", or the exit code is 3; can be repeated'
  },
  ...STRICT,
  ...gateOptions(ABUSE_COMPARED),
  ...OUTPUT_OPTIONS
}
