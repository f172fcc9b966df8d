// Defines the named figures of a gossip result, which thresholds and comparisons use: how each is read, its unit, which
// direction is better.
import { computeSum } from '../../kit/collections.js'
import { formatCount, formatSignificant, formatWhole } from '../../kit/numbers.js'
import { makeMissingReading, makeTimeFigures, selectFigures } from '../../measure/figure.js'
import { PROFILE_SAME } from '../../plan/options.js'
import { makeRouterFigures } from '../router-figures.js'
import { writePublishers } from './topics.js'

/**
 * @typedef {import('../../measure/figure.js').Figure<GossipOutcome>} Figure
 * @typedef {import('./outcome.js').GossipOutcome} GossipOutcome
 * @typedef {import('./outcome.js').GossipRun} GossipRun
 * @typedef {(outcome: GossipOutcome, run: Pick<GossipRun, 'simulator'>) => number | null | undefined} Of
 */

/**
 * plain is a figure that is a number of an outcome.
 *
 * @param {string} name
 * @param {string} title
 * @param {Of} of
 * @param {Partial<Figure> & { unless?: string }} [more] - `unless`: why there is none
 * @returns {Figure}
 */
const plain = (name, title, of, { unless = 'not measured', ...more } = {}) => ({
  name,
  title,
  quantity: 'number',
  better: 'lower',
  read(outcome, /** @type {Partial<GossipRun>} */ run = {}) {
    const value = of(outcome, run)
    const { published, skipped, failed } = outcome.messages
    return value == null ? makeMissingReading(unless) : { value, samples: published + skipped + failed }
  },
  ...more
})

/** @param {readonly number[]} values */
const mean = values => computeSum(values) / values.length

/** @param {readonly number[]} values */
const largest = values => Math.max(...values)

/**
 * @param {string} name
 * @param {string} title
 * @param {(used: import('./outcome.js').WorkerUse) => number | null | undefined} of
 * @param {Partial<Figure> & { over?: typeof mean }} [more] - `over`: the nodes
 */
const perNode = (name, title, of, { over = mean, ...more } = {}) =>
  plain(
    name,
    title,
    ({ resources }) => {
      if (resources.length === 0 || resources.some(({ nodes }) => nodes?.length !== 1)) return null
      const known = resources.map(({ phases }) => phases?.publish && of(phases.publish))
      return known.some(value => value == null) ? null : over(/** @type {number[]} */ (known))
    },
    { unless: 'nodes shared processes or containers', better: null, ...more }
  )

const inMegabytes = (/** @type {number | null} */ bytes) => bytes && bytes / 1e6
const inKilobytes = (/** @type {number | undefined} */ bytes) => bytes && bytes / 1e3

/** NODE_FIGURES are the resources of nodes that are alone in their process or container, in the publish phase: average and maximum over nodes. */
export const NODE_FIGURES = [
  perNode('node.cpu', 'CPU of a node avg', ({ cpu }) => cpu.averagePercent, { quantity: 'share' }),
  perNode('node.cpu.max', 'CPU of a node max', ({ cpu }) => cpu.maxPercent, {
    over: largest,
    quantity: 'share'
  }),
  perNode('node.memory', 'Memory of a node avg', ({ memory }) => inMegabytes(memory.averageBytes), {
    quantity: 'memory'
  }),
  perNode('node.memory.max', 'Memory of a node max', ({ memory }) => inMegabytes(memory.maxBytes), {
    over: largest,
    quantity: 'memory'
  }),
  perNode('node.received', 'Bytes into a node', ({ traffic }) => inKilobytes(traffic?.receivedBytes), {
    unit: 'kB'
  }),
  perNode('node.sent', 'Bytes out of a node', ({ traffic }) => inKilobytes(traffic?.sentBytes), {
    unit: 'kB'
  })
]

/**
 * summarizeHops are average, maximum and standard deviation of a distribution of hops.
 *
 * @param {readonly number[]} counts - by hops
 * @returns {{ avg: number, max: number, sd: number } | null} null: it is empty
 */
export function summarizeHops(counts) {
  const total = computeSum(counts)
  if (total === 0) return null
  const weighted = counts.reduce((sum, count, hops) => sum + count * hops, 0)
  const avg = weighted / total
  const squares = counts.reduce((sum, count, hops) => sum + count * (hops - avg) ** 2, 0)
  return { avg, sd: Math.sqrt(squares / total), max: counts.findLastIndex(count => count > 0) }
}

/** @typedef {Pick<import('./outcome.js').GossipResult, 'outcome'> & { run: Pick<GossipRun, 'simulator'> }} GossipResult */

/**
 * readCpuMsPerDelivery is the CPU time of the worker processes for each delivery. In a simulation it is no part of the outcome, which is the same
 * on every machine.
 *
 * @param {GossipResult} result
 * @returns {number | null} ms; null: nothing was delivered
 */
export function readCpuMsPerDelivery({ outcome, run }) {
  const { cpuMicrosPerDelivery } = run.simulator ?? outcome.cost
  return cpuMicrosPerDelivery === null ? null : cpuMicrosPerDelivery / 1000
}

/**
 * readWorkerResources gives the resources of the worker processes of a gossip run.
 *
 * @param {GossipResult} result
 * @returns {import('./outcome.js').WorkerResources[]}
 */
export const readWorkerResources = ({ outcome, run }) => (run.simulator ?? outcome).resources

/**
 * @typedef {import('./outcome.js').WorkerResources} WorkerResources
 */

/** A ratio or an average of fewer messages is random. */
const MIN_LIVE_MESSAGES = 20

/** @param {string} name @param {string} title @param {Of} of @param {Partial<Figure>} [more] */
const count = (name, title, of, more) => plain(name, title, of, { better: null, grows: true, ...more })

/** @param {string} name @param {string} title @param {'ratio' | 'completeRatio'} which @param {Partial<Figure>} more */
const ratio = (name, title, which, more) =>
  plain(name, title, ({ delivery }) => delivery[which] && 100 * delivery[which], {
    quantity: 'share',
    better: 'higher',
    live: MIN_LIVE_MESSAGES,
    ofParts: true,
    unless: 'nothing was to be delivered',
    ...more
  })

/** @param {string} name @param {string} title @param {Of} of @param {NonNullable<Figure['prometheus']>} told @param {Partial<Figure>} [more] */
const perDelivery = (name, title, of, { name: metric, help }, more) =>
  plain(name, `${title} per delivery`, of, {
    unless: 'nothing was delivered',
    prometheus: { name: `${metric}_per_delivery`, help: `${help} for each delivery, so far` },
    ...more
  })

/** @param {string} name @param {(worker: WorkerResources) => number | null} of @param {Partial<Figure> & { per?: number }} more - `per`: of one unit */
const ofWorkers = (name, of, { per = 1, ...more }) =>
  plain(
    name,
    `${more.quantity === 'share' ? 'CPU' : 'Memory'} of all workers`,
    (outcome, run) => {
      const each = readWorkerResources({ outcome, run }).map(of)
      const known = each.filter(value => value !== null)
      return known.length === 0 || known.length < each.length ? null : computeSum(known) / per
    },
    more
  )

/** Memory is in MB of 1,000,000 bytes. @type {Partial<Figure> & { per: number }} */
const MEMORY = { quantity: 'memory', per: 1e6 }

/** @param {'published' | 'skipped' | 'failed'} outcome @returns {Figure['prometheus']} */
const makeMessageMetric = outcome => ({
  name: 'messages_total',
  help: 'Messages that were due so far, by what became of their publication',
  counts: true,
  labels: { outcome }
})

/** @param {'latency' | 'dissemination'} name @param {string} title @param {string} what */
const makeGossipTimeFigures = (name, title, what) =>
  makeTimeFigures({
    name,
    title,
    summary: (/** @type {GossipOutcome} */ outcome) => outcome[name].all,
    words: {
      nothing: 'nothing was published',
      atLeast: 'at least this: messages that did not arrive reach into it'
    },
    prometheus: { name, what },
    overhead: true
  }).map(figure => ({
    ...figure,
    ofParts: !figure.name.endsWith('.overhead'),
    ...(name === 'latency' && { also: figure.name.replace('latency', 'delivery') })
  }))

/** GOSSIP_FIGURES are the figures of a gossip network. @type {readonly Figure[]} */
export const GOSSIP_FIGURES = [
  count('published', 'Messages', ({ messages }) => messages.published, {
    ofParts: true,
    live: MIN_LIVE_MESSAGES,
    prometheus: makeMessageMetric('published')
  }),
  count('skipped', 'Skipped messages', ({ messages }) => messages.skipped, {
    better: 'lower',
    live: MIN_LIVE_MESSAGES,
    prometheus: makeMessageMetric('skipped')
  }),
  count('failed', 'Failed messages', ({ messages }) => messages.failed, {
    better: 'lower',
    prometheus: makeMessageMetric('failed')
  }),
  count('expected', 'Expected deliveries', ({ delivery }) => delivery.expected, {
    prometheus: {
      name: 'deliveries_expected_total',
      help: 'Deliveries expected of the messages published so far',
      counts: true
    }
  }),
  count('delivered', 'Deliveries', ({ delivery }) => delivery.delivered, {
    prometheus: { name: 'deliveries_total', help: 'Deliveries so far', counts: true }
  }),
  ratio('deliveryRatio', 'Message delivery ratio', 'ratio', {
    prometheus: {
      name: 'delivery_ratio',
      help: 'Deliveries ÷ those expected so far; deliveries in flight are not counted yet'
    }
  }),
  ratio('completeRatio', 'Messages that reached everyone', 'completeRatio', {
    prometheus: { name: 'complete_ratio', help: 'Share of the messages so far that reached every subscriber' }
  }),
  ...makeGossipTimeFigures('latency', 'Latency', 'publish call to first receipt of a delivery'),
  ...makeGossipTimeFigures(
    'dissemination',
    'Dissemination',
    'publish call to the last delivery of a message'
  ),
  plain('lastHop.avg', 'Last delivery hop avg', ({ hops }) => summarizeHops(hops.last)?.avg),
  plain('lastHop.max', 'Last delivery hop max', ({ hops }) => summarizeHops(hops.last)?.max),
  perDelivery(
    'duplicatesPerDelivery',
    'Duplicates',
    ({ cost }) => cost.duplicatesPerDelivery,
    { name: 'duplicates', help: 'Copies that were there already' },
    { live: MIN_LIVE_MESSAGES, unit: 'copies' }
  ),
  perDelivery(
    'bytesPerDelivery',
    'Bytes',
    ({ cost }) => cost.bytesPerDelivery,
    { name: 'bytes', help: 'Bytes sent in RPCs' },
    { unit: 'bytes' }
  ),
  perDelivery('rpcsPerDelivery', 'RPCs', ({ cost }) => cost.rpcsPerDelivery, {
    name: 'rpcs',
    help: 'RPCs sent'
  }),
  perDelivery('controlPerDelivery', 'Control messages', ({ cost }) => cost.controlPerDelivery, {
    name: 'control_messages',
    help: 'Control messages sent'
  }),
  perDelivery(
    'cpuPerDelivery',
    'CPU',
    (outcome, run) => readCpuMsPerDelivery({ outcome, run }),
    { name: 'cpu_seconds', help: 'CPU time of the worker processes' },
    { quantity: 'time', live: MIN_LIVE_MESSAGES }
  ),
  ofWorkers('cpu', ({ cpu }) => cpu.averagePercent, { quantity: 'share' }),
  ofWorkers('memory', ({ memory }) => memory.averageBytes, { ...MEMORY }),
  ofWorkers('memory.max', ({ memory }) => memory.maxBytes, {
    ...MEMORY,
    title: 'Memory of workers max, added up'
  }),
  plain('meshFormedAfter', 'Mesh formed after', ({ mesh }) => mesh.formedAfterMs, { quantity: 'time' }),
  plain('dialling.p50', 'Dialling p50', ({ topology }) => topology.dialMs.p50?.ms, { quantity: 'time' }),
  ...makeRouterFigures(({ network }) => [network.namespaces]),
  ...NODE_FIGURES,
  count('abortedStreams', 'Aborted streams', ({ streams }) => streams.aborted, { better: 'lower' })
]

/** DETERMINISTIC_KEYS are the parts of an outcome that depend on the plan alone in virtual time; the other parts depend on the machine. */
export const DETERMINISTIC_KEYS = [
  'messages',
  'delivery',
  'missing',
  'hops',
  'latency',
  'dissemination',
  'topology'
]

/** GOSSIP_COMPARED defines comparisons of gossip networks. @type {import('../../measure/figure.js').Comparable<import('./options.js').GossipPlan>} */
export const GOSSIP_COMPARED = {
  figures: selectFigures(GOSSIP_FIGURES, [
    ...['latency.p50', 'latency.p99', 'dissemination.p50', 'dissemination.p99', 'deliveryRatio'],
    ...['cpuPerDelivery', 'duplicatesPerDelivery', 'bytesPerDelivery', 'memory']
  ]),
  same: {
    // real and virtual times cannot be compared
    network: ({ network }) => network,
    publishers: ({ publishers }) => writePublishers(publishers),
    loadModel: ({ loadModel }) => loadModel,
    ...PROFILE_SAME
  },
  example: '"latency.p99 > +10%" or "deliveryRatio < -1%"',
  commands: /** @type {[string, string][]} */ ([
    [
      'both generations of libp2p',
      "ab gossip '--stack libp2p-2' '--stack libp2p-3' --nodes 30 --rate 5 --messages 300"
    ],
    [
      'two stacks under churn',
      "ab gossip '--stack libp2p-3' '--stack libp2p-2' --nodes 30 --churn 10,every=5s,away=2s,settle=3s --duration 1m --rate 2"
    ],
    ['do fast message ids pay?', "ab gossip '--gossipsub fastMsgId=off' '--gossipsub fastMsgId=on'"]
  ]),
  times: {
    title: 'Latency',
    what: 'Deliveries',
    of: ({ latency: { histogram, censoredHistogram } }) => [
      { OK: histogram, ...(censoredHistogram && { TIMEOUT: censoredHistogram }) }
    ]
  }
}

/**
 * @typedef {NonNullable<GossipOutcome['carriedRate']>['trials'][number]['reasons'][number]} UnsustainedReason
 */

/** @type {Readonly<Record<UnsustainedReason['why'], (value: number) => string>>} */
const UNSUSTAINED_TEXTS = {
  missing: pairs => `${formatCount(pairs, 'delivery', 'deliveries')} missing`,
  unpublished: count => `${formatCount(count, 'message')} not published in time`,
  slow: ms => `dissemination p99 ${formatSignificant(ms)} ms`,
  backlog: bytes => `backlog grew to ${formatWhole(bytes / 1000)} kB`,
  busy: utilization => `a process ${formatWhole(utilization * 100)} % busy`
}

/**
 * describeUnsustained says why a rate was not carried.
 *
 * @param {readonly UnsustainedReason[]} reasons
 */
export const describeUnsustained = reasons =>
  reasons.map(({ why, value }) => UNSUSTAINED_TEXTS[why](value)).join(', ')
