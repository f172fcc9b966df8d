/**
 * @typedef {import('./timed-run.js').TimedRun} TimedRun
 *
 * @typedef {object} GrowthSeries
 * @property {string} of - what becomes more
 * @property {readonly number[]} at
 * @property {(count: number) => readonly string[]} args - of index.js
 * @property {(run: TimedRun) => Record<string, number>} figures - by title
 */

/** The same load everywhere: what an operation costs depends on how many there are. A peer may register 1,000 times. */
const LOAD = [
  '--rate',
  '200/s',
  '--duration',
  '5s',
  '--warmup',
  '3s',
  '--server',
  'process',
  '--workers',
  '1'
]
const HOW = ['--seed', '1']

/** @param {'REGISTER' | 'DISCOVER'} type @returns {GrowthSeries['figures']} */
const operationFigures =
  type =>
  ({ document: { outcome, run } }) => {
    const { count, serverCpuMicrosPerOperation } = outcome.operations[type]
    // its CPU time has what it turned for nothing while it waited for the next operation
    const busy = run.health.reduce(
      (/** @type {number} */ sum, /** @type {any} */ { utilization }) => sum + utilization,
      0
    )
    return {
      [`Server CPU per ${type}, µs`]: serverCpuMicrosPerOperation,
      [`Generator busy per ${type}, µs`]: (busy * 1000 * outcome.measuredMs) / count
    }
  }

/**
 * @param {string} of
 * @param {readonly number[]} at
 * @param {(count: number) => readonly string[]} args
 * @param {readonly ('REGISTER' | 'DISCOVER')[]} [types]
 * @returns {Record<string, GrowthSeries>}
 */
const overBoth = (of, at, args, types = ['REGISTER', 'DISCOVER']) =>
  Object.fromEntries(
    types.map(type => [
      `${type} over ${of}`,
      {
        of,
        at,
        args: count => ['--benchmarkType', type, ...LOAD, ...HOW, ...args(count)],
        figures: operationFigures(type)
      }
    ])
  )

/** @type {GrowthSeries} */
const NODES = {
  of: 'nodes',
  at: [50, 100, 200, 500, 1000, 2000, 5000, 10_000],
  // as many deliveries with 50 nodes as make the compiling small, and with 10,000 as end in time
  args: nodes => [
    ...['gossip', '--network', 'simulated', '--nodes', String(nodes), '--topology', 'barabasi-albert:m=6'],
    ...['--linkLatency', '100ms', '--signing', 'off', '--seed', '1', '--workers', '1'],
    ...['--rate', '1/s', '--messages', String(Math.max(10, Math.ceil(20_000 / nodes)))]
  ],
  figures: ({ document: { plan, run } }) => ({
    'CPU per simulated delivery, µs': run.simulator.cpuMicrosPerDelivery,
    'Memory per simulated node, MB':
      run.simulator.resources.reduce(
        (/** @type {number} */ sum, /** @type {any} */ { memory }) => sum + memory.maxBytes,
        0
      ) /
      1e6 /
      plan.nodes
  })
}

/** GROWTH is what may grow, over what. @type {Readonly<Record<string, GrowthSeries>>} */
export const GROWTH = Object.freeze({
  ...overBoth('clients', [1, 3, 10, 30, 100, 300, 1000], clients => ['--nClients', String(clients)]),
  ...overBoth('registrations', [100, 1000, 10_000, 100_000, 1_000_000], registrations => [
    ...['--nClients', '10', '--initialRegistrations', String(registrations)]
  ]),
  ...overBoth('namespaces', [1, 10, 100, 1000, 10_000, 100_000], namespaces => [
    ...['--nClients', '10', '--initialRegistrations', '100000', '--nNamespaces', String(namespaces)]
  ]),
  ...overBoth(
    'page size',
    [1, 10, 100, 1000],
    limit => [
      ...['--nClients', '10', '--initialRegistrations', '10000', '--nNamespaces', '1'],
      ...['--discoverLimit', String(limit)]
    ],
    ['DISCOVER']
  ),
  'simulated network over nodes': NODES
})
