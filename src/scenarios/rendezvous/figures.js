// Defines the named figures of a rendezvous result, which thresholds and comparisons use. Also computes the effect of
// hostile peers on response times.

import { computeSum } from '../../kit/collections.js'
import { formatSignificant } from '../../kit/numbers.js'
import { listRoles } from '../../load/clients.js'
import { isCensored } from '../../load/registrations.js'
import {
  makeMissingReading,
  makeTimeFigures,
  makeTooFewReading,
  readTime,
  selectFigures
} from '../../measure/figure.js'
import { MIN_SAMPLES } from '../../measure/series.js'
import { estimateHodgesLehmann, testSignFlip } from '../../measure/statistics.js'
import { PROFILE_SAME } from '../../plan/options.js'
import { GOSSIP_FIGURES } from '../gossip/figures.js'
import { makeRouterFigures } from '../router-figures.js'
import { formatHostile, measuresStaleness, publishesMessages } from './peer-options.js'

/**
 * @typedef {import('../../report/schema.js').Summary} Summary
 * @typedef {import('./schema.js').Churned} Churned
 * @typedef {import('./options.js').Plan} Plan
 */

/** What a plan lacks for figures of churn. @param {Plan} plan */
const lacksChurn = plan => (plan.churn == null ? '--churn' : null)

/** A share of fewer records is chance. */
const LIVE_RECORDS = 100

/** @param {string} name @param {string} title @param {'withDuplicates' | 'withoutDuplicates'} which @returns {Figure} */
const staleShare = (name, title, which) => ({
  name,
  title,
  quantity: 'share',
  better: 'lower',
  live: LIVE_RECORDS,
  lacks: lacksChurn,
  read({ churn }) {
    const { records, stale } = churn?.discovered[which] ?? { records: 0, stale: 0 }
    return records === 0
      ? makeMissingReading('no record was discovered')
      : { value: (100 * stale) / records, samples: records }
  }
})

/**
 * @param {string} name
 * @param {string} title
 * @param {string} who - makes it a lower bound
 * @param {(churn: Churned) => Summary} of
 */
const churnTimesOf = (name, title, who, of) =>
  makeTimeFigures(
    {
      name,
      title,
      summary: (/** @type {Outcome} */ { churn }) => churn && of(churn),
      words: {
        nothing: 'no client that came meanwhile got so far',
        atLeast: `at least this: ${who} reach into it`
      }
    },
    { lacks: lacksChurn }
  )

/** Figures of churn. @type {readonly Figure[]} */
const CHURN_FIGURES = [
  staleShare('staleShare', 'Stale records', 'withDuplicates'),
  staleShare('staleShare.withoutDuplicates', 'Stale records, each once', 'withoutDuplicates'),
  {
    name: 'overdue',
    title: 'Overdue registrations',
    quantity: 'number',
    better: 'lower',
    live: 0,
    grows: true,
    lacks: lacksChurn,
    read: (/** @type {Outcome} */ { churn }) =>
      churn == null ? makeMissingReading('clients stayed') : { value: churn.left.overdue, samples: 1 }
  },
  ...churnTimesOf(
    'visibleDelay',
    'Registered → visible',
    'registrations that nobody saw',
    ({ visible }) => visible.delay.all
  ),
  ...churnTimesOf(
    'firstDiscovery',
    'First discovery',
    'peers that discovered nobody',
    ({ firstDiscovery }) => firstDiscovery
  )
]

/**
 * @typedef {import('../../measure/figure.js').Figure<Outcome>} Figure
 * @typedef {import('../../report/schema.js').Figures} Figures
 * @typedef {import('../../report/schema.js').OperationFigures} OperationFigures
 * @typedef {import('../../report/schema.js').OperationResult} OperationResult
 * @typedef {import('../../report/schema.js').OperationType} OperationType
 * @typedef {import('../../report/schema.js').Result['outcome']} Outcome
 * @typedef {import('../../report/schema.js').ServerResult} ServerResult
 */

/** An average or a share of fewer operations is chance. */
const LIVE_OPERATIONS = 100
/** A throughput over less time measures the start. */
const LIVE_SECONDS = 2
/** Samples of the server: 2.5 s, longer than the start. */
const LIVE_SAMPLES = 50

const CPU_PER_OPERATION = 'Server CPU per operation'

/** @type {readonly OperationType[]} */
const TYPES = ['REGISTER', 'DISCOVER', 'UNREGISTER', 'PUBLISH', 'CONNECT']

/** @param {string} type */
const words = type => ({
  nothing: `no ${type} was measured`,
  atLeast: 'at least this: operations without a reply reach into it'
})

/** Operations, or errors, without those interrupted by an early end of the run. @param {'count' | 'errors'} key */
const ended = key => (/** @type {OperationFigures} */ operation) =>
  operation[key] - (operation.outcomes.INTERRUPTED ?? 0)

/** Operations without a reply. @param {OperationFigures} operation */
const lostOf = ({ outcomes: { INTERRUPTED, ...others } }) =>
  computeSum(Object.entries(others), ([outcome, n]) => (isCensored(outcome) ? n : 0))

/** @param {string} name @param {string} title @param {Figure['quantity']} quantity @param {Partial<Figure> & Pick<Figure, 'read'>} more @returns {Figure} */
const row = (name, title, quantity, more) => ({ name, title, quantity, better: 'lower', ...more })

/**
 * Figures that are sums over operations.
 *
 * @param {string} what - kind of operations
 * @param {(outcome: Figures) => OperationFigures[]} those
 * @returns {Figure[]}
 */
function sums(what, those) {
  const nothing = makeMissingReading(`no ${what} was measured`)
  /** @param {(operations: OperationFigures[], samples: number) => number} of @returns {Figure['read']} */
  const total = of => outcome => {
    const samples = computeSum(those(outcome), ended('count'))
    return samples === 0 ? nothing : { value: of(those(outcome), samples), samples }
  }
  return [
    row('throughput', 'Throughput', 'rate', {
      unit: 'op/s',
      better: 'higher',
      live: LIVE_SECONDS,
      read(outcome) {
        const operations = those(outcome)
        if (operations.length === 0 || !(outcome.measuredMs > 0)) return nothing
        const value = computeSum(operations, ({ throughputPerSecond }) => throughputPerSecond)
        return { value, samples: outcome.measuredMs / 1000 }
      }
    }),
    row('errorRate', 'Operations without success', 'share', {
      live: LIVE_OPERATIONS,
      read: total((operations, samples) => (100 * computeSum(operations, ended('errors'))) / samples)
    }),
    row('lost', 'Operations without a reply', 'number', {
      live: 0,
      grows: true,
      read: total(operations => computeSum(operations, lostOf))
    }),
    row('count', 'Operations', 'number', {
      better: null,
      live: 0,
      grows: true,
      read: total((_, samples) => samples)
    })
  ]
}

/** @param {OperationType} type @returns {Figure[]} */
function ofType(type) {
  /** @param {(operation: OperationResult) => number | null} of @returns {Figure['read']} */
  const read = of => outcome => {
    const operation = outcome.operations[type]
    return operation === undefined
      ? makeMissingReading(words(type).nothing)
      : { value: of(operation), samples: operation.count }
  }
  const labels = { type }
  const [speed, ...others] = sums(type, ({ operations }) => [operations[type] ?? []].flat())
  const prometheus = {
    name: 'throughput_operations_per_second',
    help: 'Successful operations per second of measured time, so far',
    labels
  }
  const figures = [
    { ...speed, prometheus },
    ...others,
    row('received', 'Bytes received in a second', 'memory', {
      unit: 'MB/s',
      better: 'higher',
      live: LIVE_OPERATIONS,
      read({ operations: { [type]: operation } }) {
        const bytes = operation?.receivedBytesPerSecond
        return bytes === undefined
          ? makeMissingReading(`no reply to ${type} was measured`)
          : { value: bytes / 1e6, samples: operation?.count ?? 0 }
      },
      prometheus: {
        name: 'received_bytes_per_second',
        help: 'Bytes of replies received per second of measured time, so far',
        labels
      }
    }),
    row('errors', 'Errors', 'number', {
      read: read(({ errors }) => errors)
    }),
    row('cpuPerOperation', CPU_PER_OPERATION, 'time', {
      unit: 'µs',
      read: read(({ serverCpuMicrosPerOperation }) => serverCpuMicrosPerOperation)
    })
  ]
  const named = figures.map(figure => ({
    ...figure,
    name: `${type}.${figure.name}`,
    title: `${figure.title} of ${type}`,
    type
  }))
  return [...timesOf(type), ...named]
}

/** @param {OperationType} type @returns {Figure[]} */
const timesOf = type =>
  makeTimeFigures({
    name: type,
    title: `Response time of ${type}`,
    summary: (/** @type {Outcome} */ { operations }) => operations[type]?.rt.all,
    words: words(type),
    prometheus: { name: 'response_time', what: 'the response time', labels: { type } },
    overhead: true
  }).map(figure => ({ ...figure, ...(figure.name.endsWith('avg') && { live: LIVE_OPERATIONS }), type }))

/** @param {number | null} bytes */
const megabytes = bytes => (bytes === null ? null : bytes / 1e6)

/**
 * @param {'cpu' | 'memory'} part
 * @param {string} key - of it
 * @param {(server: Pick<ServerResult, 'cpu' | 'memory'>) => number | null} of
 * @param {Partial<Figure> & { needed?: number }} [more] - `needed`: samples
 */
const ofServer = (part, key, of, { needed = MIN_SAMPLES, ...more } = {}) =>
  row(
    `${part}.${key}`,
    `Server ${part === 'cpu' ? 'CPU' : part} ${key}`,
    part === 'cpu' ? 'share' : 'memory',
    {
      ofServer: true,
      live: LIVE_SAMPLES,
      grows: key === 'max',
      read({ server }) {
        if (server === null) return makeMissingReading('CPU and memory of the server are not known')
        const { samples } = server[part]
        const value = of(server)
        return value === null ? makeTooFewReading(samples, needed) : { value, samples }
      },
      ...more
    }
  )

/**
 * Response time of all types together; of a single type the result holds it.
 *
 * @param {'p50' | 'p99'} key
 */
const together = key =>
  row(key, key, 'time', {
    read(outcome, _, pool) {
      const operations = requestsOf(outcome)
      const alone = operations.length === 1
      const summary = alone ? operations[0].rt.all : pool?.(operations.map(({ histograms }) => histograms))
      return readTime(summary, key, words('operation'))
    }
  })

/** @param {OperationResult} operation */
const answeredOf = ({ outcomes }) =>
  computeSum(Object.entries(outcomes), ([outcome, count]) => (isCensored(outcome) ? 0 : count))

/** @typedef {{ count: number, answered?: number }} Answered - `answered`: had a reply */

/** @param {Outcome} outcome @returns {number | null} µs */
function cpuPerOperation(outcome) {
  const operations = requestsOf(outcome)
  const alone = operations.length === 1 ? operations[0].serverCpuMicrosPerOperation : null
  if (alone !== null) return alone
  const percent = outcome.server?.cpu.averagePercent ?? null
  // results of version 0.1.0 have a probe, whose operations used CPU of the server too
  const { probe } = /** @type {{ probe?: { operations: Record<string, Answered> } | null }} */ (outcome)
  const ofProbe = probe == null ? [] : Object.values(probe.operations)
  const others = computeSum(ofProbe, ({ count, answered = count }) => answered)
  const served = computeSum(operations, answeredOf) + others
  return percent === null || operations.length === 0 || served === 0
    ? null
    : (percent * outcome.measuredMs * 10) / served
}

/** All operations except CONNECT, which is part of the operation after it. @type {<T>(outcome: { operations: Partial<Record<OperationType, T>> }) => T[]} */
const ofRun = ({ operations: { CONNECT, ...others } }) => Object.values(others)

/** All operations with a request to the server. @type {<T>(outcome: { operations: Partial<Record<OperationType, T>> }) => T[]} */
const requestsOf = ({ operations: { CONNECT, PUBLISH, ...others } }) => Object.values(others)

/** Figures of operations of all types together. */
const OF_ALL = [...sums('operation', ofRun), together('p50'), together('p99')]

/** makeOperationFigures makes the figures of operations of some types. @param {readonly OperationType[]} types @returns {readonly Figure[]} */
export const makeOperationFigures = types => Object.freeze([...OF_ALL, ...types.flatMap(ofType)])

/** @typedef {(plan: Plan) => string | null} Lacks - what a plan lacks for a figure */

/** @param {'providers' | 'discoverers'} role @returns {Lacks} */
const ofRole = role => plan => {
  if (listRoles(plan).length === 0) return '--providers and --discoverers'
  return plan[role] === 1 ? `--${role} above 1` : null
}

/** What a plan lacks for an index of fairness. @type {Record<string, Lacks>} */
const SEVERAL = {
  clients: ({ nClients }) => (nClients === 1 ? '--nClients above 1' : null),
  types({ benchmarkType, mix }) {
    if (benchmarkType !== 'MIXED') return '--benchmarkType MIXED'
    // with roles there are both types, and no mix
    const sent = mix === null || Object.values(mix).filter(share => share > 0).length > 1
    return sent ? null : 'several types in --mix'
  },
  providers: ofRole('providers'),
  discoverers: ofRole('discoverers')
}

/** Jain's indices of successes, see `makeFairness`, known at the end. @type {readonly Figure[]} */
const FAIRNESS = /** @type {const} */ (['clients', 'types', 'providers', 'discoverers']).map(who =>
  row(`fairness.${who}`, `Fairness between ${who}`, 'number', {
    better: 'higher',
    live: 1,
    lacks: (/** @type {Plan} */ plan) => (plan.churn == null ? SEVERAL[who](plan) : 'clients that stay'),
    read: outcome => {
      const value = 'fairness' in outcome ? (outcome.fairness?.[who] ?? null) : null
      return value === null
        ? makeMissingReading(`there were no several ${who} to be fair between, or it was not looked at`)
        : { value, samples: 1 }
    }
  })
)

/** OPERATION_FIGURES are the figures of operations at a rendezvous server. @type {readonly Figure[]} */
export const OPERATION_FIGURES = [
  ...OF_ALL,
  row('cpu', CPU_PER_OPERATION, 'time', {
    unit: 'µs',
    read: outcome => ({ value: cpuPerOperation(outcome), samples: 1 })
  }),
  ofServer('cpu', 'avg', ({ cpu }) => cpu.averagePercent, {
    prometheus: {
      name: 'server_cpu_average_cores',
      help: 'CPU of the server over the measured time so far, in cores'
    }
  }),
  ofServer('cpu', 'median', ({ cpu }) => cpu.medianPercent),
  ofServer('cpu', 'max', ({ cpu }) => cpu.maxPercent),
  ofServer('memory', 'avg', ({ memory }) => megabytes(memory.averageBytes), { needed: 1 }),
  ofServer('memory', 'median', ({ memory }) => megabytes(memory.medianBytes)),
  ofServer('memory', 'max', ({ memory }) => megabytes(memory.maxBytes)),
  ...makeRouterFigures(({ namespaces }) => [namespaces]),
  ...TYPES.flatMap(ofType)
]

/** Names of figures of full peers, by the figure of a gossip network. @type {readonly [string | RegExp, string][]} */
const OF_PEERS = [
  [/^latency(?=\.)/, 'delivery'],
  [/^dissemination(?=\.)/, 'dissemination'],
  ...[
    ...['published', 'expected', 'delivered', 'deliveryRatio', 'completeRatio', 'lastHop.avg'],
    ...['duplicatesPerDelivery', 'bytesPerDelivery']
  ].map(name => /** @type {[string, string]} */ ([name, name]))
]

const NO_PEERS = makeMissingReading('clients published nothing')

/** @type {readonly Figure[]} */
const PEER_FIGURES = GOSSIP_FIGURES.flatMap(figure => {
  const named = OF_PEERS.find(([of]) => (typeof of === 'string' ? figure.name === of : of.test(figure.name)))
  if (named === undefined) return []
  /** @param {any} read @returns {any} */
  const ofNetwork =
    read =>
    (/** @type {any} */ { gossip }, /** @type {any[]} */ ...more) =>
      gossip === undefined ? NO_PEERS : read(gossip, ...more)
  return /** @type {Figure} */ ({
    ...figure,
    ofParts: false,
    also: undefined,
    name: figure.name.replace(...named),
    title: figure.title.replace(/^Latency/, 'Delivery'),
    lacks: (/** @type {Plan} */ plan) => (publishesMessages(plan) ? null : 'publish in --mix'),
    read: ofNetwork(figure.read),
    ...(figure.readAt && { readAt: (/** @type {number} */ share) => ofNetwork(figure.readAt?.(share)) })
  })
})

const NOT_HOSTILE = makeMissingReading('there were no hostile peers')

/** @typedef {import('../../report/schema.js').HostileOutcome} HostileOutcome */

/**
 * @param {string} name
 * @param {string} title
 * @param {Figure['quantity']} quantity
 * @param {(hostile: HostileOutcome) => number | null} of
 * @param {string} missing
 * @param {(hostile: HostileOutcome) => boolean} [isBound]
 * @returns {Figure}
 */
const besideHostile = (name, title, quantity, of, missing, isBound = () => false) =>
  row(`hostile.${name}`, title, quantity, {
    live: 0,
    lacks: (/** @type {Plan} */ plan) => (plan.hostile === undefined ? '--hostile' : null),
    read({ hostile }) {
      if (hostile === undefined) return NOT_HOSTILE
      const value = of(hostile)
      if (value === null) return makeMissingReading(missing)
      return { value, samples: hostile.pairs.length, ...(isBound(hostile) && { atLeast: words('').atLeast }) }
    }
  })

const TOO_FEW = 'a stretch needs more operations for it: a longer --hostile every, or a higher --rate'
const NOT_KNOWN = 'the server does not report it'

/** Effects of hostile peers on clients and server, by pairs of stretches. @type {readonly Figure[]} */
const HOSTILE_FIGURES = [
  .../** @type {const} */ (['p50', 'p99']).map(key =>
    besideHostile(
      `ratio.${key}`,
      `Response time with hostile peers ÷ without ${key}`,
      'number',
      hostile => hostile[key]?.ratio ?? null,
      TOO_FEW,
      hostile => hostile[key]?.atLeast ?? false
    )
  ),
  besideHostile(
    'ratio.p99.high',
    'Upper end of the 95 % interval of that of p99',
    'number',
    ({ p99 }) => p99?.high ?? null,
    'it needs 6 pairs of stretches, and enough operations in each',
    ({ p99 }) => p99?.atLeast ?? false
  ),
  besideHostile(
    'errors',
    'Operations that failed with hostile peers',
    'number',
    ({ failed }) => failed.hostile,
    'nothing was measured'
  ),
  besideHostile(
    'recovery',
    'Time until operations are as fast as before hostile peers',
    'time',
    ({ recoveryMs }) => recoveryMs,
    'a quiet stretch has too few operations to say what is usual',
    ({ recovered }) => !recovered
  ),
  besideHostile(
    'longestTurn',
    'Longest turn of the server’s event loop with hostile peers',
    'time',
    ({ longestTurnMs }) => longestTurnMs.hostile,
    NOT_KNOWN
  ),
  .../** @type {const} */ ([
    ['heap', 'Heap'],
    ['external', 'External memory']
  ]).map(([part, name]) =>
    besideHostile(
      `${part}.left`,
      `${name} of the server after hostile peers, of that before`,
      'share',
      ({ left }) => left && 100 * left[part],
      NOT_KNOWN
    )
  ),
  besideHostile(
    'memory.added',
    'Resident memory of the server with hostile peers − without',
    'memory',
    ({ rssBytes: { quiet, hostile } }) =>
      quiet === null || hostile === null ? null : Math.max(0, (hostile - quiet) / 1e6),
    NOT_KNOWN
  )
]

/** RENDEZVOUS_FIGURES are the figures of a rendezvous run. @type {readonly Figure[]} */
export const RENDEZVOUS_FIGURES = [
  ...OPERATION_FIGURES,
  row('missing', 'Registrations missing at the end', 'share', {
    live: 1,
    lacks: (/** @type {Plan} */ plan) => (plan.churn == null ? null : 'clients that stay'),
    read(outcome) {
      const lookUp = 'lookUp' in outcome ? outcome.lookUp : null
      if (lookUp === null || lookUp.lookedUp === 0) return makeMissingReading('no registration was looked up')
      return { value: (100 * lookUp.missing) / lookUp.lookedUp, samples: lookUp.lookedUp }
    }
  }),
  ...FAIRNESS,
  ...PEER_FIGURES,
  ...CHURN_FIGURES,
  ...HOSTILE_FIGURES,
  // known at the end
  ...makeTimeFigures(
    {
      name: 'staleness',
      title: 'From an acknowledged REGISTER to its first sight at another server',
      summary: (/** @type {Outcome} */ { staleness }) => staleness,
      words: {
        nothing: 'no registration was looked for at another server',
        atLeast: 'at least this: some were not seen in time'
      }
    },
    {
      lacks: (/** @type {Plan} */ plan) =>
        measuresStaleness(plan)
          ? null
          : 'several servers (--servers, or --targets that registrations are sent to)'
    }
  )
]

/** The share of the load of each role; in the closed model the replies decide it. @param {Plan} plan */
const rolesCompared = plan =>
  listRoles(plan)
    .map(({ role, ratePerSecond }) =>
      ratePerSecond === null
        ? role
        : `${role} ${formatSignificant((100 * ratePerSecond) / Number(plan.ratePerSecond))} %`
    )
    .join(', ') || 'none'

/** OPERATIONS_COMPARED says which figures of operations are compared. @type {import('../../measure/figure.js').Comparable<Plan>} */
export const OPERATIONS_COMPARED = {
  figures: selectFigures(RENDEZVOUS_FIGURES, ['throughput', 'p50', 'p99', 'cpu']),
  variants: [
    {
      of: ({ churn }) => churn != null,
      figures: selectFigures(RENDEZVOUS_FIGURES, [
        ...['staleShare', 'visibleDelay.p50', 'firstDiscovery.p50', 'DISCOVER.p50', 'DISCOVER.p99']
      ])
    },
    {
      of: ({ hostile }) => hostile !== undefined,
      figures: selectFigures(RENDEZVOUS_FIGURES, [
        'hostile.ratio.p50',
        'hostile.ratio.p99',
        'hostile.longestTurn'
      ])
    }
  ],
  same: {
    benchmarkType: ({ benchmarkType }) => benchmarkType,
    mix: ({ mix }) => mix,
    // times count from the send in the closed model, from the due time in the open model
    roles: rolesCompared,
    'hostile peers': ({ hostile }) => (hostile === undefined ? 'none' : formatHostile(hostile)),
    'load model': ({ ratePerSecond }) => (ratePerSecond === null ? 'closed' : 'open'),
    ...PROFILE_SAME
  },
  example: '"p99 > +10%" or "throughput < -5%"',
  commands: /** @type {[string, string][]} */ ([
    [
      'does a long-lived stream help?',
      `ab '--streamPerOperation true' '--streamPerOperation false' --benchmarkType DISCOVER`
    ],
    ['two plan files, 12 runs each', 'ab before.yaml after.yaml --runs 12'],
    ['how much do runs vary here?', `ab '' '' --nClients 10`],
    ['fail if p99 is 10 % worse', `ab before.yaml after.yaml --fail-on "p99 > +10%"`],
    ['has the program become slower?', 'ab plan.yaml plan.yaml --baseline results/20261120-0712-ab-7/a'],
    ['continue the latest one', 'ab --resume']
  ]),
  times: {
    title: 'Response time',
    what: 'Operations',
    of: outcome => requestsOf(outcome).map(({ histograms }) => histograms)
  }
}

/**
 * compareStretches gives the ratio of response times beside hostile peers to those without, by pairs of stretches.
 *
 * @param {readonly import('../../report/schema.js').HostileOutcome['pairs'][number][]} pairs
 * @param {'p50' | 'p99'} which
 * @returns {import('../../report/schema.js').HostileOutcome['p50']} null: a stretch has no such percentile, or a quiet one only a lower bound
 */
export function compareStretches(pairs, which) {
  const times = pairs.map(({ quiet, hostile }) => [quiet[`${which}Ms`], hostile[`${which}Ms`]])
  const known = times.every(pair => pair.every(ms => ms !== null && ms > 0))
  if (pairs.length === 0 || !known || pairs.some(({ quiet }) => quiet.censored[which])) return null
  const both = /** @type {[number, number][]} */ (times)
  const logs = both.map(([quiet, hostile]) => Math.log(hostile / quiet))
  const { low, high } = testSignFlip(logs).interval
  const bounded = Number.isFinite(low + high)
  return {
    quietMs: estimateHodgesLehmann(both.map(([quiet]) => quiet)),
    hostileMs: estimateHodgesLehmann(both.map(([, hostile]) => hostile)),
    ratio: Math.exp(estimateHodgesLehmann(logs)),
    low: bounded ? Math.exp(low) : null,
    high: bounded ? Math.exp(high) : null,
    atLeast: pairs.some(({ hostile }) => hostile.censored[which])
  }
}
