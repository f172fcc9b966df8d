// The options of a transfer.
import { omitMissing } from '../../kit/collections.js'
import { formatSize, parseBytes } from '../../kit/numbers.js'
import { DEFAULT_STACK, STACKS } from '../../libp2p/stacks.js'
import { AGENT_OPTIONS } from '../../plan/agents.js'
import { makeVerdictOptions } from '../../plan/fail-rules.js'
import { OPTION_GROUPS, OUTPUT_OPTIONS, STRICT_OPTION } from '../../plan/options.js'
import { thresholdsKind } from '../../plan/threshold.js'
import {
  choice,
  duration,
  milliseconds,
  rate,
  size,
  targetAddress,
  wholeNumber,
  yesOrNo
} from '../../plan/values.js'
import { requireTarget } from '../conditions.js'
import { makeNamespaceOptions } from '../network-options.js'
import { TRANSFER_COMPARED, TRANSFER_FIGURES } from './figures.js'
import {
  CORE_PROTOCOLS,
  chooseMeasures,
  FILE_PROTOCOLS,
  findProtocolProblem,
  MEASURES,
  PROTOCOL_NAMES,
  ZEROS_PROTOCOLS
} from './plan/transfer-plan.js'

/**
 * @typedef {import('../../plan/values.js').OptionValueKind} OptionValueKind
 * @typedef {import('../../plan/values.js').Zod} Zod
 */

/** An empty list, as it is typed. */
const EMPTY_LIST = 'none'

/** @param {unknown} value @returns {string[]} the parts of a list, as typed or as in YAML */
const splitList = value =>
  (Array.isArray(value) ? value : String(value).split(','))
    .map(part => String(part).trim())
    .filter(part => part !== '')

/**
 * makeListKind is the kind of an option with several different values, joined by commas.
 *
 * @param {object} of
 * @param {string} of.allowed
 * @param {(z: Zod) => import('zod').ZodType} of.item
 * @param {(part: string) => any} [of.read]
 * @param {(value: any) => string} [of.write]
 * @param {number} [of.min] - values at least; default: none
 * @param {(list: any[]) => any[]} [of.ordered] - default: as they are typed
 * @returns {OptionValueKind & { write: (list: readonly any[]) => string }}
 */
const makeListKind = ({ allowed, item, read = String, write = String, min = 0, ordered = list => list }) => ({
  allowed,
  schema: z =>
    z.preprocess(
      value => ordered((value === EMPTY_LIST && min === 0 ? [] : splitList(value)).map(read)),
      z
        .array(item(z))
        .min(min)
        .max(64)
        .refine(list => new Set(list).size === list.length)
    ),
  write: list => (list.length === 0 ? EMPTY_LIST : list.map(write).join(','))
})

/** One-way latencies. @param {{ max: string }} range */
const makeLatenciesKind = ({ max }) =>
  makeListKind({
    allowed: `must be times with their unit above 0 up to ${max}, each once, joined by commas, such as 100ms,200ms; or none`,
    read: milliseconds,
    write: ms => `${ms}ms`,
    item: z => z.number().positive().max(milliseconds(max))
  })

/** Bytes per second. @param {{ min: string, max: string }} range */
const makeBandwidthsKind = ({ min, max }) =>
  makeListKind({
    allowed: `must be bytes per second from ${min} to ${max}, each once, joined by commas, such as 10M,1M,512kb; or none`,
    read: text => parseBytes(text.replace(/ ?\/ ?s$/i, '')),
    write: formatSize,
    item: z => z.int().min(parseBytes(min)).max(parseBytes(max))
  })

/** Whole numbers in ascending order. @param {{ min: number, max: number, example: string }} range */
const makeCountsKind = ({ min, max, example }) =>
  makeListKind({
    allowed: `must be whole numbers from ${min} to ${max}, joined by commas, such as ${example}`,
    min: 1,
    read: part => (/^\d+$/.test(part) ? Number(part) : Number.NaN),
    item: z => z.int().min(min).max(max),
    ordered: numbers => [...new Set(numbers)].sort((a, b) => a - b)
  })

/** Some of these words, sorted as they are listed here. @param {readonly string[]} words */
const makeWordsKind = words =>
  makeListKind({
    allowed: `must be ${words.join(', ').replace(/, (?=[^,]*$)/, ' or ')}, or several joined by a comma`,
    min: 1,
    item: z => z.enum(words),
    ordered: chosen => chosen.toSorted((a, b) => words.indexOf(a) - words.indexOf(b))
  })

/** Protocols that can be used on this machine. @returns {ReturnType<typeof makeListKind>} */
function makeProtocolsKind() {
  const allowed = `must be some of ${PROTOCOL_NAMES.join(', ')}, each once, joined by commas`
  const kind = makeListKind({ allowed, min: 1, item: z => z.enum(PROTOCOL_NAMES) })
  return {
    ...kind,
    read: (raw, z) => {
      const { success, data } = kind.schema(z, /** @type {any} */ (null)).safeParse(raw)
      if (!success) return { allowed }
      const why = omitMissing(/** @type {any[]} */ (data).map(name => findProtocolProblem(name)))
      return why.length === 0 ? { value: data } : { allowed: why.join('; ') }
    }
  }
}

/** Path for traces at a collector, by default (specification of the OTLP exporter). */
const PATH = '/v1/traces'

/** makeEndpointKind is the kind of an option with the URL of an OTLP collector. @returns {OptionValueKind} */
const makeEndpointKind = () => ({
  allowed: `must be a URL with http or https, such as http://127.0.0.1:4318 (traces go to ${PATH} there, unless it has a path)`,
  schema: z =>
    z.preprocess(value => {
      const url = URL.canParse(String(value)) ? new URL(String(value)) : null
      if (url === null || !/^https?:$/.test(url.protocol)) return null
      return url.pathname === '/' ? new URL(PATH, url).href : url.href
    }, z.string())
})

/**
 * @typedef {import('../../plan/options.js').Option} Option
 * @typedef {import('../../plan/options.js').Condition} Condition
 * @typedef {import('../../plan/plan.js').OptionTable} OptionTable
 */

const PAYLOAD = 'What moves, and how:'
const NETWORK = 'What is between the sides:'
const FILES = 'Files:'
const LIMITS = 'What the provider does at once:'
const DIAGNOSTICS = 'What is looked at beside:'
const ZEROS = 'Uploads, downloads, latency and handshakes:'
const NODES = 'Nodes of perf:'

/** @param {...string} measures @returns {Condition} */
const requireMeasure = (...measures) => ({
  of: measures.join(' or '),
  needs: ['measures', 'protocols'],
  met: values => chooseMeasures(values).some(measure => measures.includes(measure)),
  otherwise: `has no use without ${measures.join(' or ')} among --measures`
})

/** @type {Condition} */
const REQUIRE_ZEROS = {
  ...requireMeasure('upload', 'download', 'latency', 'handshakes'),
  of: 'zeros',
  otherwise: 'has no use with --measures files'
}

/**
 * makeSection gives options their group in --help, if they have none. Options with a condition are of some plans only.
 *
 * @param {string} group
 * @param {Condition | undefined} only
 * @param {Readonly<Record<string, Omit<Option, 'group'> & { group?: string }>>} options
 * @returns {OptionTable}
 */
const makeSection = (group, only, options) =>
  Object.fromEntries(
    Object.entries(options).map(([name, option]) => [
      name,
      { group, ...(only && { only, ofSomePlans: true }), ...option }
    ])
  )

const MOVED_OPTIONS = makeSection(PAYLOAD, undefined, {
  measures: {
    common: true,
    defaultText: 'files, by protocols of zeros all the others',
    ...makeWordsKind(MEASURES),
    added: ['files'],
    describe:
      'what is measured: files, fetched whole and checked; or zeros: upload, download, latency (exchanges of one byte), handshakes'
  },
  protocols: {
    common: true,
    formerly: ['ways'],
    planKey: 'ways',
    defaultText: CORE_PROTOCOLS.join(','),
    ...makeProtocolsKind(),
    describe: `protocols that take turns: of files ${FILE_PROTOCOLS.join(', ')}, of zeros ${ZEROS_PROTOCOLS.join(', ')}; see docs/transfer.md`
  },
  ...makeSection(PAYLOAD, requireMeasure('files'), {
    compareHttp: {
      unlisted: true,
      default: true,
      ...yesOrNo(),
      describe: 'http is among the protocols; for all of them say --protocols'
    },
    compareLibp2pHttp: {
      unlisted: true,
      default: true,
      ...yesOrNo(),
      describe: 'libp2p-http is among the protocols; for all of them say --protocols'
    }
  }),
  size: {
    common: true,
    default: '1MiB',
    ...size({ min: '1', max: '64GiB' }),
    planKey: 'sizeBytes',
    only: requireMeasure('files', 'upload', 'download'),
    describe: 'size of a file, whose bytes come from --seed; of zeros, in all streams together'
  }
})

const NETWORK_OPTIONS = makeSection(NETWORK, undefined, {
  ...makeNamespaceOptions(NETWORK, 'a network namespace for each side, 0 the provider'),
  security: {
    default: 'noise',
    ...makeWordsKind(['noise', 'plaintext', 'tls']),
    describe: 'how connections of libp2p are secured; of perf several take turns'
  },
  transport: {
    default: 'tcp',
    ...choice(['tcp', 'websocket', 'quic']),
    added: 'tcp',
    describe: 'of libp2p'
  },
  latencies: {
    common: true,
    formerly: ['latency'],
    default: '50ms',
    ...makeLatenciesKind({ max: '10s' }),
    planKey: 'latenciesMs',
    describe:
      'one-way latencies, joined by commas; with each bandwidth a round (the source: 100ms,200ms,300ms)'
  },
  noLatencyCase: {
    family: 'latencies',
    member: 'zero',
    default: true,
    ...yesOrNo(),
    describe: 'rounds without latency, too'
  },
  bandwidths: {
    common: true,
    formerly: ['bandwidth'],
    default: '10MB',
    ...makeBandwidthsKind({ min: '10kB', max: '100GB' }),
    describe:
      'bytes per second each side can send, of zeros over each connection, between namespaces over all together, joined by commas (the source: 10M,1M,512kb)'
  },
  unlimitedBandwidthCase: {
    family: 'bandwidths',
    member: 'unlimited',
    default: true,
    ...yesOrNo(),
    describe: 'rounds without a limit, too'
  }
})

const FILE_OPTIONS = makeSection(FILES, requireMeasure('files'), {
  chunkSize: {
    family: 'unixfs',
    default: '1MiB',
    ...size({ min: '1KiB', max: '8MiB' }),
    planKey: 'chunkBytes',
    describe: 'bytes of a leaf of the UnixFS tree (the source: 2^20)'
  },
  linksPerLevel: {
    family: 'unixfs',
    default: 1024,
    ...wholeNumber(2, 8192),
    describe: 'links of a node of the tree: wide or deep'
  },
  rawLeaves: {
    family: 'unixfs',
    default: true,
    ...yesOrNo(),
    describe: 'leaves are bytes alone; else each is wrapped in a node of UnixFS'
  },
  concurrency: {
    default: 1,
    ...wholeNumber(1, 500),
    describe: 'files that each requestor fetches at once'
  },
  requestors: {
    default: 1,
    ...wholeNumber(1, 32),
    describe: 'processes that fetch the same files from the one provider at once'
  },
  store: {
    default: 'memory',
    ...choice(['memory', 'car', 'disk']),
    describe: 'where both sides keep blocks: memory; car: appended to one file; disk: a file for each'
  },
  maxMemoryPerPeer: {
    family: 'limits',
    group: LIMITS,
    default: '16MB',
    ...size({ min: '64KiB', max: '64GiB' }),
    planKey: 'maxMemoryPerPeerBytes',
    describe: 'bytes of blocks that were read for one requestor and have not left for its socket'
  },
  maxMemoryTotal: {
    family: 'limits',
    group: LIMITS,
    default: '256MB',
    ...size({ min: '64KiB', max: '64GiB' }),
    planKey: 'maxMemoryTotalBytes',
    describe: 'the same for all requestors together'
  },
  maxInProgressRequests: {
    family: 'limits',
    group: LIMITS,
    default: 6,
    ...wholeNumber(1, 10_000),
    describe: 'requests that are answered at once; others wait, and are taken from the requestors in turn'
  },
  blockDiagnostics: {
    family: 'diagnostics',
    member: 'blocks',
    group: DIAGNOSTICS,
    default: false,
    ...yesOrNo(),
    describe:
      'when each block was queued, sent, received and stored, in the first repeat of each protocol: a CSV file and plots'
  },
  traces: {
    group: DIAGNOSTICS,
    default: false,
    ...yesOrNo(),
    added: false,
    describe:
      "also keep a trace of every transfer: spans of OpenTelemetry (OTLP, JSON) in traces.jsonl of the run's folder"
  },
  otlpEndpoint: {
    group: DIAGNOSTICS,
    ...makeEndpointKind(),
    added: null,
    describe: 'send the same spans to this URL (OTLP by HTTP, JSON), such as http://127.0.0.1:4318'
  },
  memorySnapshots: {
    family: 'diagnostics',
    member: 'memory',
    group: DIAGNOSTICS,
    default: 'none',
    ...choice(['none', 'simple', 'detailed']),
    describe:
      'readings of the memory of each side, before and after a full collection: at the end of each repeat, or after every 10 blocks (no times are given then)'
  }
})

const ZEROS_OPTIONS = makeSection(ZEROS, REQUIRE_ZEROS, {
  streams: {
    default: '1,4,16',
    ...makeCountsKind({ min: 1, max: 200, example: '1,4,16' }),
    only: requireMeasure('upload', 'download'),
    describe: 'streams of a transfer on each connection at once; of TCP, TLS and HTTP/1.1: connections'
  },
  connections: {
    default: 1,
    ...wholeNumber(1, 64),
    only: requireMeasure('upload', 'download'),
    describe: 'connections of a transfer, each with --streams'
  },
  exchanges: {
    default: 20,
    ...wholeNumber(1, 10_000),
    only: requireMeasure('latency'),
    describe: 'exchanges of one byte in each repeat, one after the other, on an open connection'
  },
  clients: {
    short: 'c',
    default: 2,
    ...wholeNumber(1, 200),
    only: requireMeasure('handshakes'),
    describe: 'peers that open connections at once'
  },
  handshakeRate: {
    family: 'handshakes',
    member: 'rate',
    default: '10/s',
    ...rate({ max: 1000 }),
    planKey: 'handshakeRatePerSecond',
    only: requireMeasure('handshakes'),
    describe:
      'connections that each of them opens, and closes when it is set up; they are due whatever became of those before'
  },
  handshakeFor: {
    family: 'handshakes',
    member: 'for',
    default: '1s',
    ...duration({ min: '100ms', max: '1h' }),
    planKey: 'handshakeForMs',
    only: requireMeasure('handshakes'),
    describe: 'how long they do so in each repeat'
  },
  stack: {
    group: NODES,
    default: DEFAULT_STACK,
    ...makeWordsKind([...STACKS.keys()]),
    describe:
      'generations of libp2p, each with every security and muxer; both ends of our own are of the same one'
  },
  muxer: {
    group: NODES,
    default: 'yamux',
    ...makeWordsKind(['yamux', 'mplex']),
    describe: 'what makes streams of a connection of libp2p'
  },
  window: {
    group: NODES,
    ...size({ min: '256KiB', max: '1GiB' }),
    planKey: 'windowBytes',
    describe:
      'window of a Yamux stream, at both ends of our own and fixed (default: it begins at 256KiB and grows to 16MiB)'
  },
  target: {
    group: NODES,
    ...targetAddress(),
    describe:
      'measure this peer, which speaks /perf/1.0.0, instead of a provider of our own: a multiaddr with /tcp and /p2p'
  },
  targetPid: {
    group: NODES,
    ...wholeNumber(1, 4_194_304),
    only: requireTarget(),
    describe: 'with --target, the process whose CPU and memory are read'
  },
  iOwnTheTarget: {
    group: NODES,
    default: false,
    ...yesOrNo(),
    only: requireTarget(),
    describe: 'needed to measure a public address'
  }
})

const MEASURE_OPTIONS = makeSection(OPTION_GROUPS.MEASURE, undefined, {
  repeats: {
    common: true,
    defaultText:
      'the least from 4 on that is a multiple of the protocols, of an odd number of them of twice that; of zeros 6',
    ...wholeNumber(1, 1000),
    describe:
      'of each protocol in each round, in an order that changes (Latin squares): of files a multiple of the number of protocols'
  },
  timeout: {
    default: '60s',
    ...duration({ min: '100ms', max: '24h' }),
    planKey: 'timeoutMs',
    describe: 'how long a transfer, an exchange or a handshake may take before the run fails'
  },
  seed: {
    default: 1,
    ...wholeNumber(0, 4_294_967_295),
    describe: 'of the bytes of the files, and of the order of the protocols'
  },
  threshold: {
    common: true,
    group: OPTION_GROUPS.VERDICT,
    defaultText: 'none',
    ...thresholdsKind(TRANSFER_FIGURES, false),
    planKey: 'thresholds',
    describe:
      'what a figure must be, such as "factorToHttp.stream <= 3", "failedTransfers <= 0" or "download.rate > 50MB" (a second), or the exit code is 3; can be repeated; judged at the end'
  }
})

/** TRANSFER_OPTIONS is the table of the options of transfers. @type {import('../../plan/plan.js').OptionTable} */
export const TRANSFER_OPTIONS = {
  ...MOVED_OPTIONS,
  ...NETWORK_OPTIONS,
  ...FILE_OPTIONS,
  ...ZEROS_OPTIONS,
  ...MEASURE_OPTIONS,
  ...STRICT_OPTION,
  ...AGENT_OPTIONS,
  ...makeVerdictOptions(TRANSFER_COMPARED),
  ...OUTPUT_OPTIONS
}
