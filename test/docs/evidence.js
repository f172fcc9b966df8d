/**
 * Where the figures in sentences of README and docs stand in committed results; tables are written by npm run docs. A text has `{}` for each figure; what is shown has `{}` for the same
 * figures in the same order, and `…` for what stands between them on a line, or in a cell of a table.
 *
 * @typedef {object} Evidence
 * @property {string} doc
 * @property {string} says
 * @property {readonly (readonly [file: string, shows: string])[]} stands - in files of results/reference
 */

const AB = 'ab-rendezvous/comparison.md'
const AB_GOSSIP = 'ab-gossip/comparison.md'
const HOUR = 'hour/report.md'
const QUEUE_ROWS = 'gossip-queue/gossip-study-queue'
const QUEUE = 'gossip-queue/gossip-study-queue.md'
const SIMULATED = 'gossip-simulated'
const IN_FULL = 'gossip-in-full'
const TRANSFER_DEFAULT = 'transfer-default/transfer-default.md'
const TRANSFER_500 = 'transfer-500mb/transfer-500mb.md'
const TRANSFER = 'transfer/report.md'
const MATRIX = 'matrix-process'
const LIMITS = `${MATRIX}/rendezvous-discover-100.md`
const LIMITS_DOCKER = 'matrix-docker/rendezvous-discover-100.md'

const PROCESS_RUNS = 'matrix-process-runs/rendezvous-discover-20.md'
const DOCKER_RUNS = 'matrix-docker-runs/rendezvous-discover-20.md'
const SEARCH = 'saturate-search/saturate.md'
/** The same setup on another day. */
const AGAIN = 'saturate-search-again/saturate.md'
const QA = 'qa-rendezvous/qa.md'
const QA_GOSSIP = 'qa-gossip/qa.md'
const CAPACITY_RUN = 'capacity-run/cluster.md'
const WAKU = 'capacity-waku/cluster.md'

const GOSSIP_GRID = 'saturate-gossip/saturate.md'
const SIMULATED_GRID = 'saturate-gossip-simulated/saturate.md'
const BETWEEN_NAMESPACES = 'gossip-namespaces/report.md'

/** @param {string} figure */
const HELD_BACK = figure => `${figure}, 40 clients, replies held back for 60 ms`
const ROW_OF_100 = 'c100-r100000-ns10-ops500'

const MANY_CLIENTS = 'many-clients'
const MANY_NODES = 'gossip-10000/report.md'
const CLUSTER = 'rendezvous-cluster/rendezvous-cluster.md'

/** A marked figure of three servers at each load, behind some columns. @param {number} before @returns {Evidence['stands']} */
const atEachLoad = before =>
  ['mean', 'peak', 'peak with a server killed'].map(load => [
    CAPACITY_RUN,
    `| ${load} | ${cells(before)}{}* |`
  ])

const WAYS_OF_TABLE = ['http', 'stream', 'blocks', 'libp2p-http']

/**
 * Seconds of a way, and its factor to http.
 *
 * @param {string} file
 * @param {string} round
 * @param {string} way
 * @returns {NonNullable<Evidence['stands']>[number]}
 */
const waySeconds = (file, round, way) => [
  file,
  way === 'http' ? `| ${round} | http | {} |` : `| ${round} | ${way} | {} | … | … | {} |`
]

/** Servers and bare statement, p50 and p99; memory at all of the rate and a third, p50. @param {string} type @returns {Evidence['stands']} */
const floorOf = type =>
  [4, 8, 1, 7, 2, 3].map(before => ['store-floor.md', `| ${type} | ${cells(before)}{} |`])

/** CPU of the database, in a row of its matrix. @param {string} type @param {number} servers */
const databaseOf = (type, servers) => `| ${type} | 30 | 100,000 | 100 | 30.0 s | ${servers} | ${cells(9)}{} |`

/** CPU of its servers together, on average. @param {string} type @param {number} servers */
const serversOf = (type, servers) => `| ${type} | 30 | 100,000 | 100 | 30.0 s | ${servers} | ${cells(3)}{} |`

const SERIES = 'gossip-real/gossip-series-1.md'

/** @param {string} name - of a validation case */
const caseOf = name => `validation-cases/${name}/validation.md`

/** Columns of a table that say nothing here. @param {number} count */
const cells = count => '… | '.repeat(count)

/** Mean dissemination of a row of gossip. @param {string} row */
const disseminationOf = row => `| ${row} | ${cells(8)}{}`

/** Last hop of one. @param {string} row */
const lastHopOf = row => `| ${row} | ${cells(15)}{} |`

/** CPU of a perf run at a server of others. @param {string} way */
const perfCpu = way => `| ${way} | ${cells(8)}{} / {} s/GB`

/** @param {string} name @param {string} folder @returns {Evidence} */
const perfOf = (name, folder) => ({
  doc: 'docs/perf.md',
  says: `| ${name} | {} ({} to {}) | {} ({} to {}) | {} / {} and {} / {} s/GB`,
  stands: [
    [`${folder}/report.md`, '| upload | … | … | {} MB/s | {}–{}'],
    [`${folder}/report.md`, '| download | … | … | {} MB/s | {}–{}'],
    [`${folder}/report.md`, perfCpu('upload')],
    [`${folder}/report.md`, perfCpu('download')]
  ]
})

/** @type {readonly Evidence[]} */
export const EVIDENCE = [
  {
    doc: 'docs/simulation.md',
    says: 'takes up to {} ms beyond its link, of which\nthe conditions allow {}.',
    stands: [
      [caseOf('11a'), '| What a hop takes beyond its link | {} ms |'],
      [caseOf('11a'), 'at most L / 20: {} ms']
    ]
  },
  {
    doc: 'docs/simulation.md',
    says: 'carries no {} MB/s on a link of this machine: 4b had {} MB/s',
    stands: [
      ['gossip-bandwidth/gossip-series-4.md', 'not what was asked for: rate … MB/s for {} MB/s'],
      ['gossip-bandwidth/gossip-series-4.md', 'not what was asked for: rate {} MB/s for']
    ]
  },
  {
    doc: 'README.md',
    says: 'sustains {} REGISTER/s in 9 of 10 trials',
    stands: [[SEARCH, '{}/s is sustained in 9 of 10 trials']]
  },
  {
    doc: 'README.md',
    says: '95 % interval [{}, {}]; a day later',
    stands: [[SEARCH, 'in 9 of 10 trials, 95 % interval [{}, {}]']]
  },
  {
    doc: 'README.md',
    says: 'a day later\n[{}](docs/saturation.md#the-search)',
    stands: [[AGAIN, '{}/s is sustained in 9 of 10 trials']]
  },
  {
    doc: 'README.md',
    says: '90 s a cell: up to {}/s, a p99 of {} to {} ms there in three runs and of {} ms at half of it for 10 minutes, all marked, for the load generator had a part in them, and at {}/s the load generator used up',
    stands: [
      [QA, '- The server kept up with loads up to {}/s,'],
      [QA, ') was run 3 times: p50 … ms; p99 {} to {} ms;'],
      [QA, 'held for 10 min 0 s: p50 … ms; p99 {} ms;'],
      [QA, 'did not keep up: {}/s,'],
      [QA, `| r=1,600, c=4 | ${cells(12)}not the server: the load generator: its event loop was 100 % busy |`]
    ]
  },
  {
    doc: 'docs/gossip.md',
    says: 'since then it has [one of {} on average and of {} at most]',
    stands: [['gossip-real/gossip-series-11.md', `| 11a | ${cells(14)}{} | {} |`]]
  },
  {
    doc: 'docs/saturation.md',
    says: 'found\n{}/s [{}, {}] ([one](',
    stands: [[SEARCH, '{}/s is sustained in 9 of 10 trials, 95 % interval [{}, {}]']]
  },
  {
    doc: 'docs/saturation.md',
    says: 'and {}/s [{}, {}], which is amber',
    stands: [[AGAIN, '{}/s is sustained in 9 of 10 trials, 95 % interval [{}, {}]']]
  },
  {
    doc: 'README.md',
    says: '(at {} messages/s, where the study has {}/s, for its {} minutes: {} messages a row)',
    stands: [
      [SERIES, '| 1a | 95 | … | real TCP | {} of'],
      [SERIES, '| 1a | 95 | … | real TCP | 4.00 of {} |'],
      [SERIES, '| 1a | 95 | … | real TCP | … | {} min 0 s |'],
      [SERIES, '| 1a | 95 | … | real TCP | … | … | 100 | 0 of {} |']
    ]
  },
  {
    doc: 'README.md',
    says: 'which kept up with loads up to {}/s, and at {}/s had the load generator',
    stands: [
      [
        'saturate-rendezvous/saturate.md',
        '- The server kept up with loads up to {}/s, … did not keep up: {}/s,'
      ]
    ]
  },
  {
    doc: 'README.md',
    says: 'to grow (−{}, −{} and −{} ms an hour',
    stands: ['DISCOVER', 'UNREGISTER', 'REGISTER'].map(type => [
      HOUR,
      `- ${type} p50 not shown to grow: −{} ms an hour`
    ])
  },
  {
    doc: 'README.md',
    says: 'memory of server, main process and worker rises by {}, {} and {} MB an hour',
    stands: [
      [HOUR, 'Server memory growing slightly: {} MB an hour'],
      [HOUR, 'main process growing: {} MB an hour'],
      [HOUR, 'worker 0 growing slightly: {} MB an hour']
    ]
  },
  {
    doc: 'README.md',
    says: '{} of 30 peers that',
    stands: [['rotate-rendezvous/report.md', 'stable and {} ephemeral peers']]
  },
  {
    doc: 'README.md',
    says: 'and {} of {} nodes of a',
    stands: [
      ['rotate-gossip/report.md', 'stable and {} ephemeral nodes'],
      ['rotate-gossip/report.md', '· {} nodes in 2 processes']
    ]
  },
  ...[
    ['as a process ({} to {})', PROCESS_RUNS],
    ['in Docker ({} to {})', DOCKER_RUNS]
  ].map(([says, file]) => ({
    doc: 'docs/matrix.md',
    says: `{}/s ${says}`,
    stands: ['', ' least', ' greatest'].map(
      line =>
        /** @type {[string, string]} */ ([file, `| ${cells(16)}…{} | ${cells(7)}${ROW_OF_100}${line} |`])
    )
  })),
  {
    doc: 'docs/matrix.md',
    says: 'makes something wait for {} and {} % of the time',
    stands: [PROCESS_RUNS, DOCKER_RUNS].map(
      file =>
        /** @type {[string, string]} */ ([file, `- ${ROW_OF_100}: something waited for a core for {} %`])
    )
  },
  {
    doc: 'docs/matrix.md',
    says: 'p50 with 100 is {} times that with 20 (95 % interval {} to {}), throughput {} ({} to {})',
    stands: [
      [LIMITS, 'changed, 20 → 100 (8 pairs of rows): Throughput × … p50 × {} [{}, {}]'],
      [LIMITS, 'changed, 20 → 100 (8 pairs of rows): Throughput × {} [{}, {}]']
    ]
  },
  {
    doc: 'docs/matrix.md',
    says: 'with the server in [Docker](../results/reference/matrix-docker/rendezvous-discover-100.md) {} ({} to {}) and {} ({} to {})',
    stands: [
      [LIMITS_DOCKER, 'changed, 20 → 100 (8 pairs of rows): Throughput × … p50 × {} [{}, {}]'],
      [LIMITS_DOCKER, 'changed, 20 → 100 (8 pairs of rows): Throughput × {} [{}, {}]']
    ]
  },
  {
    doc: 'docs/stacks.md',
    says: '(throughput of `libp2p-2` {} of that of `libp2p-3`, CPU of the server per operation {} times as much)',
    stands: [
      [AB, `| Throughput, op/s | ${cells(2)}{} |`],
      [AB, `| Server CPU per operation, µs | ${cells(2)}{} |`]
    ]
  },
  {
    doc: 'docs/stacks.md',
    says: '(CPU per delivery {} times, duplicates {}, bytes {}, memory {};',
    stands: [
      'CPU per delivery, ms',
      'Duplicates per delivery, copies',
      'Bytes per delivery, bytes',
      'Memory of all workers, MB'
    ].map(name => [AB_GOSSIP, `| ${name} | ${cells(2)}{} |`])
  },
  {
    doc: 'docs/agents.md',
    says: 'it is so in {} of 200, quiet and with both cores busy, the error told {} and {} ms; drifts of 100, −100 and 0 ppm are found as {}, {} and {}.',
    stands: [
      ['clocks.md', '| offsets, quiet | {} of 200'],
      ...['quiet', 'both cores busy'].map(
        when => /** @type {const} */ (['clocks.md', `| offsets, ${when} | ${cells(3)}{} |`])
      ),
      ...['100', '-100', '0'].map(
        drift => /** @type {const} */ (['clocks.md', `| a drift of ${drift} ppm | ${cells(5)}{} |`])
      )
    ]
  },
  {
    doc: 'docs/metrics.md',
    says: 'saw a p50 of {} ms, within ours, {} to {} ms, and a p99 of {} ms, below ours, {} to {} ms',
    stands: ['p50', 'p99'].flatMap(figure => [
      /** @type {const} */ (['independent.md', `| ${figure} | … | {} |`]),
      /** @type {const} */ (['independent.md', `| ${figure} | ${cells(3)}{} |`]),
      /** @type {const} */ (['independent.md', `| ${figure} | ${cells(2)}{} |`])
    ])
  },
  {
    doc: 'docs/metrics.md',
    says: "p99 is marked in {} of {} runs in which one of ten operations comes late by a fifth of it, as the generator's in all; in {} of {} without",
    stands: [
      ['doubt.md', `| 20 % | ${cells(2)}{} |`],
      ['doubt.md', '| 20 % | … | {} |'],
      ['doubt.md', `| 0 % | ${cells(2)}{} |`],
      ['doubt.md', '| 0 % | … | {} |']
    ]
  },
  {
    doc: 'docs/capacity.md',
    says: 'p50 {}, {} and {} ms, p99 {}, {} and {} ms, all marked, for the load generator shares these cores; with the kill {} request of {} failed',
    stands: [
      ...atEachLoad(7),
      ...atEachLoad(8),
      [CAPACITY_RUN, `| peak with a server killed | ${cells(5)}{} |`],
      [CAPACITY_RUN, `| peak with a server killed | ${cells(3)}{} |`]
    ]
  },
  {
    doc: 'docs/capacity.md',
    says: 'such servers sustained {} REGISTER/s or more, for at {}/s it was the load generator that was used up',
    stands: [
      [WAKU, 'Generator-bound: at least {}/s.'],
      [WAKU, 'What was used up at {}/s: the load generator']
    ]
  },
  {
    doc: 'docs/qa.md',
    says: 'the network kept up with loads up to {} deliveries/s, {} messages/s to {} nodes, where a p99 of {} to {} ms passed in three runs until a message was with everyone, and {} ms at half of it for 10 minutes, all marked, for nodes that share a process waited for one another; and not with {}, {} messages/s to {} nodes',
    stands: [
      [QA_GOSSIP, '- The network kept up with loads up to {} deliveries/s'],
      [QA_GOSSIP, '- Chosen: (r={}, n=20),'],
      [QA_GOSSIP, '- Chosen: (r=40, n={}),'],
      [QA_GOSSIP, 'Dissemination p99 {} to 1,465* ms'],
      [QA_GOSSIP, 'Dissemination p99 810 to {}* ms'],
      [QA_GOSSIP, 'held for 10 min 0 s: Dissemination p50 244 ms; Dissemination p99 {}* ms'],
      [QA_GOSSIP, 'did not keep up: {} deliveries/s, (r=20, n=50)'],
      [QA_GOSSIP, 'did not keep up: 980 deliveries/s, (r={}, n=50)'],
      [QA_GOSSIP, 'did not keep up: 980 deliveries/s, (r=20, n={})']
    ]
  },
  {
    doc: 'docs/saturation.md',
    says: 'kept up with loads up to {} deliveries/s ({} nodes, {} messages/s), and not with {} (50 nodes, 10 messages/s)',
    stands: [
      [GOSSIP_GRID, '- The network kept up with loads up to {} deliveries/s'],
      [GOSSIP_GRID, '- Chosen: (r=20, n={}),'],
      [GOSSIP_GRID, '- Chosen: (r={}, n=20),'],
      [GOSSIP_GRID, 'did not keep up: {} deliveries/s, (r=10, n=50)']
    ]
  },
  {
    doc: 'docs/saturation.md',
    says: 'kept up with loads up to {} deliveries/s ({} nodes, {} messages/s), and not with {} (50 nodes, 20 messages/s)',
    stands: [
      [SIMULATED_GRID, '- The network kept up with loads up to {} deliveries/s'],
      [SIMULATED_GRID, '- Chosen: (r=10, n={}),'],
      [SIMULATED_GRID, '- Chosen: (r={}, n=200),'],
      [SIMULATED_GRID, 'did not keep up: {} deliveries/s, (r=20, n=50)']
    ]
  },
  ...[
    ['11a', '**agrees**'],
    ['ba-30-latency-signed', '**agrees**'],
    ['ring-30-latency-unsigned', 'undecided: 75 more runs'],
    ['full-30-jitter-signed', '**agrees**'],
    ['ba-95-jitter-unsigned', '**agrees**'],
    ['ring-30-jitter-signed', 'undecided: 28 more runs'],
    ['ba-30-loss1-signed', '**agrees**'],
    ['full-30-loss1-unsigned', '**agrees**'],
    ['ring-95-loss1-unsigned', 'undecided: 419 more runs'],
    ['full-30-loss5-unsigned', '**agrees**'],
    ['ba-30-loss5-unsigned', 'undecided: 662 more runs'],
    ['ring-30-loss5-signed', 'undecided: 377 more runs'],
    ['ring-95-loss5-signed', 'undecided: 7 more runs'],
    ['full-30-bandwidth-unsigned', '**agrees**'],
    ['ba-95-bandwidth-signed', '**agrees**'],
    ['ring-30-bandwidth-unsigned', 'undecided: 2 more runs'],
    ['ba-30-partition-unsigned', 'undecided: 164 more runs'],
    ['full-30-partition-signed', 'undecided: 40 more runs'],
    ['ring-95-partition-signed', 'undecided: 8 more runs']
  ].map(([name, verdict]) => ({
    doc: 'docs/simulation.md',
    says: `| [${name}][${name}] | ${verdict} | {} | {} | {} | {} | {} | {} | {} | {} | {} |`,
    stands: [
      /** @type {const} */ ([caseOf(name), '| Doubtful runs | {} |']),
      .../** @type {const} */ ([
        'p50 of latency, in L',
        'p99 of latency, in L',
        'Hops of deliveries',
        'Mesh degree',
        'Duplicates per delivery',
        'RPCs per delivery',
        'Control messages per delivery',
        'Bytes per delivery'
      ]).map(measure => /** @type {const} */ ([caseOf(name), `| ${measure} | … | … | {} |`]))
    ]
  })),
  {
    doc: 'docs/simulation.md',
    says: 'all connected p50 of the ten real runs lies between {} and {} *L*',
    stands: [[caseOf('full-30-partition-signed'), '| p50 of latency, in L | … ({}–{}) |']]
  },
  {
    doc: 'docs/metrics.md',
    says: 'of {} pairs {} p50 and {} p99 are within a tenth',
    stands: [
      ['independent.md', `| ${HELD_BACK('p50')} | {} |`],
      ['independent.md', `| ${HELD_BACK('p50')} | ${cells(5)}{} of`],
      ['independent.md', `| ${HELD_BACK('p99')} | ${cells(5)}{} of`]
    ]
  },
  {
    doc: 'docs/metrics.md',
    says: 'the bracket of p99 is {} times as wide (95 % interval {} to {})',
    stands: [['cores-apart.md', `| Bracket of p99, % | ${cells(3)}{} | {} | {} |`]]
  },
  {
    doc: 'docs/comparison.md',
    says: 'in {} of {} comparisons of runs of a server and in {} of a network, `--baseline` in {} and {}, `bench against` in {} and {}, `bench validation` in {}',
    stands: [
      ['false-alarms.md', '| ab, runs of rendezvous | … | {} |'],
      ['false-alarms.md', '| ab, runs of rendezvous | {} |'],
      ['false-alarms.md', '| ab, runs of gossip | … | {} |'],
      ['false-alarms.md', '| --baseline, runs of rendezvous | … | {} |'],
      ['false-alarms.md', '| --baseline, runs of gossip | … | {} |'],
      ['false-alarms.md', '| bench against, runs of rendezvous | … | {} |'],
      ['false-alarms.md', '| bench against, runs of gossip | … | {} |'],
      ['false-alarms.md', '| bench validation, runs of gossip | … | {} |']
    ]
  },
  {
    doc: 'docs/metrics.md',
    says: 'Late by a twentieth it is in {}, by a tenth, the limit itself, in {}, by half of it in all {}.',
    stands: ['5', '10', '50'].map(
      share => /** @type {[string, string]} */ (['doubt.md', `| ${share} % | ${cells(2)}{} |`])
    )
  },
  {
    doc: 'docs/scale.md',
    says: '[{} starts agreed ahead](../results/reference/fleet-starts.md), the workers began {} ms apart (median)',
    stands: [['fleet-starts.md', '| Starts | Spread, median ms | | :----- | ----------------: | | {} | {} |']]
  },
  {
    doc: 'docs/scale.md',
    says: '{} kB on the bus as measured',
    stands: [['fleet.md', '| transfer, 3 agents | 270 transfers | … | … | … | {thousand} |']]
  },
  {
    doc: 'docs/scale.md',
    says: '{} to {} kB a second and agent at 33 to 200 operations a second each, {} kB where one agent does 300',
    stands: [
      ['fleet.md', `| rendezvous at 100, 3 agents | ${cells(3)}{} |`],
      ['fleet.md', `| rendezvous at 300, 3 agents | ${cells(3)}{} |`],
      ['fleet.md', `| rendezvous at 300 from one, 1 agent | ${cells(3)}{} |`]
    ]
  },
  {
    doc: 'docs/scale.md',
    says: '{} kB a second with 100 exchanges, {} with 1,000',
    stands: [
      ['fleet.md', `| perf, 1 agent | ${cells(3)}{} |`],
      ['fleet.md', `| perf with 1,000 exchanges, 1 agent | ${cells(3)}{} |`]
    ]
  },
  {
    doc: 'docs/scale.md',
    says: 'and {} kB a second for {}',
    stands: [
      ['fleet.md', `| transfer of 20 files at once, 3 agents | ${cells(3)}{} |`],
      ['fleet.md', `| transfer, 3 agents | ${cells(3)}{} |`]
    ]
  },
  {
    doc: 'docs/saturation.md',
    says: 'costs the server as much CPU per REGISTER ({} times, {} to {})',
    stands: [
      [
        'against-0d29856.md',
        '| REGISTER with a stream each | Server CPU per operation, µs | … | … | … | {} | {} … {} |'
      ]
    ]
  },
  {
    doc: 'docs/stores.md',
    says: "a DISCOVER takes {} times as much of the server's CPU ({} to {}), and the server {} times as much memory ({} to {})",
    stands: ['Server CPU per operation, µs', 'Greatest server memory, MB'].map(figure => [
      'against-e0f895d.md',
      `| DISCOVER at 200 a second | ${figure} | … | … | {} | {} … {} |`
    ])
  },
  {
    doc: 'docs/stores.md',
    says: 'at 90 REGISTER/s the database took {} % of a core with one server and with three, at as many DISCOVER/s {} and {} %; the servers together took {} % with one and {} % with three',
    stands: [
      [CLUSTER, databaseOf('REGISTER', 1)],
      [CLUSTER, databaseOf('DISCOVER', 1)],
      [CLUSTER, databaseOf('DISCOVER', 3)],
      [CLUSTER, serversOf('REGISTER', 1)],
      [CLUSTER, serversOf('REGISTER', 3)]
    ]
  },
  {
    doc: 'docs/stores.md',
    says: 'A REGISTER took p50 {} ms and p99 {} ms; the bare statement, by one process, took {} and {}, and one server in memory p50 {}, or {} at a third',
    stands: floorOf('REGISTER')
  },
  {
    doc: 'docs/stores.md',
    says: 'A DISCOVER took {} and {}; the statement {} and {}, memory {} and {}.',
    stands: floorOf('DISCOVER')
  },
  {
    doc: 'docs/security.md',
    says: '`unread` was the last: {} ({} to {}) since a client that takes nothing opens no further streams, and {} ({} to {}) at ten times its rate',
    stands: ['unread', 'unread ×10'].map(row => ['abuse.md', `| ${row} | ${cells(4)}{} | {} to {} |`])
  },
  {
    doc: 'docs/perf.md',
    says: 'reaches {} % (upload) and {} % (download) of window ÷ round trip',
    stands: ['upload', 'download'].map(way => [
      'perf-window/report.md',
      `| ${way} | ${cells(7)}window ({} %)`
    ])
  },
  perfOf('go', 'perf-go'),
  perfOf('rust', 'perf-rust'),
  perfOf('python', 'perf-python'),
  {
    doc: 'docs/perf.md',
    says: 'go {} up and {} down, rust {} and {}, python {} and {} MB/s in the median',
    stands: ['go', 'rust', 'python'].flatMap(name =>
      ['upload', 'download'].map(
        way => /** @type {const} */ (['perf-foreign-clients.json', `"${name}": … "${way}": { "median": {}`])
      )
    )
  },
  {
    doc: 'docs/simulation.md',
    says: '1 message/s for 30 s (`benchmarks/gossip-scale.yaml`): all',
    stands: [['gossip-scale/gossip-scale.md', '| 5,000 simulated | … | … | 1.00 | 30.0 s | 100 | 0 of 30 |']]
  },
  {
    doc: 'docs/simulation.md',
    says: 'for 60 s, all 599,400 deliveries at {} ms of CPU each',
    stands: [['gossip-scale/gossip-scale.md', `| 1,000 simulated | ${cells(16)}{} |`]]
  },
  {
    doc: 'docs/simulation.md',
    says: 'make a delivery cost {} ms',
    stands: [['gossip-scale/gossip-scale.md', `| 5,000 simulated | ${cells(16)}{} |`]]
  },
  {
    doc: 'docs/simulation.md',
    says: "5b takes {} ms on average with `study-2019`, published are {}. With the library's parameters it takes {} ms",
    stands: [
      [`${IN_FULL}/gossip-series-5.md`, `${disseminationOf('5b-preset=study_2019')} / {} |`],
      [`${IN_FULL}/gossip-series-5.md`, disseminationOf('5b-preset=default')]
    ]
  },
  {
    doc: 'docs/simulation.md',
    says: "a delivery cost {} ms of CPU in 1b and {} in 5b, with the library's parameters {} and {}",
    stands: ['study_2019', 'default'].flatMap(preset =>
      ['1', '5'].map(
        series =>
          /** @type {const} */ ([
            `${IN_FULL}/gossip-series-${series}.md`,
            `| ${series}b-preset=${preset} | ${cells(18)}{} |`
          ])
      )
    )
  },
  {
    doc: 'docs/simulation.md',
    says: 'the slowest messages of 1b take {} ms, with `study-2019` {};',
    stands: ['default', 'study_2019'].map(preset => [
      `${IN_FULL}/gossip-series-1.md`,
      `| 1b-preset=${preset} | ${cells(11)}{} |`
    ])
  },
  {
    doc: 'docs/simulation.md',
    says: '(series 5): {} ms on average in 5b (in full 1,619), published are {}; {} and {} in 5a. Last hops are {} and {} here',
    stands: [
      [`${SIMULATED}/gossip-series-5.md`, `${disseminationOf('5b-preset=study_2019')} / {} |`],
      [`${SIMULATED}/gossip-series-5.md`, `${disseminationOf('5a-preset=study_2019')} / {} |`],
      [`${SIMULATED}/gossip-series-5.md`, lastHopOf('5b-preset=study_2019')],
      [`${SIMULATED}/gossip-series-5.md`, lastHopOf('5a-preset=study_2019')]
    ]
  },
  {
    doc: 'docs/simulation.md',
    says: 'messages take {} (3b) to {} ms (3c) on average here',
    stands: ['3b', '3c'].map(row => [
      `${SIMULATED}/gossip-series-3.md`,
      disseminationOf(`${row}-preset=study_2019`)
    ])
  },
  {
    doc: 'docs/simulation.md',
    says: 'Input degree 2** (1a, 3a): everything arrives here, {} and {} of 36,000 messages were lost there',
    stands: ['1', '3'].map(series => [
      `${SIMULATED}/gossip-series-${series}.md`,
      `| ${series}a-preset=study_2019 | ${cells(7)}0 of 1,800 / {} of 36,000 |`
    ])
  },
  {
    doc: 'docs/simulation.md',
    says: 'slowest message of 1a takes {} ms; in 3a, where TCP sends again what is lost, {}.',
    stands: ['1', '3'].map(series => [
      `${SIMULATED}/gossip-series-${series}.md`,
      `| ${series}a-preset=study_2019 | ${cells(11)}{} |`
    ])
  },
  {
    doc: 'docs/simulation.md',
    says: "(1d: last hop {} instead of {}) and fills the publisher's up-link where that is narrow (4a: {} instead of {} ms)",
    stands: [
      [`${SIMULATED}/gossip-series-1.md`, lastHopOf('1d-preset=default')],
      [`${SIMULATED}/gossip-series-1.md`, lastHopOf('1d-preset=study_2019')],
      [`${SIMULATED}/gossip-series-4.md`, disseminationOf('4a-preset=default')],
      [`${SIMULATED}/gossip-series-4.md`, disseminationOf('4a-preset=study_2019')]
    ]
  },
  {
    doc: 'docs/simulation.md',
    says: '{} messages in 5a ({} of 36,000) and {} in 6a ({} of 36,000)',
    stands: ['5a', '6a'].map(row => [QUEUE, `| ${row} | ${cells(6)}{} of 3,600 / {} of 36,000 |`])
  },
  {
    doc: 'docs/simulation.md',
    says: 'With 100 ms {} RPCs are dropped, with losses {},',
    stands: ['2a', '3a'].map(row => [`${QUEUE_ROWS}/${row}/result.json`, '"refusedRpcs": {}'])
  },
  {
    doc: 'docs/simulation.md',
    says: '{} and {} deliveries, all by full queues',
    stands: ['5a', '6a'].map(row => [`${QUEUE_ROWS}/${row}/result.json`, '"send-queue": {}'])
  },
  {
    doc: 'docs/simulation.md',
    says: '{} RPCs of 6b were dropped',
    stands: [[`${QUEUE_ROWS}/6b/result.json`, '"refusedRpcs": {}']]
  },
  {
    doc: 'docs/simulation.md',
    says: 'no message took longer than {} ms until everyone had it (1a; 1b to 1d {}, {} and {})',
    stands: ['1a', '1b', '1c', '1d'].map(row => [
      'gossip-preliminary/gossip-study-preliminary.md',
      `| ${row} | ${cells(10)}{} |`
    ])
  },
  ...['none', '100 ms', '200 ms', '300 ms'].flatMap(latency =>
    ['unlimited', '10 MB/s', '1 MB/s', '500 KiB/s'].map(bandwidth => ({
      doc: 'docs/transfer.md',
      says: `| ${latency} | ${bandwidth} | {} s, … | {} s (× {}), … | {} s (× {}), … | {} s (× {}), … |`,
      stands: WAYS_OF_TABLE.map(way =>
        waySeconds(
          TRANSFER_DEFAULT,
          `${latency === 'none' ? 'no latency' : latency}, ${bandwidth.replace(' ', '')}`,
          way
        )
      )
    }))
  ),
  {
    doc: 'docs/transfer.md',
    says: '**not seen here**, {} s against {} s',
    stands: [
      [TRANSFER_500, '| 40 ms, unlimited | http | {} |'],
      [TRANSFER_500, '| 20 ms, unlimited | http | {} |']
    ]
  },
  {
    doc: 'docs/transfer.md',
    says: "more than the requestor's CPU takes ({} MB/s)",
    stands: [[TRANSFER_500, '| 40 ms, unlimited | libp2p-http | … | … | {} |']]
  },
  {
    doc: 'docs/performance.md',
    says: 'Connecting 19,800 took [{} s]',
    stands: [
      [
        `${MANY_CLIENTS}/result.json`,
        '"name": "connect", "state": "done", "startMs": …, "durationMs": {thousand},'
      ]
    ]
  },
  {
    doc: 'docs/namespaces.md',
    says: 'each used {} to {} % of a core and {} to {} MB while it was published. Everything was delivered, with {} packets/s at {} µs, late by {} ms at p50 and {} ms at p99',
    stands: [
      [BETWEEN_NAMESPACES, 'Each node in the publish phase: CPU {} to'],
      [BETWEEN_NAMESPACES, 'Each node in the publish phase: CPU 3 to {} %,'],
      [BETWEEN_NAMESPACES, 'in the publish phase: … at most, memory {} to {} MB'],
      [BETWEEN_NAMESPACES, 'Router: {} packets/s, {} µs of CPU each; late by p50 {} ms, p99 {} ms']
    ]
  },
  {
    doc: 'docs/performance.md',
    says: 'the server had {} MB then',
    stands: [[`${MANY_CLIENTS}/report.md`, `| REGISTER | 19,800 | ${cells(12)}… / … / {} |`]]
  },
  {
    doc: 'docs/performance.md',
    says: '[{} min {} s](../results/reference/gossip-10000/report.md) for 10,000 nodes, {} messages and 30 s of warm-up, with {} and {} MB',
    stands: [
      [MANY_NODES, 'took {} min {} s.'],
      [MANY_NODES, '| 10,000 simulated | … | {} / 10 |'],
      [MANY_NODES, 'Worker 0: … memory {} MB on average'],
      [MANY_NODES, 'Worker 1: … memory {} MB on average']
    ]
  },
  {
    doc: 'docs/transfer.md',
    says: 'gives {} to {} MB/s by blocks, http, https, libp2p-http and stream',
    stands: [
      [TRANSFER, `| none | 1MB/s | libp2p-http | ${cells(4)}{} |`],
      [TRANSFER, `| none | 1MB/s | http | ${cells(4)}{} |`]
    ]
  }
]

/** Committed results that docs link to without a figure of theirs. */
export const WITHOUT_FIGURES = new Map([
  ['gossip-growth', 'what grows is said in words'],
  ['capacity', 'what ends first is said in words'],
  ['restart', 'a page to look at'],
  ['gossip-rendezvous', 'a report to look at'],
  ['perf-line', 'within 1 % of the line, in words'],
  ['abuse', 'that nobody failed, and nothing is shown to be slower, in words'],
  ['growth.html', 'the page of growth.md, whose rows are held']
])
