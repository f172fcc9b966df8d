/**
 * @typedef {import('./timed-run.js').TimedRun} TimedRun
 *
 * @typedef {object} Load
 * @property {readonly string[]} args - of index.js of both sides
 * @property {readonly string[]} [today] - which the commit held against need not know: what it does not do either
 * @property {(run: TimedRun) => Record<string, number>} figures - by title, each above 0; less is better
 * @property {Readonly<Record<string, number>>} targets - of the ratio, by title of a figure; the others must not become worse
 */

/** No other figure may be worse by more. */
export const NOT_WORSE = 1.03

const SERVER = 'Server CPU per operation, µs'
const GENERATOR = 'Generator CPU per operation, µs'
const RESIDENT = 'Greatest server memory, MB'
const DELIVERY = 'CPU per simulated delivery, µs'
const RUN = 'CPU of all processes, s'

const ALONE = ['--server', 'process', '--workers', '1', '--seed', '1']

/** @param {number} percent - of a core, while it was measured @param {any} outcome @param {string} type */
const microsOf = (percent, { measuredMs, operations }, type) =>
  (percent * 10 * measuredMs) / operations[type].count

/** Beside connections a run does not say what of the server's time went to operations: then all of it counts. @param {string} type @returns {Load['figures']} */
const serverFigures =
  type =>
  ({ document: { outcome } }) => {
    const { rt, serverCpuMicrosPerOperation } = outcome.operations[type]
    return {
      [SERVER]: serverCpuMicrosPerOperation ?? microsOf(outcome.server.cpu.averagePercent, outcome, type),
      [RESIDENT]: outcome.server.memory.maxBytes / 1e6,
      [`p99 of ${type}, ms`]: rt.all.p99?.ms
    }
  }

/** Not at a rate: a generator that waits for the next operation turns its event loop. @param {string} type @returns {Load['figures']} */
const generatorFigures =
  type =>
  ({ document: { outcome, run } }) => {
    const percent = run.health.reduce(
      (/** @type {number} */ sum, /** @type {any} */ { cpuPercent }) => sum + cpuPercent,
      0
    )
    return { [GENERATOR]: microsOf(percent, outcome, type) }
  }

/** The half of what a client waits for that is not its DISCOVER's. @type {Load['figures']} */
const connectFigures = ({ document: { outcome } }) => ({
  'p99 of CONNECT, ms': outcome.operations.CONNECT.rt.all.p99?.ms
})

/** @param {string} type @param {readonly string[]} args @param {Load['targets']} targets @returns {Load} */
const closed = (type, args, targets) => ({
  args: ['--benchmarkType', type, ...ALONE, '--warmup', '5s', '--duration', '10s', ...args],
  figures: run => ({ ...serverFigures(type)(run), ...generatorFigures(type)(run) }),
  targets
})

/** @param {Load['figures']} more @param {Load} load @returns {Load} */
const also = (more, load) => ({ ...load, figures: run => ({ ...load.figures(run), ...more(run) }) })

/** @param {string} signing @returns {Load} */
const simulated = signing => ({
  args: [
    ...['gossip', '--network', 'simulated', '--nodes', '95', '--topology', 'barabasi-albert:m=6'],
    ...['--linkLatency', '100ms', '--preset', 'study-2019', '--signing', signing],
    ...['--rate', '200/s', '--messages', '2000', '--seed', '1', '--workers', '1']
  ],
  figures: ({ document: { run } }) => ({
    [DELIVERY]: run.simulator.cpuMicrosPerDelivery,
    'Greatest memory, MB':
      Math.max(...run.simulator.resources.map((/** @type {any} */ each) => each.memory.maxBytes)) / 1e6
  }),
  targets: { [DELIVERY]: 0.9 }
})

/**
 * LOADS are what two versions of the program are held against each other by. Rates of the first leave most of a core, so that p99 is none
 * of a queue; the others are closed loops, whose p99 is clients ÷ throughput.
 *
 * @type {Readonly<Record<string, Load>>}
 */
export const LOADS = Object.freeze({
  'DISCOVER at 200 a second': {
    args: [
      '--benchmarkType',
      'DISCOVER',
      '--rate',
      '200/s',
      '--nClients',
      '4',
      ...ALONE,
      '--warmup',
      '2s',
      '--duration',
      '10s'
    ],
    figures: serverFigures('DISCOVER'),
    targets: {}
  },
  'REGISTER with a stream each': closed('REGISTER', ['--nClients', '50'], {
    [SERVER]: 0.75,
    [GENERATOR]: 0.8
  }),
  'DISCOVER with a stream each': closed('DISCOVER', ['--nClients', '50'], {
    [SERVER]: 0.8,
    [GENERATOR]: 0.8
  }),
  'REGISTER over long-lived streams': closed('REGISTER', ['--nClients', '50', '--no-streamPerOperation'], {
    [GENERATOR]: 0.8
  }),
  'DISCOVER over long-lived streams': closed('DISCOVER', ['--nClients', '50', '--no-streamPerOperation'], {
    [GENERATOR]: 0.8
  }),
  'DISCOVER with a connection each': also(
    connectFigures,
    closed('DISCOVER', ['--nClients', '10', '--connectionPerOperation'], {})
  ),
  'DISCOVER beside many registrations': closed(
    'DISCOVER',
    ['--nClients', '10', '--initialRegistrations', '200000'],
    {}
  ),
  'REGISTER beside many registrations': closed(
    'REGISTER',
    ['--nClients', '200', '--initialRegistrations', '200000'],
    {}
  ),
  'simulated unsigned': simulated('off'),
  'simulated signed': simulated('on'),
  'a run of 5 s': {
    args: ['--rate', '100/s', '--duration', '5s', '--seed', '1'],
    figures: ({ cpuSeconds, mainCpuSeconds }) => ({
      [RUN]: cpuSeconds,
      "CPU of the program's own process, s": mainCpuSeconds
    }),
    targets: { [RUN]: 0.7 }
  }
})
