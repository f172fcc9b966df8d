/**
 * @typedef {object} Refusals - command lines of a command that are not begun: exit code 2, with what is wrong and what is allowed
 * @property {string} lines - one below the other, words in quotes as a shell takes them
 * @property {Readonly<Record<string, string>>} [files] - as of a line
 * @property {readonly string[]} [stored] - as of a line
 */

const PEER = '/p2p/12D3KooWGjMCwDWeCzgZ1tAFuUbBLRqHgtdVMZxqYsD9GPXMzSzd'
const PUBLIC = `/ip4/8.8.8.8/tcp/8000${PEER}`
const GOSSIP_RUN = 'results/gossip-queue/gossip-study-queue/1a'
const PROFILE = 'results/profiles/gossip-profile'

/** Scenarios of a user's own, each with a mistake. */
const NO_SCENARIOS = {
  'syntax.js': 'export default {',
  'throws.js': "throw new Error('not today')",
  'nothing.js': 'export const name = 1',
  'nameless.js': 'export default { operations: ["A"], run() {} }',
  'space.js': 'export default { name: "a b", operations: ["A"], run() {} }',
  'empty.js': 'export default { name: "a", operations: [], run() {} }',
  'still.js': 'export default { name: "a", operations: ["A"] }',
  'viewer.js': 'export default { name: "a", operations: ["A"], view: {}, run() {} }',
  'listed.js': 'export default { name: "a", operations: ["A"], options: {}, run() {} }',
  'kindless.js':
    'export default { name: "a", operations: ["A"], options: () => ({ pause: { describe: "" } }), run() {} }'
}

/**
 * REFUSALS is the one table of what is refused, by the names of files in fixtures/golden. A row stands for each rule that shows itself at a
 * command line; which values an option takes is held by tests of the option.
 *
 * @type {Readonly<Record<string, Refusals>>}
 */
export const REFUSALS = Object.freeze({
  rendezvous: {
    lines: `
      --nClients 0 --nNamespaces -1 --initialRegistrations 1e3 --benchmarkRuns=0.5 --benchmarkType delete --rate fast --ttl 90h --target 127.0.0.1:8000 --stack libp2p-9 --muxer tcp --server cloud
      --nClient 5 --benchmarktyp REGISTER --thinktime 1s --nodes 5 --target ${PUBLIC} --outputFile no/such/table.md --config nowhere.yaml
      --nClients many --duration 10 --benchmarkType mixed --mix lookup=1 --outputFile . stray
      --nClients 5 --nClients 6 --targetPid 1 --arrivals poisson --discoverLimit 1001 --discoverInexistentNamespaces --duration 5s --benchmarkRuns 5 --workers 9 --inFlight 4 --mix register=1
      --discoverLimit 1001 --discoverInexistentNamespaces --workers 5
      --maxPeerRegistrations 10 --registerMode new --benchmarkRuns 500
      --duration 5s --benchmarkRuns 5 --minDuration 1s --inFlight 4 --rate 10
      --threshold 'p42 < 5' --threshold 'p99 < soon' --failOn 'p99 > +10%'
      --threshold 'REGISTER.q99 < 5ms' --threshold 'REGISTER.p99 < 5' --threshold 'errorRate < 1%'
      --threshold 'DISCOVER.p50 < 5ms'
      --rate 10 --arrivals ramp:to=never --maxInFlight 0 --duration 10s
      --duration 1s --arrivals replay:back.txt
      --churn 4,every=5s --ttl 1s --refreshEvery 9h --cookies yes --nodes 4 --registerMode new --fault at=1s --benchmarkType DISCOVER
      --server process --duration 9s --fault 'at=2s cpu=0.5'
      --hostile smoke --hostileEvery 1ms
      rendezvous now --nClients
      rendezvouz
      elsewhere
      gosip
      --n-client 5
      --n-clients 0
      --nClients=5 --n-clients=6
      --nClients -5
      --no-nClients
      -x 5
      -c 0
      --samples perhaps
      --sneeze x
      --dryRun --nClients 0
      --outputDir load.yaml
      --junit nowhere/file --jsonLines nowhere/file
      --jsonLines - --json
      --prometheus 70000
      --dashboard=70000
      --dashboard=yes
      --dashboard=-1`,
    files: { 'load.yaml': '', 'back.txt': '0\n20\n10\n' }
  },
  config: {
    lines: `
      --config load.yaml --benchmarkType delete --timeout 5 --nsuch x
      --config missing.yaml --seed x
      --config broken.yaml --seed x
      --config broken.json --seed x
      --config list.yaml --seed x
      --config near.yaml --seed x
      --config folder`,
    files: {
      'load.yaml': 'nClients: 0\nsneeze: 1\n',
      'broken.yaml': 'nClients: [1',
      'broken.json': '{"nClients": }',
      'list.yaml': '- 1\n',
      'near.yaml': 'nClients: 0\nclients: 4\n',
      'folder/load.yaml': ''
    }
  },
  runs: {
    lines: `
      profile --runs 2
      --resume results/before
      --runs 2 --resume
      --runs 8 --nClients 9 --resume results/ab-rendezvous/a
      --runs 2 --prometheus 0
      --baseline results/ab-rendezvous/a
      --runs 8 --nClients 9 --baseline results/ab-rendezvous/a`,
    stored: ['ab-rendezvous']
  },
  gossip: {
    lines: `
      gossip --nodes 1 --rate fast --messageBytes 4 --topics foo --node 5 --D 3 --preset mine --linkLatency fast --nClients 3
      gossip --topology file:broken.graphml --config gossip.yaml --publishers every
      gossip --topology file:nowhere.txt
      gossip --topology file:three.txt --nodes 5
      gossip --topology mesh --benchmarkType MIXED stray
      gossip --nodes 5 --topology barabasi-albert:m=6 --churn 5% --linkLoss 1
      gossip --nodes 4 --churn 3,every=15s,away=1h --duration 10s --publishers every --network simulated --traces
      gossip --network simulated --muxer mplex --nodes 300 --partition hold@1s:0-9 --churn lots --sendQueue 0 --upBandwidth 5 --linkJitter x --rate auto
      gossip --network simulated --stack libp2p-2
      gossip --topology rendezvous --security plaintext --muxer mplex
      gossip --rate fast --deliveries rows.csv
      gossip --outputFile no/such/table.md
      gossip --networkFile net.yaml`,
    files: {
      'gossip.yaml': 'messageBytes: { min: 10 }\nsneeze: 1\n',
      'three.txt': 'a b\nb c\n',
      'broken.graphml': '<graphml><graph><edge source="a"/></graph></graphml>',
      'net.yaml': 'classes: { a: { share: 90%, up: 3 } }\ntopics: { x: { rates: 3/s } }'
    }
  },
  profile: {
    lines: 'profile --network simulated --profileWorkers 7 --nodes 0 --rate auto --thinkTime 1s'
  },
  transfer: {
    lines: `
      transfer --repeats 6 --linkLoss 1% --protocols gopher
      perf --measures upload,speed --window 1kb --streams 0 --bandwidth 10 --target /ip4/8.8.8.8/tcp/1 --iOwnTheTarget --repeats 0
      perf --measures upload --window 1KiB --streams 0`
  },
  run: {
    lines: `
      run
      run --duration 1s
      run ./no-scenario.js --duration 0
      ${Object.keys(NO_SCENARIOS)
        .map(name => `run ./${name}`)
        .join('\n')}`,
    files: NO_SCENARIOS
  },
  matrix: {
    lines: `
      matrix --list nowhere
      matrix nothing --dryRun
      matrix nowhere.yaml broken.yaml rows.yaml --only
      matrix bad.yaml list.yaml options.yaml other/rows.yaml rows.yaml
      matrix benchmarks/smoke.yaml --vary nClients --scale 0 --parallel none --only nothing* --nodes 5
      matrix benchmarks/smoke.yaml --nClients 0 --scale 2 --nope 1 --config x --outputFile .
      matrix benchmarks/smoke.yaml --only x*
      matrix benchmarks/smoke.yaml --name a/b
      matrix benchmarks/smoke.yaml --scale 1 --scale 0.5
      matrix benchmarks/smoke.yaml --outputDir rows.yaml
      matrix benchmarks/smoke.yaml --resume
      matrix --resume .
      matrix --resume results/nowhere
      matrix gossip.yaml --formedMesh
      matrix gossip.yaml --lowerRate
      matrix gossip.yaml --vary seed=1,2
      matrix gossip.yaml --nClients 5
      matrix gossip.yaml benchmarks/smoke.yaml --list --nodes 5`,
    files: {
      'broken.yaml': 'rows: [',
      'rows.yaml': 'title: Rows\nrows:\n  - nClients: 0\n  - sneeze: 1\n  - { rate: x, reference: 3 }\n',
      'bad.yaml': 'title: Bad\ninclude: gone.yaml\n',
      'list.yaml': '- 1\n',
      'options.yaml': 'title: O\nrows:\n  - {}\n  - { seed: x }\n',
      'other/rows.yaml': 'title: Load\n',
      'gossip.yaml': 'scenario: gossip\ntitle: Series\ndefaults: { nodes: 5 }\n'
    }
  },
  ab: {
    lines: `
      ab '--nClients 0' '--sneeze 1' --runs 0 --failOn 'p42 > 1%' more
      ab before.yaml
      ab one --dryRun
      ab '--nClients 0' '--sneeze 1'
      ab --resume
      ab '--nClients 5'
      ab '' '' ''
      ab x ''
      ab x.yaml ''
      ab '--arrivals replay:none.json' ''
      ab '' '--benchmarkType DISCOVER'
      ab '' '' --runs 21
      ab '' '' --nClients 0
      ab '' '' --fail-on 'p99 > 10'
      ab '' '' --baseline none
      ab '' '' --strict
      ab '' '' --prometheus 0
      ab '' '' --config x.yaml
      ab '--inFlight 2 --strict' '--inFlight 3 --outputDir elsewhere'
      ab '' '' --threshold 'DISCOVER.p99 < 5ms'
      ab --resume results/ab-rendezvous --dashboard 99999 --agents 2`,
    stored: ['ab-rendezvous']
  },
  'ab-gossip': {
    lines: `
      ab gossip '--nodes 0' '--fastMsgId off' --nClients 4
      ab gossip '--nodes 20' '--nodes 30' --failOn 'throughput < -5%'
      ab gossip '--network simulated' '--nodes 20'
      ab gossip '--publishers every --duration 5s' '--messages 10'
      ab gossip '--publishers node:3,7' '--nodes 20'
      ab gossip '--runs 3 --nodes 5' '--nodes 20'
      ab gossip '--nodes 20'`
  },
  saturate: {
    lines: `
      saturate
      saturate profile
      saturate gosip --rates 1
      saturate rendezvous --rates 0,x --connections many --from 10 --duration 1ms --rate 5 --nodes 9
      saturate rendezvous --peers 100000000 --requestsPerDay -1 --rates 3
      saturate rendezvous --rates 25,x
      saturate rendezvous --connections 0,1
      saturate rendezvous --duration 1500ms
      saturate rendezvous --rate 5/s
      saturate rendezvous --nClients 5
      saturate rendezvous --threshold 'p99 < 1ms'
      saturate rendezvous --from 5/s
      saturate rendezvous --search --rates 5
      saturate rendezvous --search --connections 1,2
      saturate rendezvous --search --registerMode new
      saturate rendezvous --slo 'p98x < 5ms'
      saturate rendezvous --slo 'DISCOVER.p99 < 5ms'
      saturate rendezvous --search --from 5/s
      saturate rendezvous --arrivals 'ramp to=500/s'
      saturate rendezvous --resume
      saturate rendezvous --resume x --rates 5`
  },
  'saturate-gossip': {
    lines: `
      saturate gossip --search --nodes 6,x --from 0 --inTime never --nClients 3
      saturate gossip --rate 5,x
      saturate gossip --nodes 1,20
      saturate gossip --rates 5
      saturate gossip --messages 5
      saturate gossip --threshold 'deliveryRatio >= 99%'
      saturate gossip --publishers every
      saturate gossip --arrivals steps:5/s,10/s
      saturate gossip --from 5/s
      saturate gossip --search --rate 5
      saturate gossip --search --nodes 10,20
      saturate gossip --messageBytes 1
      saturate gossip --resume`
  },
  qa: {
    lines: `
      qa
      qa --quick perhaps
      qa rendezvous --quick --baseline nowhere
      qa rendezvous --quick --churn x
      qa rendezvous --quick --rate 5/s
      qa rendezvous --resume --churn 3,every=1s`
  },
  compare: {
    lines: `
      compare
      compare nowhere elsewhere --fail-on 'p99 > lots' --sneeze
      compare results/rendezvous
      compare results/rendezvous none
      compare results/rendezvous results/ab-rendezvous
      compare results/rendezvous results/rotate-gossip
      compare results/rendezvous ${GOSSIP_RUN}
      compare results/ab-rendezvous/a results/ab-rendezvous/b --junit checks.xml
      compare results/validation results/validation
      compare results/saturate-search-before
      compare results/saturate-search-before results/ab-rendezvous
      compare results/saturate-search-before results/saturate-search-before-2 --failOn 'p99 > +5%'
      compare results/saturate-search-before results/saturate-search-before-2 --junit checks.xml
      compare results/saturate-search-before damaged
      compare ${PROFILE}/signed-10 ${PROFILE}/unsigned-10 --failOn 'p99 > +10%'
      compare ${PROFILE}/signed-10 ${PROFILE}/unsigned-10 --junit a.xml
      compare ${PROFILE}/signed-10 ${GOSSIP_RUN}`,
    stored: [
      ...['rendezvous', 'rotate-gossip', 'gossip-queue', 'ab-rendezvous', 'validation', 'profiles'],
      ...['saturate-search-before', 'saturate-search-before-2']
    ],
    files: { 'damaged/saturate.json': '{"half": ' }
  },
  rerun: {
    lines: `
      rerun
      rerun a b
      rerun nowhere
      rerun nowhere --config x
      rerun results
      rerun results/rendezvous --nClients 5 --seed 2 --prometheus 70000 --sneeze
      rerun results/cluster
      rerun results/ab-rendezvous
      rerun results/validation`,
    stored: ['rendezvous', 'cluster', 'ab-rendezvous', 'validation']
  },
  report: {
    lines: `
      report --nope
      report nowhere one more
      report .
      report broken
      report strange
      report abuse
      report results/rendezvous --no-runs`,
    stored: ['rendezvous'],
    files: {
      'broken/result.json': '{"schemaVersion": 1, "id": 5',
      'strange/result.json': '{"schemaVersion": 99, "scenario": "lottery"}',
      'abuse/result.json': '{"schemaVersion": 1, "scenario": "abuse"}'
    }
  },
  list: {
    lines: `
      list nowhere one more --sneeze
      list nowhere
      list --outputDir nowhere
      list --output-dir nowhere
      list a b
      list benchmarks --outputDir elsewhere`
  },
  schema: { lines: 'schema plam more --sneeze' },
  server: {
    lines: `
      server --httpPort 99999 --minTtl 80h --nClients 3 --listen nowhere stray
      server now --httpPort x --nClients 3
      server --httpPort x --maxStreams y`
  },
  conform: {
    lines: 'conform /ip4/127.0.0.1/tcp/1 stray --junit nowhere/j.xml --sneeze'
  },
  image: {
    lines: `
      image --nodeImage --sneeze stray
      image now --tag 'A B' --cpus 2`
  },
  agent: {
    lines: `
      agent
      agent more --bus nats://bus:4222 --tags 'a b' --maxClients 0 --allowTargets 'x y'
      agent --bus nats://:word@bus`
  },
  'over-agents': {
    lines: `
      --agents 2
      --bus nats://127.0.0.1:1
      --bus nats://192.0.2.7 --agents 1
      --address 127.0.0.1
      --bus nats://t@192.0.2.7 --agents 1 --server docker
      --bus nats://127.0.0.1:1 --agents 5 --nClients 4
      --bus nats://127.0.0.1:1 --agents eu
      --bus nats://127.0.0.1:1 --agents 1 --samples
      --bus nats://127.0.0.1:1 --agents 1
      perf --bus nats://127.0.0.1:1 --agents 2
      transfer --bus nats://127.0.0.1:1 --agents 2
      transfer --bus nats://127.0.0.1:1 --agents 1 --store disk
      transfer --bus nats://127.0.0.1:1 --agents 1 --traces
      matrix benchmarks/smoke.yaml --bus nats://127.0.0.1:1 --agents 1 --parallel 2
      matrix benchmarks/gossip-profile.yaml --bus nats://127.0.0.1:1 --agents 1
      matrix benchmarks/smoke.yaml --bus nats://127.0.0.1:1 --agents 1
      saturate gossip --network simulated --bus nats://127.0.0.1:1 --agents 1
      agent --bus nats://192.0.2.7
      agent --bus nats://127.0.0.1:1 --maxRate much
      agent --bus nats://127.0.0.1:1 --address here
      agents
      agents --bus nats://127.0.0.1:1`
  },
  doctor: {
    lines: `
      doctor here
      doctor --fast`
  },
  removed: {
    lines: `
      rotate
      rotate gossip --stable 5 --ephemeral 2 --rotateEvery 4s --settle 2s
      rotate gossip --stable 8 --ephemeral 2 --rotateEvery 4s --downFor 1s --dials 3 --settle 2s --csv
      rotate gossip --duration 1m
      rotate rendezvous --ttl 4s
      abuse
      abuse slow,frames×10 --pairs 2 --threshold ratio.p99.high<2
      abuse slow,frames×10 --pairs 2 --stretch 2s --clients 8 --threshold errors.abused<9 --json
      abuse --kinds requests`
  }
})
