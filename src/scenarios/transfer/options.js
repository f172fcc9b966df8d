// The table of all transfer options, from which flags, configuration files, validation and help are made.
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
const NETWORK = 'Network between the sides:'
const FILES = 'Files:'
const LIMITS = 'What the provider does at once:'
const DIAGNOSTICS = 'Diagnostics:'
const ZEROS = 'Uploads, downloads, latency and handshakes:'
const NODES = 'Nodes of perf:'

/** @param {...string} measures @returns {Condition} */
const requireMeasure = (...measures) => ({
  of: measures.join(' or '),
  needs: ['measures', 'protocols'],
  met: values => chooseMeasures(values).some(measure => measures.includes(measure)),
  otherwise: `needs ${measures.join(' or ')} in --measures`
})

/** @type {Condition} */
const REQUIRE_ZEROS = {
  ...requireMeasure('upload', 'download', 'latency', 'handshakes'),
  of: 'zeros',
  otherwise: 'does not apply with --measures files'
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
    defaultText: 'files; with perf, tcp, tls or http2: the other four',
    ...makeWordsKind(MEASURES),
    added: ['files'],
    describe:
      'what to measure: files, upload, download, latency, handshakes; files are fetched and checked; the others transfer zeros; latency: one-byte exchanges'
  },
  protocols: {
    common: true,
    formerly: ['ways'],
    planKey: 'ways',
    defaultText: CORE_PROTOCOLS.join(','),
    ...makeProtocolsKind(),
    describe: `protocols, measured in turn; files: ${FILE_PROTOCOLS.join(', ')}; zeros: ${ZEROS_PROTOCOLS.join(', ')}. See docs/transfer.md`
  },
  ...makeSection(PAYLOAD, requireMeasure('files'), {
    compareHttp: {
      unlisted: true,
      default: true,
      ...yesOrNo(),
      describe: 'include http in the protocols; use --protocols for a full list'
    },
    compareLibp2pHttp: {
      unlisted: true,
      default: true,
      ...yesOrNo(),
      describe: 'include libp2p-http in the protocols; use --protocols for a full list'
    }
  }),
  size: {
    common: true,
    default: '1MiB',
    ...size({ min: '1', max: '64GiB' }),
    planKey: 'sizeBytes',
    only: requireMeasure('files', 'upload', 'download'),
    describe: 'size of a file, or of all streams of zeros; file bytes follow from --seed'
  }
})

const NETWORK_OPTIONS = makeSection(NETWORK, undefined, {
  ...makeNamespaceOptions(NETWORK, 'Each side has a namespace, the provider 0'),
  security: {
    default: 'noise',
    ...makeWordsKind(['noise', 'plaintext', 'tls']),
    describe: 'libp2p encryption: noise, plaintext or tls; for perf also several in turn'
  },
  transport: {
    default: 'tcp',
    ...choice(['tcp', 'websocket', 'quic']),
    added: 'tcp',
    describe: 'libp2p transport: tcp, websocket or quic'
  },
  latencies: {
    common: true,
    formerly: ['latency'],
    default: '50ms',
    ...makeLatenciesKind({ max: '10s' }),
    planKey: 'latenciesMs',
    describe:
      'one-way latencies, joined by commas; a round for each latency and bandwidth (the source: 100ms,200ms,300ms)'
  },
  noLatencyCase: {
    family: 'latencies',
    member: 'zero',
    default: true,
    ...yesOrNo(),
    describe: 'also rounds without latency'
  },
  bandwidths: {
    common: true,
    formerly: ['bandwidth'],
    default: '10MB',
    ...makeBandwidthsKind({ min: '10kB', max: '100GB' }),
    describe:
      'upload bandwidths, joined by commas; in bytes/s; files: of each side; zeros: of each connection, between namespaces of all together (the source: 10M,1M,512kb)'
  },
  unlimitedBandwidthCase: {
    family: 'bandwidths',
    member: 'unlimited',
    default: true,
    ...yesOrNo(),
    describe: 'also rounds without a bandwidth limit'
  }
})

const FILE_OPTIONS = makeSection(FILES, requireMeasure('files'), {
  chunkSize: {
    family: 'unixfs',
    default: '1MiB',
    ...size({ min: '1KiB', max: '8MiB' }),
    planKey: 'chunkBytes',
    describe: 'bytes per leaf of the UnixFS tree (the source: 2^20)'
  },
  linksPerLevel: {
    family: 'unixfs',
    default: 1024,
    ...wholeNumber(2, 8192),
    describe: 'links per tree node, for wide or deep trees'
  },
  rawLeaves: {
    family: 'unixfs',
    default: true,
    ...yesOrNo(),
    describe: 'leaves are only bytes, otherwise wrapped in UnixFS nodes'
  },
  concurrency: {
    default: 1,
    ...wholeNumber(1, 500),
    describe: 'files that each requestor fetches in parallel'
  },
  requestors: {
    default: 1,
    ...wholeNumber(1, 32),
    describe: 'processes that fetch the same files in parallel from one provider'
  },
  store: {
    default: 'memory',
    ...choice(['memory', 'car', 'disk']),
    describe: 'where both sides keep blocks; memory; car: appended to one file; disk: a file per block'
  },
  maxMemoryPerPeer: {
    family: 'limits',
    group: LIMITS,
    default: '16MB',
    ...size({ min: '64KiB', max: '64GiB' }),
    planKey: 'maxMemoryPerPeerBytes',
    describe: 'bytes of blocks read for one requestor but not yet sent'
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
    describe: 'requests answered in parallel, while others wait and requestors take turns'
  },
  blockDiagnostics: {
    family: 'diagnostics',
    member: 'blocks',
    group: DIAGNOSTICS,
    default: false,
    ...yesOrNo(),
    describe:
      'record block times: queued, sent, received, stored. Of the first repeat of each protocol, as CSV file and plots'
  },
  traces: {
    group: DIAGNOSTICS,
    default: false,
    ...yesOrNo(),
    added: false,
    describe: "also write OpenTelemetry spans of transfers; OTLP JSON, in traces.jsonl of the run's folder"
  },
  otlpEndpoint: {
    group: DIAGNOSTICS,
    ...makeEndpointKind(),
    added: null,
    describe: 'URL for OpenTelemetry spans of transfers; OTLP by HTTP, JSON, such as http://127.0.0.1:4318'
  },
  memorySnapshots: {
    family: 'diagnostics',
    member: 'memory',
    group: DIAGNOSTICS,
    default: 'none',
    ...choice(['none', 'simple', 'detailed']),
    describe:
      "memory of each side before and after a full collection. simple: at each repeat's end, detailed: every 10 blocks, without times"
  }
})

const ZEROS_OPTIONS = makeSection(ZEROS, REQUIRE_ZEROS, {
  streams: {
    default: '1,4,16',
    ...makeCountsKind({ min: 1, max: 200, example: '1,4,16' }),
    only: requireMeasure('upload', 'download'),
    describe: 'parallel streams per connection; for TCP, TLS and HTTP/1.1: parallel connections'
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
    describe: 'one-byte exchanges per repeat, one after another, on an open connection'
  },
  clients: {
    short: 'c',
    default: 2,
    ...wholeNumber(1, 200),
    only: requireMeasure('handshakes'),
    describe: 'peers that open connections in parallel'
  },
  handshakeRate: {
    family: 'handshakes',
    member: 'rate',
    default: '10/s',
    ...rate({ max: 1000 }),
    planKey: 'handshakeRatePerSecond',
    only: requireMeasure('handshakes'),
    describe: 'open model: connections per client, each closed once it is set up'
  },
  handshakeFor: {
    family: 'handshakes',
    member: 'for',
    default: '1s',
    ...duration({ min: '100ms', max: '1h' }),
    planKey: 'handshakeForMs',
    only: requireMeasure('handshakes'),
    describe: 'how long connections are opened in each repeat'
  },
  stack: {
    group: NODES,
    default: DEFAULT_STACK,
    ...makeWordsKind([...STACKS.keys()]),
    describe: 'libp2p generations, each with every security and muxer; both our ends have the same'
  },
  muxer: {
    group: NODES,
    default: 'yamux',
    ...makeWordsKind(['yamux', 'mplex']),
    describe: 'stream multiplexers of libp2p connections: yamux, mplex'
  },
  window: {
    group: NODES,
    ...size({ min: '256KiB', max: '1GiB' }),
    planKey: 'windowBytes',
    describe: 'fixed Yamux window at our ends (default: grows from 256KiB to 16MiB)'
  },
  target: {
    group: NODES,
    ...targetAddress(),
    describe: 'multiaddr of a peer to measure instead of our provider; it needs /perf/1.0.0, /tcp and /p2p'
  },
  targetPid: {
    group: NODES,
    ...wholeNumber(1, 4_194_304),
    only: requireTarget(),
    describe: 'process whose CPU and memory are sampled; needs --target'
  },
  iOwnTheTarget: {
    group: NODES,
    default: false,
    ...yesOrNo(),
    only: requireTarget(),
    describe: 'allow a target with a public address'
  }
})

const MEASURE_OPTIONS = makeSection(OPTION_GROUPS.MEASURE, undefined, {
  repeats: {
    common: true,
    defaultText: 'zeros: 6; files: 4, with 3 protocols 6, with 5 protocols 10',
    ...wholeNumber(1, 1000),
    describe:
      'repeats of each protocol per round; in changing order (Latin squares). For files a multiple of the number of protocols'
  },
  timeout: {
    default: '60s',
    ...duration({ min: '100ms', max: '24h' }),
    planKey: 'timeoutMs',
    describe: 'maximum time of a transfer, exchange or handshake; beyond it the run fails'
  },
  seed: {
    default: 1,
    ...wholeNumber(0, 4_294_967_295),
    describe: 'seed of file contents and the order of protocols'
  },
  threshold: {
    common: true,
    group: OPTION_GROUPS.VERDICT,
    defaultText: 'none',
    ...thresholdsKind(TRANSFER_FIGURES, false),
    planKey: 'thresholds',
    describe:
      'required value, such as "factorToHttp.stream <= 3"; if not met, exit code 3. Other examples: "failedTransfers <= 0", "download.rate > 50MB" (per second). Can be repeated; judged at the end'
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
