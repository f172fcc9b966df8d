import { bytesIn, sizeText } from '../../../kit/units.js'
import { AGENT_OPTIONS } from '../../../plan/agents-option.js'
import { gateOptions } from '../../../plan/gate-options.js'
import { GROUP, OUTPUT_OPTIONS, STRICT } from '../../../plan/shared-options.js'
import { thresholds } from '../../../plan/threshold.js'
import { choice, duration, milliseconds, size, wholeNumber, yesOrNo } from '../../../plan/values.js'
import { linkTable } from '../../namespaces/link-table.js'
import { TRANSFER_COMPARED, TRANSFER_FIGURES } from '../figures.js'
import { CORE_WAYS, WAY_NAMES, wayLacks } from './ways.js'

/**
 * @typedef {import('../../../plan/values.js').Kind} Kind
 * @typedef {import('../../../plan/values.js').Zod} Zod
 */

/** @param {unknown} value @returns {string[]} the parts of a list, as typed or as in YAML */
const parts = value =>
  (Array.isArray(value) ? value : String(value).split(','))
    .map(part => String(part).trim())
    .filter(part => part !== '')

/** NONE is how an empty list is typed. */
const NONE = 'none'

/** @param {unknown} value */
const readParts = value => (value === NONE ? [] : parts(value))

/** @param {readonly unknown[]} list */
const isSet = list => new Set(list).size === list.length

/**
 * listOf takes several values joined by commas, each once.
 *
 * @param {object} of
 * @param {string} of.allowed
 * @param {(part: string) => unknown} of.read
 * @param {(value: any) => string} of.write
 * @param {(z: Zod) => import('zod').ZodType} of.item
 * @returns {Kind & { write: (list: readonly any[]) => string }}
 */
const listOf = ({ allowed, read, write, item }) => ({
  allowed,
  schema: z => z.preprocess(value => readParts(value).map(read), z.array(item(z)).max(64).refine(isSet)),
  write: list => (list.length === 0 ? NONE : list.map(write).join(','))
})

/** latencies takes one-way latencies. @param {{ max: string }} range */
export const latencies = ({ max }) =>
  listOf({
    allowed: `must be times with their unit above 0 up to ${max}, each once, joined by commas, such as 100ms,200ms; or none`,
    read: milliseconds,
    write: ms => `${ms}ms`,
    item: z => z.number().positive().max(milliseconds(max))
  })

/** bandwidths takes amounts of bytes per second. @param {{ min: string, max: string }} range */
export const bandwidths = ({ min, max }) =>
  listOf({
    allowed: `must be bytes per second from ${min} to ${max}, each once, joined by commas, such as 10M,1M,512kb; or none`,
    read: bytesIn,
    write: sizeText,
    item: z => z.int().min(bytesIn(min)).max(bytesIn(max))
  })

/**
 * someOf takes some of a few words, each once.
 *
 * @param {readonly string[]} words
 * @param {(word: string) => string | null} refused - why one cannot be used here
 * @returns {Kind & { write: (list: readonly string[]) => string }}
 */
export function someOf(words, refused) {
  const allowed = `must be some of ${words.join(', ')}, each once, joined by commas`
  const schema = (/** @type {Zod} */ z) => z.preprocess(parts, z.array(z.enum(words)).min(1).refine(isSet))
  return {
    allowed,
    schema,
    read: (raw, z) => {
      const { success, data } = schema(z).safeParse(raw)
      if (!success) return { allowed }
      const why = /** @type {string[]} */ (data).map(refused).filter(each => each !== null)
      return why.length === 0 ? { value: data } : { allowed: why.join('; ') }
    },
    write: list => list.join(',')
  }
}

/** Where a collector of OTLP takes traces, unless it is said (specification of the OTLP exporter). */
const PATH = '/v1/traces'

/** @param {string} text @returns {string | null} */
function urlOf(text) {
  const url = URL.canParse(text) ? new URL(text) : null
  if (url === null || !/^https?:$/.test(url.protocol)) return null
  return url.pathname === '/' ? new URL(PATH, url).href : url.href
}

/** endpoint takes the URL of a collector of OTLP, where traces go to /v1/traces unless a path is given. @returns {import('../../../plan/values.js').Kind} */
export const endpoint = () => ({
  allowed: `must be a URL with http or https, such as http://127.0.0.1:4318 (traces go to ${PATH} there, unless it has a path)`,
  schema: z => z.preprocess(text => urlOf(String(text)), z.string())
})

/** @typedef {import('../../../plan/option.js').Option} Option */

const FILES = 'The files:'
const NETWORK = 'What is between the sides:'
const WAYS = 'How the bytes move:'
const LIMITS = 'What the provider does at once:'
const DIAGNOSTICS = 'What is looked at beside:'

/** @type {Readonly<Record<string, Readonly<Option>>>} */
const FILE_OPTIONS = {
  size: {
    common: true,
    group: FILES,
    default: '1MiB',
    ...size({ min: '1', max: '64GiB' }),
    planKey: 'sizeBytes',
    describe: 'size of a file; its bytes come from --seed'
  },
  chunkSize: {
    group: FILES,
    default: '1MiB',
    ...size({ min: '1KiB', max: '8MiB' }),
    planKey: 'chunkBytes',
    describe: 'bytes of a leaf of the UnixFS tree (the source: 2^20)'
  },
  linksPerLevel: {
    group: FILES,
    default: 1024,
    ...wholeNumber(2, 8192),
    describe: 'links of a node of the tree: wide or deep'
  },
  rawLeaves: {
    group: FILES,
    default: true,
    ...yesOrNo(),
    describe: 'leaves are bytes alone; else each is wrapped in a node of UnixFS'
  },
  concurrency: {
    group: FILES,
    default: 1,
    ...wholeNumber(1, 500),
    describe: 'files that each requestor fetches at once'
  },
  requestors: {
    group: FILES,
    default: 1,
    ...wholeNumber(1, 32),
    describe: 'processes that fetch the same files from the one provider at once'
  },
  store: {
    group: FILES,
    default: 'memory',
    ...choice(['memory', 'car', 'disk']),
    describe: 'where both sides keep blocks: memory; car: appended to one file; disk: a file for each'
  }
}

/** @type {Readonly<Record<string, Readonly<Option>>>} */
const NETWORK_OPTIONS = {
  ...linkTable(NETWORK, 'a network namespace for each side, 0 the provider'),
  security: {
    group: NETWORK,
    default: 'noise',
    ...choice(['noise', 'plaintext', 'tls']),
    describe: 'how connections of libp2p are secured'
  },
  transport: {
    group: NETWORK,
    default: 'tcp',
    ...choice(['tcp', 'websocket', 'quic']),
    describe: 'of libp2p'
  },
  latencies: {
    common: true,
    group: NETWORK,
    default: '50ms',
    ...latencies({ max: '10s' }),
    planKey: 'latenciesMs',
    describe:
      'one-way latencies, joined by commas; with each bandwidth a round (the source: 100ms,200ms,300ms)'
  },
  noLatencyCase: {
    group: NETWORK,
    default: true,
    ...yesOrNo(),
    describe: 'rounds without latency, too'
  },
  bandwidths: {
    common: true,
    group: NETWORK,
    default: '10MB',
    ...bandwidths({ min: '10kB', max: '100GB' }),
    describe: 'bytes per second each side can send, joined by commas (the source: 10M,1M,512kb)'
  },
  unlimitedBandwidthCase: {
    group: NETWORK,
    default: true,
    ...yesOrNo(),
    describe: 'rounds without a limit, too'
  }
}

/** @type {Readonly<Record<string, Readonly<Option>>>} */
const WAY_OPTIONS = {
  ways: {
    common: true,
    group: WAYS,
    defaultText: CORE_WAYS.join(','),
    ...someOf(WAY_NAMES, way => wayLacks(/** @type {import('./ways.js').Way} */ (way))),
    describe: `ways that take turns: ${WAY_NAMES.join(', ')}; see docs/transfer.md`
  },
  compareHttp: {
    group: WAYS,
    default: true,
    ...yesOrNo(),
    describe: 'http is among the ways; for all of them say --ways'
  },
  compareLibp2pHttp: {
    group: WAYS,
    default: true,
    ...yesOrNo(),
    describe: 'libp2p-http is among the ways; for all of them say --ways'
  }
}

/** @type {Readonly<Record<string, Readonly<Option>>>} */
const LIMIT_OPTIONS = {
  maxMemoryPerPeer: {
    group: LIMITS,
    default: '16MB',
    ...size({ min: '64KiB', max: '64GiB' }),
    planKey: 'maxMemoryPerPeerBytes',
    describe: 'bytes of blocks that were read for one requestor and have not left for its socket'
  },
  maxMemoryTotal: {
    group: LIMITS,
    default: '256MB',
    ...size({ min: '64KiB', max: '64GiB' }),
    planKey: 'maxMemoryTotalBytes',
    describe: 'the same for all requestors together'
  },
  maxInProgressRequests: {
    group: LIMITS,
    default: 6,
    ...wholeNumber(1, 10_000),
    describe: 'requests that are answered at once; others wait, and are taken from the requestors in turn'
  }
}

/** @type {Readonly<Record<string, Readonly<Option>>>} */
const MEASURE_OPTIONS = {
  repeats: {
    common: true,
    group: GROUP.MEASURE,
    defaultText: 'the least from 4 on that is a multiple of the ways, of an odd number of them of twice that',
    ...wholeNumber(1, 1000),
    describe:
      'of each way in each round, in an order that changes (Latin squares): a multiple of the number of ways'
  },
  timeout: {
    group: GROUP.MEASURE,
    default: '60s',
    ...duration({ min: '100ms', max: '24h' }),
    planKey: 'timeoutMs',
    describe: 'how long a transfer may take before the run fails'
  },
  seed: {
    group: GROUP.MEASURE,
    default: 1,
    ...wholeNumber(0, 4_294_967_295),
    describe: 'of the bytes of the files, and of the order of the ways'
  },
  threshold: {
    common: true,
    group: GROUP.VERDICT,
    defaultText: 'none',
    ...thresholds(TRANSFER_FIGURES, false),
    planKey: 'thresholds',
    describe:
      'what a figure must be, such as "factorToHttp.stream <= 3" or "failedTransfers <= 0", or the exit code is 3; can be repeated; judged at the end'
  }
}

/** @type {Readonly<Record<string, Readonly<Option>>>} */
const DIAGNOSTIC_OPTIONS = {
  blockDiagnostics: {
    group: DIAGNOSTICS,
    default: false,
    ...yesOrNo(),
    describe:
      'when each block was queued, sent, received and stored, in the first repeat of each way: a CSV file and plots'
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
    ...endpoint(),
    added: null,
    describe: 'send the same spans to this URL (OTLP by HTTP, JSON), such as http://127.0.0.1:4318'
  },
  memorySnapshots: {
    group: DIAGNOSTICS,
    default: 'none',
    ...choice(['none', 'simple', 'detailed']),
    describe:
      'readings of the memory of each side, before and after a full collection: at the end of each repeat, or after every 10 blocks (no times are given then)'
  }
}

/** TRANSFER_OPTIONS is the table of the options of transfers. @type {import('../../../plan/read-options.js').OptionTable} */
export const TRANSFER_OPTIONS = {
  ...FILE_OPTIONS,
  ...NETWORK_OPTIONS,
  ...WAY_OPTIONS,
  ...LIMIT_OPTIONS,
  ...DIAGNOSTIC_OPTIONS,
  ...MEASURE_OPTIONS,
  ...STRICT,
  ...AGENT_OPTIONS,
  ...gateOptions(TRANSFER_COMPARED),
  ...OUTPUT_OPTIONS
}
