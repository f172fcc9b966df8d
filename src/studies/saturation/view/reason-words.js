import { counted, grouped, significant } from '../../../kit/numbers.js'
import { reasonsOf } from '../../../scenarios/gossip/saturation/carried-words.js'
import { isGenerators } from '../search/limits.js'

/**
 * @typedef {import('../result/trial.js').Reason} Reason
 * @typedef {import('../../../scenarios/rendezvous/saturation/saturated-first.js').SaturatedFirst} SaturatedFirst
 */

/** @type {Readonly<Record<string, (reason: any) => string>>} */
const REASONS = {
  ACHIEVED: ({ share }) => `${significant(100 * share)} % achieved`,
  SLOWER: ({ figure, ms, lowestMs }) =>
    `${figure} ${significant(ms)} ms, ${significant(lowestMs)} ms at the lowest rate`,
  WAITING: ({ count }) => `more and more waited, ${grouped(count)} in the end`,
  NOT_CARRIED: ({ why }) => reasonsOf(why),
  UNDER_WAY: ({ count }) => `more and more deliveries were under way, ${grouped(count)} in the end`,
  ENDED: ({ message }) => `the run did not come to its end: ${message}`
}

/**
 * reasonWords says why a load was not sustained.
 *
 * @param {{ reasons: readonly Reason[] }} trial
 */
export const reasonWords = ({ reasons }) => reasons.map(reason => REASONS[reason.code](reason)).join('; ')

const percent = (/** @type {number | null} */ value) => `${grouped(value ?? 0)} %`
const cores = (/** @type {number | null} */ percent) =>
  percent === 100 ? 'one core' : `${significant((percent ?? 0) / 100)} cores`

/** @param {string} which @param {number | null} used */
const lines = (which, used) =>
  `the lines of ${which} in the model: ${percent(used)} used on average, and more at nodes with more neighbours`

/** @type {Readonly<Record<SaturatedFirst['limit'], (limit: SaturatedFirst) => string>>} */
const LIMITS = {
  generator: ({ value, of }) =>
    of === null
      ? `the load generator: it sent operations late, 1 % of them by more than ${significant(value ?? 0)} ms`
      : `the load generator: its event loop was ${percent(value)} busy`,
  added: ({ value }) =>
    `the load generator: it added more than a tenth of the slowest response times (${significant(value ?? 0)} ms)`,
  machine: ({ value, of }) =>
    `the machine: server and load generator, with a database where there is one, together used ${percent(value)} of its ${cores(of)}`,
  maxInFlight: ({ value }) =>
    `--maxInFlight: ${grouped(value ?? 0)} operations were never sent, as many as may be were under way`,
  ports: ({ value }) => `the machine's local ports: ${grouped(value ?? 0)} connections could not be opened`,
  memory: ({ value, of }) =>
    `the server's memory: ${grouped((value ?? 0) / 1e6)} MB of ${grouped((of ?? 0) / 1e6)} MB`,
  cpu: ({ value, of }) => `the server's CPU: ${percent(value)} of one core, where ${cores(of)} may be used`,
  eventLoop: ({ value }) =>
    `the server's event loop: its process used ${percent(value)} of the one core that JavaScript runs on`,
  processes: ({ value }) =>
    `a process of nodes, which is load generator too: its event loop was ${percent(value)} busy`,
  cores: ({ value, of }) =>
    `the machine: the processes of the nodes used ${percent(value)} of its ${cores(of)}`,
  publishedLate: ({ value }) =>
    `the processes of the nodes, which are load generator too: 1 % of the messages were published more than ${significant(value ?? 0)} ms late`,
  memoryCeiling: ({ value }) =>
    `--memoryCeiling: ${counted(value ?? 0, 'process', 'processes')} reached it and published no more`,
  streams: ({ value }) =>
    `streams of gossipsub: ${grouped(value ?? 0)} were aborted, because their readers did not keep up`,
  upBandwidth: ({ value }) => `${lines('what leaves the nodes', value)} (--upBandwidth)`,
  downBandwidth: ({ value }) => `${lines('what reaches the nodes', value)} (--downBandwidth)`,
  linkBandwidth: ({ value }) => `${lines('the links', value)} (--linkBandwidth)`,
  processing: ({ value }) =>
    `the processing of the nodes in the model: ${percent(value)} of their time on average, and more at nodes with more neighbours`,
  network: () =>
    'nothing that was watched: links or the mesh of the network itself, or other work on this machine',
  model: () => 'no line and no processing of the model: latencies, TCP, losses or the mesh',
  unknown: () =>
    'nothing that was watched: the server waited for something else, or other work on this machine slowed it down'
}

/** limitWords says what saturated first. @param {SaturatedFirst} limit */
export const limitWords = limit => LIMITS[limit.limit](limit)

/**
 * limitSeenBy says what saturated first, and whether it was none of what was to be measured.
 *
 * @param {Pick<import('../../../scenarios/saturation.js').Face, 'notIts'>} face
 * @param {SaturatedFirst} limit
 */
export const limitSeenBy = ({ notIts }, limit) =>
  `${isGenerators(limit.limit) ? notIts : ''}${limitWords(limit)}`
