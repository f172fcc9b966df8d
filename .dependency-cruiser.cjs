/**
 * Floors of the house, from the top. What stands on a floor imports from its own and from those below it. Each is a pattern of paths.
 *
 * @type {readonly (readonly [name: string, path: string])[]}
 */
const FLOORS = [
  ['face', '^(index\\.js|src/(index|library)\\.js)$'],
  ['cli', '^src/cli/'],
  ['studies', '^src/studies/'],
  ['scenarios', '^src/scenarios/'],
  ['report', '^src/report/'],
  ['result', '^src/result/'],
  ['workers', '^src/workers/'],
  ['target', '^src/target/'],
  ['docker', '^src/docker/'],
  ['network', '^src/network/(?!topology/|links/)'],
  ['server', '^src/server/'],
  ['client', '^src/client/'],
  ['libp2p', '^src/libp2p/'],
  ['protocol', '^src/protocol/'],
  ['measure', '^src/measure/'],
  ['plan', '^src/plan/'],
  ['load', '^src/load/'],
  ['models', '^src/network/(topology|links)/'],
  ['kit', '^src/(kit/|(node-shim|open-files)\\.js$)']
]

/** Floors that are tested as plain functions. */
const PURE = '^src/(plan|load|measure|result|network/(topology|links)|protocol/cookie\\.js)'

/**
 * What still goes up, file by file, and what takes it away. Nothing is to be added.
 *
 * @type {readonly (readonly [from: string, to: string])[]}
 */
const KNOWN = [
  // rules and options of a scenario lie below it, until they are moved into its room
  ['src/plan/combinations.js', 'src/scenarios/rendezvous/metrics.js'],
  ['src/plan/options.js', 'src/scenarios/rendezvous/metrics.js'],
  ['src/plan/rendezvous-rotation-kind.js', 'src/scenarios/rotate-rendezvous/metrics.js'],
  ['src/plan/rendezvous-rotation-options.js', 'src/scenarios/rotate-rendezvous/metrics.js'],
  ['src/plan/gossip/gossip-options.js', 'src/result/thresholds/gossip-metrics.js'],
  ['src/plan/gossip/profile-options.js', 'src/result/thresholds/gossip-metrics.js'],
  ['src/plan/gossip/rotation-options.js', 'src/result/thresholds/gossip-metrics.js'],
  ['src/plan/threshold.js', 'src/result/thresholds/metrics.js'],
  ['src/plan/fail-rules.js', 'src/result/comparison/fail-rule.js'],
  ['src/plan/stack-options.js', 'src/libp2p/stacks.js'],
  ['src/plan/stack-options.js', 'src/libp2p/missing-packages.js'],
  // so do loads that are tried, and what is shown of a scenario alone
  ['src/plan/saturation/load-plan.js', 'src/scenarios/gossip/scenario.js'],
  ['src/plan/saturation/load-plan.js', 'src/scenarios/rendezvous/scenario.js'],
  ['src/report/gossip/growth.js', 'src/scenarios/gossip/plan/published.js'],
  ['src/report/validation/validation-command-line.js', 'src/scenarios/gossip/scenario.js']
]

/** @param {readonly string[]} paths - a pattern of just these */
const only = paths => `^(${[...new Set(paths)].map(path => path.replaceAll('.', '\\.')).join('|')})$`

/** @param {readonly [string, string]} floor @param {number} level */
function neverUp([name, path], level) {
  const above = FLOORS.slice(0, level)
  const known = KNOWN.filter(([from]) => new RegExp(path).test(from))
  const rule = {
    comment: `What is in ${name} knows nothing of the floors above it: ${above.map(([each]) => each).join(', ')}.`,
    severity: 'error'
  }
  const to = { path: above.map(([, each]) => each) }
  if (known.length === 0) return [{ ...rule, name: `${name}-imports-downwards`, from: { path }, to }]
  const excepted = only(known.map(([from]) => from))
  return [
    { ...rule, name: `${name}-imports-downwards`, from: { path, pathNot: excepted }, to },
    {
      ...rule,
      name: `${name}-imports-downwards-but-for-what-is-known`,
      from: { path: excepted },
      to: { ...to, pathNot: only(known.map(([, each]) => each)) }
    }
  ]
}

module.exports = {
  forbidden: [
    {
      name: 'no-circle',
      comment: 'Imports go round in no circle, those that are made when something is used included.',
      severity: 'error',
      from: {},
      to: { circular: true }
    },
    ...FLOORS.flatMap(neverUp).slice(1),
    {
      name: 'pure-floors-know-no-libp2p',
      comment:
        'Plans, loads, measures, results and models are functions of their arguments. (A target is named by a multiaddr.)',
      severity: 'error',
      from: { path: PURE, pathNot: '^src/plan/(target-address|addresses|public-address)\\.js$' },
      to: { path: 'node_modules/(@libp2p|@libp2p-2|libp2p|libp2p-2|@chainsafe|@multiformats)/' }
    },
    {
      name: 'pure-floors-start-nothing',
      comment: 'Processes, threads and sockets are for the floors above.',
      severity: 'error',
      from: { path: PURE, pathNot: '^src/plan/(target-address|addresses|public-address)\\.js$' },
      to: { path: '^(node:)?(child_process|worker_threads|cluster|net|dgram|http|https)$' }
    },
    {
      name: 'every-file-has-a-floor',
      comment: 'A new folder of src gets its place in FLOORS.',
      severity: 'error',
      from: { path: '^src/', pathNot: FLOORS.map(([, path]) => path) },
      to: {}
    }
  ],
  options: { doNotFollow: { path: 'node_modules' }, moduleSystems: ['es6'] }
}
