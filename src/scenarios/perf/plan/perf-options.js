import { bytesIn } from '../../../kit/units.js'
import { DEFAULT_STACK, STACKS } from '../../../libp2p/stacks.js'
import { AGENT_OPTIONS } from '../../../plan/agents-option.js'
import { gateOptions } from '../../../plan/gate-options.js'
import { GROUP, OUTPUT_OPTIONS, STRICT } from '../../../plan/shared-options.js'
import { targetAddress } from '../../../plan/target-address.js'
import { thresholds } from '../../../plan/threshold.js'
import { duration, rate, size, wholeNumber, yesOrNo } from '../../../plan/values.js'
import { linkTable } from '../../namespaces/link-table.js'
import { withTarget } from '../../rendezvous/plan/conditions.js'
import { PERF_COMPARED, PERF_FIGURES } from '../figures.js'
import { BASELINES, MEASURES } from './ways.js'

/**
 * @typedef {import('../../../plan/values.js').Kind} Kind
 * @typedef {Kind & { write: (value: any) => string }} Written
 */

/** @param {unknown} value */
const parts = value =>
  (Array.isArray(value) ? value : String(value).split(',')).map(part => String(part).trim())

/**
 * several takes some of a few words, joined by commas, each once, and gives them in the order in which they are listed here.
 *
 * @param {readonly string[]} words
 * @param {{ orNone?: boolean }} [how] - `none` is allowed, for no word
 * @returns {Written}
 */
export const several = (words, { orNone = false } = {}) => ({
  allowed: `must be ${words.join(', ').replace(/, (?=[^,]*$)/, ' or ')}, or several joined by a comma${orNone ? ', or none' : ''}`,
  write: (/** @type {string[]} */ chosen) => (chosen.length === 0 ? 'none' : chosen.join(',')),
  schema: z =>
    z.preprocess(
      value => (orNone && String(value) === 'none' ? [] : inOrderOf(words, parts(value))),
      z
        .array(z.enum(words))
        .min(orNone ? 0 : 1)
        .refine(chosen => new Set(chosen).size === chosen.length)
    )
})

/** What is none of the words comes last, to be refused. @param {readonly string[]} words @param {string[]} chosen */
const inOrderOf = (words, chosen) => [
  ...words.flatMap(word => chosen.filter(each => each === word)),
  ...chosen.filter(each => !words.includes(each))
]

/**
 * counts takes whole numbers joined by commas, each once, and gives them in ascending order.
 *
 * @param {{ min: number, max: number, example: string }} range
 * @returns {Written}
 */
export const counts = ({ min, max, example }) => ({
  allowed: `must be whole numbers from ${min} to ${max}, joined by commas, such as ${example}`,
  write: (/** @type {number[]} */ numbers) => numbers.join(','),
  schema: z =>
    z.preprocess(
      value =>
        [...new Set(parts(value))]
          .map(part => (/^\d+$/.test(part) ? Number(part) : Number.NaN))
          .sort((a, b) => a - b),
      z.array(z.int().min(min).max(max)).min(1)
    )
})

/** @param {unknown} value @returns {number} bytes per second; NaN for what is no rate of bytes */
function bytesPerSecond(value) {
  const [, size] = /^(.*b)(?: ?\/ ?s)?$/i.exec(String(value).trim()) ?? []
  return bytesIn(size ?? '')
}

const NONE = 'none'

/**
 * bandwidth takes a rate of bytes with its unit, or none, which is 0 here: null would be no answer.
 *
 * @param {{ min: string, max: string }} range
 * @returns {Written}
 */
export const bandwidth = ({ min, max }) => ({
  allowed: `must be a rate of bytes with its unit from ${min} to ${max}, such as 10MB/s (a million bytes each) or 512KiB/s, or none`,
  write: (/** @type {number} */ value) => (value === 0 ? NONE : `${value}B/s`),
  schema: z =>
    z.preprocess(
      value => (value === NONE ? 0 : bytesPerSecond(value)),
      z.union([z.literal(0), z.number().min(bytesPerSecond(min)).max(bytesPerSecond(max))])
    )
})

/** @typedef {import('../../../plan/option.js').Condition} Condition */

const MOVES = 'What moves:'
const PEERS = 'Between whom:'
const LINE = 'The line between them:'

/** @param {...string} measures @returns {Condition} */
const ofMeasure = (...measures) => ({
  of: measures.join(' or '),
  needs: ['measures'],
  met: values => measures.some(measure => values.measures.includes(measure)),
  otherwise: `has no use without ${measures.join(' or ')} among --measures`
})

/** PERF_OPTIONS are the options of a run that moves bytes. @type {import('../../../plan/read-options.js').OptionTable} */
export const PERF_OPTIONS = {
  measures: {
    common: true,
    group: MOVES,
    default: MEASURES.join(','),
    ...several(MEASURES),
    describe: 'what is measured: upload, download, latency (exchanges of one byte), handshakes'
  },
  size: {
    common: true,
    group: MOVES,
    default: '4MiB',
    ...size({ min: '1KiB', max: '64GiB' }),
    planKey: 'sizeBytes',
    only: ofMeasure('upload', 'download'),
    describe: 'bytes of a transfer, in all its streams together'
  },
  streams: {
    common: true,
    group: MOVES,
    default: '1,4,16',
    ...counts({ min: 1, max: 200, example: '1,4,16' }),
    only: ofMeasure('upload', 'download'),
    describe: 'streams of a transfer on each connection at once; of TCP, TLS and HTTP/1.1: connections'
  },
  connections: {
    common: true,
    group: MOVES,
    default: 1,
    ...wholeNumber(1, 64),
    only: ofMeasure('upload', 'download'),
    describe: 'connections of a transfer, each with --streams'
  },
  exchanges: {
    group: MOVES,
    default: 20,
    ...wholeNumber(1, 10_000),
    only: ofMeasure('latency'),
    describe: 'exchanges of one byte in each repeat, one after the other, on an open connection'
  },
  clients: {
    short: 'c',
    group: MOVES,
    default: 2,
    ...wholeNumber(1, 200),
    only: ofMeasure('handshakes'),
    describe: 'peers that open connections at once'
  },
  handshakeRate: {
    group: MOVES,
    default: '10/s',
    ...rate({ max: 1000 }),
    planKey: 'handshakeRatePerSecond',
    only: ofMeasure('handshakes'),
    describe:
      'connections that each of them opens, and closes when it is set up; they are due whatever became of those before'
  },
  handshakeFor: {
    group: MOVES,
    default: '1s',
    ...duration({ min: '100ms', max: '1h' }),
    planKey: 'handshakeForMs',
    only: ofMeasure('handshakes'),
    describe: 'how long they do so in each repeat'
  },
  stack: {
    group: PEERS,
    default: DEFAULT_STACK,
    ...several([...STACKS.keys()]),
    describe:
      'generations of libp2p, each with every security and muxer; both ends of our own server are of the same one'
  },
  security: {
    group: PEERS,
    default: 'noise',
    ...several(['noise', 'plaintext', 'tls']),
    describe: 'how connections of libp2p are secured'
  },
  muxer: {
    group: PEERS,
    default: 'yamux',
    ...several(['yamux', 'mplex']),
    describe: 'what makes streams of a connection of libp2p'
  },
  window: {
    group: PEERS,
    ...size({ min: '256KiB', max: '1GiB' }),
    planKey: 'windowBytes',
    describe:
      'window of a Yamux stream, at both ends of our own and fixed (default: it begins at 256KiB and grows to 16MiB)'
  },
  baselines: {
    group: PEERS,
    default: BASELINES.join(','),
    ...several(BASELINES, { orNone: true }),
    describe: 'what moves the same bytes without libp2p, in turn with it, or none; with --target: none'
  },
  target: {
    common: true,
    group: PEERS,
    ...targetAddress(),
    describe:
      'measure this peer, which speaks /perf/1.0.0, instead of a server of our own: a multiaddr with /tcp and /p2p'
  },
  targetPid: {
    group: PEERS,
    ...wholeNumber(1, 4_194_304),
    only: withTarget(),
    describe: 'with --target, the process whose CPU and memory are read'
  },
  iOwnTheTarget: {
    group: PEERS,
    default: false,
    ...yesOrNo(),
    only: withTarget(),
    describe: 'needed to measure a public address'
  },
  ...linkTable(LINE, 'a network namespace for each end, 0 the server'),
  latency: {
    common: true,
    group: LINE,
    default: '0',
    ...duration({ max: '10s' }),
    planKey: 'latencyMs',
    describe: 'one way, added to everything that is sent: a round trip takes twice as long'
  },
  bandwidth: {
    common: true,
    group: LINE,
    ...bandwidth({ min: '10KB/s', max: '10GB/s' }),
    planKey: 'bandwidthBytesPerSecond',
    default: '20MB/s',
    canBeOutOfForce: true,
    describe:
      'bytes a second over each connection, in each direction, between namespaces over all together; none: as fast as this machine can, which then is what is measured'
  },
  repeats: {
    common: true,
    group: GROUP.MEASURE,
    default: 6,
    ...wholeNumber(1, 1000),
    describe: 'how often each is measured, the ways in another order each time; fewer than 6 give no interval'
  },
  timeout: {
    group: GROUP.MEASURE,
    default: '60s',
    ...duration({ min: '100ms', max: '24h' }),
    planKey: 'timeoutMs',
    describe:
      'how long a transfer, an exchange or a handshake may take: then the run ends, with what was measured'
  },
  seed: {
    group: GROUP.MEASURE,
    default: 1,
    ...wholeNumber(0, 4_294_967_295),
    describe: 'of the order in which ways take turns'
  },
  threshold: {
    common: true,
    group: GROUP.VERDICT,
    defaultText: 'none',
    ...thresholds(PERF_FIGURES, false),
    planKey: 'thresholds',
    describe:
      'what a figure must be at the end, such as "download.rate > 50MB" (a second), or the exit code is 3; can be repeated'
  },
  ...STRICT,
  ...AGENT_OPTIONS,
  ...gateOptions(PERF_COMPARED),
  ...OUTPUT_OPTIONS
}
