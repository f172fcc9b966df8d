/**
 * Floors of the house, from the top. What stands on a floor imports from its own and from those below it. Each is a pattern of paths.
 *
 * @type {readonly (readonly [name: string, path: string])[]}
 */
const FLOORS = [
  ['face', '^(index\\.js$|src/index\\.js$|src/library/)'],
  ['cli', '^src/cli/'],
  ['conform', '^src/conform/'],
  ['agents', '^src/agents/'],
  ['studies', '^src/studies/'],
  ['scenarios', '^src/scenarios/'],
  ['report', '^src/report/'],
  ['result', '^src/result/'],
  ['workers', '^src/workers/'],
  ['bus', '^src/bus/'],
  ['target', '^src/target/'],
  ['docker', '^src/docker/'],
  ['network', '^src/network/(?!topology/|links/)'],
  ['server', '^src/server/'],
  ['client', '^src/client/'],
  ['libp2p', '^src/libp2p/'],
  ['line', '^src/line/'],
  ['protocol', '^src/protocol/'],
  ['measure', '^src/measure/'],
  ['plan', '^src/plan/'],
  ['load', '^src/load/'],
  ['models', '^src/network/(topology|links)/'],
  ['kit', '^src/(kit/|(node-shim|open-files)\\.js$)']
]

/** Floors that are tested as plain functions. */
const PURE =
  '^src/(plan|load|measure|result|network/(topology|links)|protocol/cookie\\.js|scenarios/[^/]+/(plan|measure)/|studies/(statistics|[^/]+/(plan|result|search))/)'

/** @param {readonly [string, string]} floor @param {number} level */
function neverUp([name, path], level) {
  const above = FLOORS.slice(0, level)
  return {
    name: `${name}-imports-downwards`,
    comment: `What is in ${name} knows nothing of the floors above it: ${above.map(([each]) => each).join(', ')}.`,
    severity: 'error',
    from: { path },
    to: { path: above.map(([, each]) => each) }
  }
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
    ...FLOORS.map(neverUp).slice(1),
    {
      name: 'pure-floors-know-no-libp2p',
      comment:
        'Plans, loads, measures, results and models are functions of their arguments. (A target is named by a multiaddr.)',
      severity: 'error',
      from: {
        path: PURE,
        pathNot: '^src/plan/(target-address|addresses|public-target)\\.js$'
      },
      to: { path: 'node_modules/(@libp2p|@libp2p-2|libp2p|libp2p-2|@chainsafe|@multiformats)/' }
    },
    {
      name: 'pure-floors-start-nothing',
      comment: 'Processes, threads and sockets are for the floors above.',
      severity: 'error',
      from: {
        path: PURE,
        pathNot: '^src/plan/(target-address|addresses|public-target)\\.js$'
      },
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
