import { REFUSALS } from './refusals.js'

/**
 * @typedef {object} Line - a command line whose outcome is held
 * @property {string} name - of its file in fixtures/golden
 * @property {readonly string[]} args
 * @property {readonly (readonly string[])[]} [also] - further command lines that are run where it was
 * @property {boolean} [refused] - exit code 2, nothing written
 * @property {readonly string[]} [stored] - folders of results/reference, or fixtures/studies, that it finds, as copies, in `results`; matrices
 *   are always there, in `benchmarks`
 * @property {Readonly<Record<string, string>>} [files] - texts that it finds beside them
 * @property {'simulated' | 'real'} [live] - it runs something: of `simulated` all is held that does not come from the
 *   machine, of `real` only the shape
 * @property {RegExp} [until] - it goes on until this was said, and is then interrupted
 */

const RUN = 'rendezvous'
const DOCKER_RUN = 'restart'
const MATRIX = 'cluster'
const GOSSIP_MATRIX = 'gossip-queue'
const GOSSIP_TABLE = 'gossip-study-queue'
const PROFILES = 'profiles'
const GROWTH = 'gossip-growth'
const SEARCH = 'saturate-search-before'
const GRID = 'saturate-rendezvous'
const ROTATION = 'rotate-gossip'
const RENDEZVOUS_ROTATION = 'rotate-rendezvous'
const AB = 'ab-rendezvous'
const AB_OTHER = 'ab-gossip'
/** A study that there is no more. */
const FORMER = 'validation'
const EVERY_STORED = Object.freeze([
  ...[RUN, DOCKER_RUN, MATRIX, GOSSIP_MATRIX, PROFILES, GROWTH],
  ...[SEARCH, GRID, ROTATION, RENDEZVOUS_ROTATION, AB, AB_OTHER, FORMER]
])

/** @param {string} words - none of which holds a space */
const split = words => words.split(' ').filter(word => word !== '')

/** @param {string} name @param {string | readonly string[]} args @param {Omit<Line, 'name' | 'args'>} [more] @returns {Line} */
const line = (name, args, more) =>
  Object.freeze({ name, args: typeof args === 'string' ? split(args) : args, ...more })

const HELP_OF = Object.freeze([
  ...['', 'rendezvous', 'gossip', 'profile', 'matrix', 'ab'],
  ...['ab gossip', 'saturate', 'saturate rendezvous', 'saturate gossip', 'run', 'compare'],
  ...['rerun', 'report', 'list', 'schema', 'server', 'agent', 'agents', 'image', 'conform', 'perf'],
  ...['completion', 'qa', 'qa gossip']
])

const HELP = [
  line('help-of-what-people-use', '--help'),
  ...HELP_OF.map(command =>
    line(`help${command === '' ? '' : `-${command.replaceAll(/[ -]+/g, '-')}`}`, `${command} --help all`)
  )
]

/** @param {string} text - a command line, words in quotes as a shell takes them */
const wordsOf = text => [...text.matchAll(/'([^']*)'|[^ ]+/g)].map(([word, quoted]) => quoted ?? word)

const REFUSED = Object.entries(REFUSALS).map(([name, { lines, ...more }]) => {
  const [args, ...also] = lines.trim().split(/\n */).map(wordsOf)
  return line(`refused-${name}`, args, { ...more, also, refused: true })
})

const TEXTS = [
  line('version', '--version'),
  line('version-of-a-command', 'gossip --version'),
  line('schema-result', 'schema result'),
  line('schema-plan', 'schema plan'),
  line('list', 'list', { stored: EVERY_STORED }),
  line('list-nothing', 'list'),
  line('list-broken', 'list', {
    stored: [RUN],
    files: { 'results/20260101-0000-rendezvous-1/result.json': '{"schemaVersion": 1, "id": 5' }
  })
]

/** @param {string} name @param {string} folder @param {string} flags */
const report = (name, folder, flags = '') =>
  line(`report-${name}`, `report results/${folder} ${flags}`, { stored: [folder.split('/')[0]] })

const REPORTS = [
  report('rendezvous', RUN, '--csv'),
  report('rendezvous-docker', DOCKER_RUN),
  report('gossip', `${GOSSIP_MATRIX}/${GOSSIP_TABLE}/1a`, '--csv'),
  report(
    'gossip-simulated',
    `${GROWTH}/gossip-growth/n50-barabasi_albert_m=6_seed=1_networkx=3-rate2-msgs100`
  ),
  report('profile', `${PROFILES}/gossip-profile/signed-10`, '--csv'),
  report('rotation', ROTATION, '--csv'),
  report('churned-rendezvous', RENDEZVOUS_ROTATION, '--csv'),
  report('runs', `${PROFILES}/gossip-profile`),
  report('matrix', MATRIX, '--no-runs'),
  report('matrix-gossip', GOSSIP_MATRIX, '--csv'),
  report('matrix-profile', PROFILES, '--no-runs'),
  report('matrix-growth', GROWTH, '--no-runs'),
  report('ab', AB, '--no-runs'),
  report('ab-other', AB_OTHER, '--no-runs'),
  report('saturate-search', SEARCH, '--no-runs'),
  report('saturate-grid', GRID),
  report('former-study', FORMER)
]

const COMPARED = [
  line('compare-runs', `compare results/${RUN} results/${DOCKER_RUN}`, { stored: [RUN, DOCKER_RUN] }),
  line('compare-runs-json', `compare results/${RUN} results/${DOCKER_RUN} --json`, {
    stored: [RUN, DOCKER_RUN]
  }),
  line('compare-ab', `compare results/${AB}`, { stored: [AB] }),
  line('compare-arms', ['compare', `results/${AB}/a`, `results/${AB_OTHER}/a`, '--fail-on', 'p99 > +10%'], {
    stored: [AB, AB_OTHER]
  }),
  line('compare-arms-json', `compare results/${AB}/a results/${AB_OTHER}/a --json`, {
    stored: [AB, AB_OTHER]
  }),
  line(
    'compare-gossip',
    `compare results/${GOSSIP_MATRIX}/${GOSSIP_TABLE}/1a results/${GOSSIP_MATRIX}/${GOSSIP_TABLE}/1b`,
    {
      stored: [GOSSIP_MATRIX]
    }
  ),
  line('compare-rotations', `compare results/${ROTATION} results/${ROTATION}`, { stored: [ROTATION] }),
  line(
    'compare-rendezvous-rotations',
    `compare results/${RENDEZVOUS_ROTATION} results/${RENDEZVOUS_ROTATION}`,
    { stored: [RENDEZVOUS_ROTATION] }
  ),
  line(
    'compare-profiles',
    `compare results/${PROFILES}/gossip-profile/signed-10 results/${PROFILES}/gossip-profile/unsigned-10`,
    { stored: [PROFILES] }
  ),
  line(
    'compare-profiles-json',
    `compare results/${PROFILES}/gossip-profile/signed-10 results/${PROFILES}/gossip-profile/unsigned-10 --json`,
    { stored: [PROFILES] }
  ),
  line('compare-matrices', `compare results/${MATRIX} results/${GOSSIP_MATRIX}`, {
    stored: [MATRIX, GOSSIP_MATRIX]
  })
]

const PLANNED = [
  line('matrix-list', 'matrix benchmarks/smoke.yaml --list'),
  line('matrix-list-vary', 'matrix benchmarks/rendezvous-register.yaml --list --only *r1000* --scale 0.1'),
  line(
    'matrix-list-gossip',
    'matrix benchmarks/gossip-series-1.yaml benchmarks/gossip-growth.yaml --list --network simulated'
  )
]

const SIMULATED = [
  line(
    'simulated-json',
    'gossip --network simulated --linkLatency 0 --nodes 8 --topology full --messages 6 --rate 5/s --json',
    { live: 'simulated' }
  ),
  line(
    'simulated-links',
    'gossip --network simulated --nodes 12 --topology small-world:k=4,p=0.1 --duration 3s --rate 8/s --arrivals poisson --topics foo=0.7,bar=0.4 --linkLatency normal:30ms,5ms --linkLoss 0.5% --linkBandwidth 2MB/s --seed 7 --csv',
    { live: 'simulated' }
  ),
  line(
    'simulated-churn',
    'gossip --network simulated --nodes 14 --topology barabasi-albert:m=3,seed=42,networkx=2.4 --duration 12s --rate 4/s --preset study-2019 --linkLatency 0 --churn 60%/min,away=3s --partition hold@2s-4s:0-4|rest --upBandwidth 1MB/s --sendQueue 32',
    { live: 'simulated' }
  ),
  line(
    'simulated-every',
    [
      'gossip',
      ...split(
        '--network simulated --linkLatency 0 --nodes 6 --topology regular:k=3 --publishers every --duration 2s'
      ),
      '--threshold',
      'deliveryRatio >= 100%',
      '--threshold',
      'latency.p99 < 1ms'
    ],
    { live: 'simulated' }
  )
]

const SHORT = '--server process --warmup 50ms --initialRegistrations 10'

const REAL = [
  line('real-rendezvous', `--benchmarkType MIXED --nClients 2 --benchmarkRuns 1200 ${SHORT} --csv`, {
    live: 'real'
  }),
  line(
    'real-gossip',
    'gossip --nodes 5 --topology full --messages 10 --rate 20/s --heartbeat_interval 200ms --workers 1',
    {
      live: 'real'
    }
  ),
  line('real-ab', ['ab', '--nClients 1', '--nClients 2', ...split(`--runs 1 --benchmarkRuns 20 ${SHORT}`)], {
    live: 'real'
  }),
  line('real-matrix', 'matrix rows.yaml --server process', {
    live: 'real',
    files: {
      'rows.yaml':
        'title: Rows\ndefaults: { warmup: 50ms, initialRegistrations: 10, benchmarkRuns: 600 }\nrows:\n  - benchmarkType: REGISTER\n  - benchmarkType: DISCOVER\n    vary: { discoverLimit: [1, 5] }\n'
    }
  }),
  line(
    'real-saturate',
    `saturate rendezvous --rates 20 --connections 1,2 --duration 1s --slo avg<5s ${SHORT}`,
    {
      live: 'real'
    }
  ),
  line(
    'real-churn',
    'rendezvous --nClients 5 --churn 2,every=2s,away=1s --benchmarkType DISCOVER --rate 30/s --discoverLimit 100 --ttl 4s --workers 1 --warmup 200ms --duration 5s --server process',
    {
      live: 'real'
    }
  ),
  line('server', 'server --listen /ip4/127.0.0.1/tcp/0 --httpPort 0', { live: 'real', until: /http/ })
]

/** LINES are the command lines whose outcome is held. */
export const LINES = Object.freeze([
  ...HELP,
  ...TEXTS,
  ...REFUSED,
  ...PLANNED,
  ...COMPARED,
  ...REPORTS,
  ...SIMULATED,
  ...REAL
])
