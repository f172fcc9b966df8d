import { sumOf } from '../../kit/lists.js'
import { chosen, times } from '../../measure/figure.js'
import { PROFILE_SAME } from '../../plan/profile-option.js'
import { routerFigures } from '../namespaces/router-figures.js'
import { plain } from './gossip-figure.js'
import { hopFigures } from './measure/hop-figures.js'
import { cpuMsPerDelivery, workerResources } from './measure/machine-figures.js'
import { NODE_FIGURES } from './node-figures.js'
import { writePublishers } from './plan/publishers-option.js'

/**
 * @typedef {import('./gossip-figure.js').Figure} Figure
 * @typedef {import('./gossip-figure.js').Of} Of
 * @typedef {import('./gossip-types.js').GossipOutcome} GossipOutcome
 * @typedef {import('./gossip-types.js').WorkerResources} WorkerResources
 */

/** A ratio or an average of fewer messages is chance. */
const LIVE_MESSAGES = 20

/** @param {string} name @param {string} title @param {Of} of @param {Partial<Figure>} [more] */
const count = (name, title, of, more) => plain(name, title, of, { better: null, grows: true, ...more })

/** @param {string} name @param {string} title @param {'ratio' | 'completeRatio'} which @param {Partial<Figure>} more */
const ratio = (name, title, which, more) =>
  plain(name, title, ({ delivery }) => delivery[which] && 100 * delivery[which], {
    quantity: 'share',
    better: 'higher',
    live: LIVE_MESSAGES,
    ofParts: true,
    unless: 'nothing was to be delivered',
    ...more
  })

/** @param {string} name @param {string} title @param {Of} of @param {NonNullable<Figure['told']>} told @param {Partial<Figure>} [more] */
const perDelivery = (name, title, of, { name: metric, help }, more) =>
  plain(name, `${title} per delivery`, of, {
    unless: 'nothing was delivered',
    told: { name: `${metric}_per_delivery`, help: `${help} for each delivery, so far` },
    ...more
  })

/** @param {string} name @param {(worker: WorkerResources) => number | null} of @param {Partial<Figure> & { per?: number }} more - `per`: of one unit */
const ofWorkers = (name, of, { per = 1, ...more }) =>
  plain(
    name,
    `${more.quantity === 'share' ? 'CPU' : 'Memory'} of all workers`,
    (outcome, run) => {
      const each = workerResources({ outcome, run }).map(of)
      const known = each.filter(value => value !== null)
      return known.length === 0 || known.length < each.length ? null : sumOf(known) / per
    },
    more
  )

/** Memory is in MB of 1,000,000 bytes. @type {Partial<Figure> & { per: number }} */
const MEMORY = { quantity: 'memory', per: 1e6 }

/** @param {'published' | 'skipped' | 'failed'} outcome @returns {Figure['told']} */
const toldMessages = outcome => ({
  name: 'messages_total',
  help: 'Messages that were due so far, by what became of their publication',
  counts: true,
  labels: { outcome }
})

/** @param {'latency' | 'dissemination'} name @param {string} title @param {string} what */
const timesOf = (name, title, what) =>
  times({
    name,
    title,
    summary: (/** @type {GossipOutcome} */ outcome) => outcome[name].all,
    words: {
      nothing: 'nothing was published',
      atLeast: 'at least this: messages that did not arrive reach into it'
    },
    told: { name, what },
    overhead: true
  }).map(figure => ({
    ...figure,
    ofParts: !figure.name.endsWith('.overhead'),
    ...(name === 'latency' && { also: figure.name.replace('latency', 'delivery') })
  }))

/** GOSSIP_FIGURES are those of a network that carries messages. @type {readonly Figure[]} */
export const GOSSIP_FIGURES = [
  count('published', 'Messages', ({ messages }) => messages.published, {
    ofParts: true,
    live: LIVE_MESSAGES,
    told: toldMessages('published')
  }),
  count('skipped', 'Skipped messages', ({ messages }) => messages.skipped, {
    better: 'lower',
    live: LIVE_MESSAGES,
    told: toldMessages('skipped')
  }),
  count('failed', 'Failed messages', ({ messages }) => messages.failed, {
    better: 'lower',
    told: toldMessages('failed')
  }),
  count('expected', 'Expected deliveries', ({ delivery }) => delivery.expected, {
    told: {
      name: 'deliveries_expected_total',
      help: 'Deliveries that the messages published so far are to have',
      counts: true
    }
  }),
  count('delivered', 'Deliveries', ({ delivery }) => delivery.delivered, {
    told: { name: 'deliveries_total', help: 'Deliveries so far', counts: true }
  }),
  ratio('deliveryRatio', 'Message delivery ratio', 'ratio', {
    told: {
      name: 'delivery_ratio',
      help: 'Deliveries of those expected so far; what is under way is not there yet'
    }
  }),
  ratio('completeRatio', 'Messages that reached everyone', 'completeRatio', {
    told: {
      name: 'complete_ratio',
      help: 'Share of the messages so far that reached every subscriber'
    }
  }),
  ...timesOf('latency', 'Latency', 'publish call to first receipt of a delivery'),
  ...timesOf('dissemination', 'Dissemination', 'publish call to the last delivery of a message'),
  plain('lastHop.avg', 'Last delivery hop avg', ({ hops }) => hopFigures(hops.last)?.avg),
  plain('lastHop.max', 'Last delivery hop max', ({ hops }) => hopFigures(hops.last)?.max),
  perDelivery(
    'duplicatesPerDelivery',
    'Duplicates',
    ({ cost }) => cost.duplicatesPerDelivery,
    { name: 'duplicates', help: 'Copies that were there already' },
    { live: LIVE_MESSAGES, unit: 'copies' }
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
    (outcome, run) => cpuMsPerDelivery({ outcome, run }),
    { name: 'cpu_seconds', help: 'CPU time of the worker processes' },
    { quantity: 'time', live: LIVE_MESSAGES }
  ),
  ofWorkers('cpu', ({ cpu }) => cpu.averagePercent, { quantity: 'share' }),
  ofWorkers('memory', ({ memory }) => memory.averageBytes, {
    ...MEMORY
  }),
  ofWorkers('memory.max', ({ memory }) => memory.maxBytes, {
    ...MEMORY,
    title: 'Memory of workers max, added up'
  }),
  plain('meshFormedAfter', 'Mesh formed after', ({ mesh }) => mesh.formedAfterMs, { quantity: 'time' }),
  plain('dialling.p50', 'Dialling p50', ({ topology }) => topology.dialMs.p50?.ms, { quantity: 'time' }),
  ...routerFigures(({ network }) => [network.namespaces]),
  ...NODE_FIGURES,
  count('abortedStreams', 'Aborted streams', ({ streams }) => streams.aborted, { better: 'lower' })
]

/** FROM_THE_PLAN: parts of an outcome that follow from the plan alone in virtual time; the rest is of the machine. */
export const FROM_THE_PLAN = [
  'messages',
  'delivery',
  'missing',
  'hops',
  'latency',
  'dissemination',
  'topology'
]

/** GOSSIP_COMPARED is what comparisons of such networks go by. @type {import('../../measure/figure.js').Comparable<import('./plan/gossip-plan.js').GossipPlan>} */
export const GOSSIP_COMPARED = {
  figures: chosen(GOSSIP_FIGURES, [
    ...['latency.p50', 'latency.p99', 'dissemination.p50', 'dissemination.p99', 'deliveryRatio'],
    ...['cpuPerDelivery', 'duplicatesPerDelivery', 'bytesPerDelivery', 'memory']
  ]),
  same: {
    // the one takes time, the other gives it
    network: ({ network }) => network,
    publishers: ({ publishers }) => writePublishers(publishers),
    loadModel: ({ loadModel }) => loadModel,
    ...PROFILE_SAME
  },
  example: '"latency.p99 > +10%" or "deliveryRatio < -1%"',
  commands: /** @type {[string, string][]} */ ([
    [
      'what changed from one generation of libp2p to the next?',
      "ab gossip '--stack libp2p-2' '--stack libp2p-3' --nodes 30 --rate 5 --messages 300"
    ],
    [
      'two stacks while nodes come and go',
      "ab gossip '--stack libp2p-3' '--stack libp2p-2' --nodes 30 --churn 10,every=5s,away=2s,settle=3s --duration 1m --rate 2"
    ],
    ['do fast message ids pay?', "ab gossip '--fastMsgId off' '--fastMsgId on'"]
  ]),
  times: {
    title: 'Latency',
    what: 'Deliveries',
    of: ({ latency: { histogram, censoredHistogram } }) => [
      { OK: histogram, ...(censoredHistogram && { TIMEOUT: censoredHistogram }) }
    ]
  }
}
