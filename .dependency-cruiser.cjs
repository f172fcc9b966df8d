/**
 * Layers from the top. What is in one imports from its own and from those below it. Each is a pattern of paths.
 *
 * @type {readonly (readonly [name: string, path: string])[]}
 */
const LAYERS = [
  ['library', '^(index\\.js$|src/index\\.js$)'],
  ['cli', '^src/cli/'],
  ['conformance', '^src/conformance/'],
  ['agents', '^src/agents/'],
  ['studies', '^src/studies/'],
  ['scenarios', '^src/scenarios/'],
  ['simulator', '^src/simulator/'],
  ['network', '^src/network/'],
  ['run', '^src/run/'],
  ['report', '^src/report/'],
  ['target', '^src/target/'],
  ['server', '^src/server/'],
  ['client', '^src/client/'],
  ['libp2p', '^src/libp2p/'],
  ['protocol', '^src/protocol/'],
  ['measure', '^src/measure/'],
  ['plan', '^src/plan/'],
  ['load', '^src/load/'],
  ['kit', '^src/kit/']
]

/** What is tested as plain functions. */
const PURE =
  '^src/(plan|load|measure|network/(topology|links)|network/(topology|link)[^/]*\\.js|scenarios/[^/]+/(plan|measure)/|studies/(statistics\\.js|[^/]+/plan\\.js))'

/** @param {readonly [string, string]} layer @param {number} level */
function neverUp([name, path], level) {
  const above = LAYERS.slice(0, level)
  return {
    name: `${name}-imports-downwards`,
    comment: `What is in ${name} knows nothing of the layers above it: ${above.map(([each]) => each).join(', ')}.`,
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
    ...LAYERS.map(neverUp).slice(1),
    {
      name: 'pure-modules-know-no-libp2p',
      comment:
        'Plans, loads, measures and models are functions of their arguments. (A target is named by a multiaddr.)',
      severity: 'error',
      from: {
        path: PURE,
        pathNot: '^src/plan/addresses\\.js$'
      },
      to: { path: 'node_modules/(@libp2p|@libp2p-2|libp2p|libp2p-2|@chainsafe|@multiformats)/' }
    },
    {
      name: 'pure-modules-start-nothing',
      comment: 'Processes, threads and sockets are for the layers above.',
      severity: 'error',
      from: {
        path: PURE,
        pathNot: '^src/plan/addresses\\.js$'
      },
      to: { path: '^(node:)?(child_process|worker_threads|cluster|net|dgram|http|https)$' }
    },
    ...[
      ['^((?:src|bench)/[^/]+)', '(?!scenarios/|studies/)[^/]+'],
      ['^((?:src/(?:scenarios|studies)|src|bench)/[^/]+)', '(?:scenarios|studies)/[^/]+']
    ].map(([own, folder]) => ({
      name: 'subfolders-are-private',
      comment:
        'The files at the top of a folder are its interface. What lies in its subfolders is for this folder alone.',
      severity: 'error',
      from: { path: own },
      to: { path: `^src/${folder}/[^/]+/`, pathNot: '^$1/' }
    })),
    {
      name: 'every-file-has-a-layer',
      comment: 'A new folder of src gets its place in LAYERS.',
      severity: 'error',
      from: { path: '^src/', pathNot: LAYERS.map(([, path]) => path) },
      to: {}
    }
  ],
  options: { doNotFollow: { path: 'node_modules' }, moduleSystems: ['es6'] }
}
