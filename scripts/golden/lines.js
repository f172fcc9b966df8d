/**
 * @typedef {object} Line - a command line whose outcome is held
 * @property {string} name - of its file in fixtures/golden
 * @property {readonly string[]} args
 * @property {readonly string[]} [stored] - folders of results/reference, or fixtures/studies, that it finds, as copies, in `results`; matrices
 *   are always there, in `benchmarks`
 * @property {Readonly<Record<string, string>>} [files] - texts that it finds beside them
 * @property {'simulated' | 'real'} [live] - it runs something: of `simulated` all is held that does not come from the
 *   machine, of `real` only the shape
 * @property {RegExp} [until] - it goes on until this was said, and is then interrupted
 */

const RUN = 'rendezvous'
const DOCKER_RUN = 'restart'
const ARRIVALS_RUN = 'hour'
const MATRIX = 'matrix-process'
const GOSSIP_MATRIX = 'gossip-real'
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
  ...[RUN, DOCKER_RUN, ARRIVALS_RUN, MATRIX, GOSSIP_MATRIX, PROFILES, GROWTH],
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

const PLAN_FILES = Object.freeze({
  'load.yaml': 'nClients: 0\nsneeze: 1\n',
  'gossip.yaml': 'messageBytes: { min: 10 }\nsneeze: 1\n',
  'three.txt': 'a b\nb c\n',
  'broken.graphml': '<graphml><graph><edge source="a"/></graph></graphml>',
  'broken.yaml': 'rows: [',
  'rows.yaml': 'title: Rows\nrows:\n  - nClients: 0\n  - sneeze: 1\n'
})

const PEER = '12D3KooWGjMCwDWeCzgZ1tAFuUbBLRqHgtdVMZxqYsD9GPXMzSzd'

const REFUSED = [
  line(
    'refused-values',
    '--nClients 0 --nNamespaces -1 --initialRegistrations 1e3 --benchmarkRuns=0.5 --benchmarkType delete --rate fast --ttl 90h --target 127.0.0.1:8000 --stack libp2p-9 --muxer tcp --server cloud'
  ),
  line(
    'refused-names',
    `--nClient 5 --benchmarktyp REGISTER --thinktime 1s --nodes 5 --target /ip4/8.8.8.8/tcp/8000/p2p/${PEER} --outputFile no/such/table.md --config nowhere.yaml`
  ),
  line(
    'refused-together',
    '--nClients 5 --nClients 6 --targetPid 1 --arrivals poisson --discoverLimit 1001 --discoverInexistentNamespaces --duration 5s --benchmarkRuns 5 --workers 9 --inFlight 4 --mix register=1'
  ),
  line('refused-config', '--config load.yaml --benchmarkType delete --timeout 5 --nsuch x', {
    files: PLAN_FILES
  }),
  line('refused-threshold', [
    '--threshold',
    'p42 < 5',
    '--threshold',
    'p99 < soon',
    '--failOn',
    'p99 > +10%'
  ]),
  line('refused-arrivals', '--rate 10 --arrivals ramp:to=never --maxInFlight 0 --duration 10s'),
  line(
    'refused-perf',
    'perf --measures upload,speed --window 1kb --streams 0 --bandwidth 10 --target /ip4/8.8.8.8/tcp/1 --iOwnTheTarget --repeats 0'
  ),
  line('refused-stray-word', 'rendezvouz'),
  line('refused-run', 'run ./no-scenario.js --duration 0'),
  line('refused-value-of-no-flag', 'rendezvous now --nClients'),
  line(
    'refused-gossip',
    'gossip --nodes 1 --rate fast --messageBytes 4 --topics foo --node 5 --D 3 --preset mine --linkLatency fast --nClients 3',
    { files: PLAN_FILES }
  ),
  line(
    'refused-gossip-config',
    'gossip --topology file:broken.graphml --config gossip.yaml --publishers every',
    {
      files: PLAN_FILES
    }
  ),
  line('refused-gossip-topology', 'gossip --topology file:three.txt --nodes 5', { files: PLAN_FILES }),
  line(
    'refused-gossip-topology-m',
    'gossip --nodes 5 --topology barabasi-albert:m=6 --churn 5% --linkLoss 1'
  ),
  line(
    'refused-gossip-simulated',
    'gossip --network simulated --muxer mplex --nodes 300 --partition hold@1s:0-9 --churn lots --sendQueue 0 --upBandwidth 5 --linkJitter x --rate auto'
  ),
  line(
    'refused-profile',
    'profile --network simulated --profileWorkers 7 --nodes 0 --rate auto --thinkTime 1s'
  ),
  line('removed-abuse', 'abuse slow,frames×10 --pairs 2 --threshold ratio.p99.high<2'),
  line('removed-rotate', 'rotate gossip --stable 5 --ephemeral 2 --rotateEvery 4s --settle 2s'),
  line(
    'refused-gossip-churn',
    'gossip --nodes 4 --churn 3,every=15s,away=1h --duration 10s --publishers every --network simulated --traces'
  ),
  line(
    'refused-churn',
    'rendezvous --churn 4,every=5s --ttl 1s --refreshEvery 9h --cookies yes --nodes 4 --registerMode new --fault at=1s --benchmarkType DISCOVER'
  ),
  line('refused-matrix-none', 'matrix --list nowhere'),
  line('refused-matrix-files', 'matrix nowhere.yaml broken.yaml rows.yaml --only', { files: PLAN_FILES }),
  line(
    'refused-matrix-flags',
    'matrix benchmarks/smoke.yaml --vary nClients --scale 0 --parallel none --only nothing* --nodes 5'
  ),
  line('refused-matrix-resume', 'matrix --resume results/nowhere'),
  line('refused-ab', ['ab', '--nClients 0', '--sneeze 1', '--runs', '0', '--failOn', 'p42 > 1%', 'more']),
  line('refused-ab-one', 'ab before.yaml'),
  line('refused-ab-gossip', ['ab', 'gossip', '--nodes 0', '--fastMsgId off', '--nClients', '4']),
  line('refused-saturate', 'saturate'),
  line('refused-saturate-word', 'saturate gosip --rates 1'),
  line(
    'refused-saturate-rendezvous',
    'saturate rendezvous --rates 0,x --connections many --from 10 --duration 1ms --rate 5 --nodes 9'
  ),
  line(
    'refused-saturate-gossip',
    'saturate gossip --search --nodes 6,x --from 0 --inTime never --nClients 3'
  ),
  line('refused-saturate-peers', 'saturate rendezvous --peers 100000000 --requestsPerDay -1 --rates 3'),
  line('refused-compare', 'compare'),
  line('refused-compare-missing', ['compare', 'nowhere', 'elsewhere', '--fail-on', 'p99 > lots', '--sneeze']),
  line('refused-compare-kinds', `compare results/${RUN} results/${ROTATION}`, { stored: [RUN, ROTATION] }),
  line('refused-rerun', 'rerun'),
  line('refused-rerun-flags', `rerun results/${RUN} --nClients 5 --seed 2 --prometheus 70000 --sneeze`, {
    stored: [RUN]
  }),
  line('refused-rerun-missing', 'rerun nowhere'),
  line('refused-rerun-matrix', `rerun results/${MATRIX}`, { stored: [MATRIX] }),
  line('refused-report', 'report --nope'),
  line('refused-report-missing', 'report nowhere one more'),
  line('refused-report-empty', 'report .'),
  line('refused-report-broken', 'report broken', {
    files: { 'broken/result.json': '{"schemaVersion": 1, "id": 5' }
  }),
  line('refused-report-strange', 'report strange', {
    files: { 'strange/result.json': '{"schemaVersion": 99, "scenario": "lottery"}' }
  }),
  line('refused-report-no-runs', `report results/${RUN} --no-runs`, { stored: [RUN] }),
  line('refused-list', 'list nowhere one more --sneeze'),
  line('refused-schema', 'schema plam more --sneeze'),
  line('refused-server', 'server --httpPort 99999 --minTtl 80h --nClients 3 --listen nowhere stray'),
  line('refused-conform', 'conform /ip4/127.0.0.1/tcp/1 stray --junit nowhere/j.xml --sneeze'),
  line('refused-image', 'image --nodeImage --sneeze stray')
]

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
  report('rendezvous-arrivals', ARRIVALS_RUN, '--csv'),
  report('gossip', `${GOSSIP_MATRIX}/gossip-series-1/1a`, '--csv'),
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
    `compare results/${GOSSIP_MATRIX}/gossip-series-1/1a results/${GOSSIP_MATRIX}/gossip-series-1/1b`,
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
