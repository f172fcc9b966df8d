// Takes CPU and heap profiles of a run's processes, and reduces them to hot spots by function, package and category.
import { join } from 'node:path'
import { computeSum } from '../kit/collections.js'
import { HEAP_INTERVAL_BYTES } from '../measure/process-profile.js'

/**
 * @typedef {import('../measure/process-profile.js').ProcessProfile} ProcessProfile
 * @typedef {import('../plan/options.js').Profilable} Profilable
 * @typedef {import('../report/schema.js').Warning} Warning
 *
 * @typedef {'workers' | 'server'} ProcessKind - whose processes
 * @typedef {import('../report/schema.js').Shape<import('zod').ZodObject<typeof import('./profile-description.js').sampledShape>>} ProfileSummary - of several
 *   processes
 * @typedef {NonNullable<ProfileSummary['profile']>} CpuSummary - what CPU time was spent on
 * @typedef {NonNullable<ProfileSummary['allocations']>} AllocationSummary
 *
 * @typedef {object} TakenProfile - the profile of one process
 * @property {ProcessKind} of
 * @property {number} number
 * @property {Profilable} what
 * @property {any} profile
 * @property {string} file
 * @property {string | null} error - why the file could not be written
 */

/** Time between two samples of a CPU. A shorter interval costs more than it shows. */
const INTERVAL_MICROS = 1000

/** @type {Readonly<Record<ProcessKind, string>>} */
const NAMES = { workers: 'worker', server: 'server' }

/** Profiles samples the CPU time and the allocations of processes during a measurement. */
export class Profiles {
  #what
  #folder
  /** @type {{ of: ProcessKind, number: number, process: ProcessProfile }[]} */
  #processes = []
  /** @type {TakenProfile[]} */
  #taken = []
  /** @type {Promise<void> | null} */
  #stopping = null

  /**
   * @param {readonly Profilable[]} what
   * @param {string | null} folder - for the files of the profiles; null: none are written
   */
  constructor(what, folder) {
    this.#what = what
    this.#folder = folder
  }

  /** start begins to sample. @param {Partial<Record<ProcessKind, readonly ProcessProfile[]>>} processes */
  async start(processes) {
    this.#processes = Object.entries(processes).flatMap(([of, all]) =>
      all.map((process, number) => ({ of: /** @type {ProcessKind} */ (of), number, process }))
    )
    await Promise.all(
      this.#processes.flatMap(({ process }) =>
        this.#what.map(what =>
          what === 'cpu' ? process.startProfile(INTERVAL_MICROS) : process.startAllocations()
        )
      )
    )
  }

  /** stop ends sampling, then reads the profiles of the processes that still run. @returns {Promise<void>} */
  stop() {
    this.#stopping ??= this.#read()
    return this.#stopping
  }

  async #read() {
    await Promise.allSettled(
      this.#processes.flatMap(({ of, number, process }) =>
        this.#what.map(async what => {
          const file = `${NAMES[of]}-${number}.${what}profile`
          const path = this.#folder === null ? null : join(this.#folder, file)
          const taken = await (what === 'cpu' ? process.stopProfile(path) : process.stopAllocations(path))
          this.#taken.push({ of, number, what, file, ...taken })
        })
      )
    )
    this.#taken.sort((a, b) => a.number - b.number)
  }

  /** warnings name the files that could not be written. @returns {Warning[]} */
  get warnings() {
    return this.#taken.flatMap(({ of, number, error }) =>
      error === null
        ? []
        : [{ code: 'PROFILE_NOT_WRITTEN', values: { process: `${NAMES[of]} ${number}`, error } }]
    )
  }

  /** sampledOf summarizes the profiles so far. @param {ProcessKind} of @returns {ProfileSummary} */
  sampledOf(of) {
    const cpu = this.#of(of, 'cpu')
    const heap = this.#of(of, 'heap')
    return {
      ...(cpu.workers.length > 0 && {
        profile: {
          hotSpots: findHotSpots(cpu.profiles),
          folded: foldProfiles(cpu.profiles),
          files: cpu.files,
          workers: cpu.workers,
          intervalMicros: INTERVAL_MICROS
        }
      }),
      ...(heap.workers.length > 0 && {
        allocations: {
          ...sumAllocations(heap.profiles),
          files: heap.files,
          workers: heap.workers,
          intervalBytes: HEAP_INTERVAL_BYTES
        }
      })
    }
  }

  /** @param {ProcessKind} of @param {Profilable} what */
  #of(of, what) {
    const taken = this.#taken.filter(each => each.of === of && each.what === what)
    return {
      profiles: taken.map(({ profile }) => profile),
      workers: taken.map(({ number }) => number),
      files: taken.flatMap(({ file, error }) => (this.#folder === null || error !== null ? [] : [file]))
    }
  }
}

/**
 * @typedef {import('../measure/process-profile.js').CpuProfile} CpuProfile
 * @typedef {CpuSummary['hotSpots']} HotSpots
 * @typedef {HotSpots['categories'][number]} CategoryShares
 * @typedef {HotSpots['packages'][number]} PackageShares
 * @typedef {HotSpots['functions'][number]} FunctionShares
 * @typedef {Pick<CategoryShares, 'selfShare' | 'totalShare'>} TimeShares - from 0 to 1
 */

const MAX_FUNCTIONS = 50

/**
 * sumShares sums the time of calls by a label. Time counts once for a label, however often the label is in a stack.
 *
 * @template {object} Label
 * @param {Call[]} calls
 * @param {(call: Call) => Label} labelOf
 * @returns {(Label & TimeShares)[]} the most self time first
 */
function sumShares(calls, labelOf) {
  /** @type {Map<string, { label: Label, selfMicros: number, totalMicros: number, open: number }>} `open`: in this stack */
  const sums = new Map()
  const add = (/** @type {Call} */ call) => {
    const label = labelOf(call)
    const key = Object.values(label).join('\n')
    const sum = sums.get(key) ?? { label, selfMicros: 0, totalMicros: 0, open: 0 }
    sums.set(key, sum)
    sum.selfMicros += call.selfMicros
    if (sum.open === 0) sum.totalMicros += call.totalMicros
    sum.open++
    for (const child of call.children.values()) add(child)
    sum.open--
  }
  calls.forEach(add)
  const busyMicros = sumMicros(calls)
  return [...sums]
    .filter(([, { totalMicros }]) => totalMicros > 0)
    .sort(
      ([a, x], [b, y]) => y.selfMicros - x.selfMicros || y.totalMicros - x.totalMicros || (a < b ? -1 : 1)
    )
    .map(([, { label, selfMicros, totalMicros }]) => ({
      ...label,
      selfShare: selfMicros / busyMicros,
      totalShare: totalMicros / busyMicros
    }))
}

/** @param {Call[]} calls */
const sumMicros = calls => computeSum(calls, ({ totalMicros }) => totalMicros)

/** @param {Call} call @returns {number} */
const countSamples = call => call.samples + computeSum([...call.children.values()], countSamples)

/**
 * findHotSpots summarizes where the CPU time of processes went. Shares are of the time that was not idle, so that runs of different load can
 * be compared. The idle share is a figure of its own.
 *
 * Total shares of what starts work (`runtime`, `socket`, `events`) are large, for they call the rest.
 *
 * @param {CpuProfile[]} profiles - of one run, one for each process
 * @param {{ root?: string }} [options] - see mergeProfiles
 * @returns {HotSpots}
 */
export function findHotSpots(profiles, options) {
  const tree = mergeProfiles(profiles, options)
  const busy = [...tree.children.values()].filter(call => call.category !== 'idle')
  const busyShare = tree.totalMicros === 0 ? 0 : sumMicros(busy) / tree.totalMicros
  return {
    samples: countSamples(tree),
    durationMs: tree.totalMicros / 1000,
    busyShare,
    idleShare: tree.totalMicros === 0 ? 0 : 1 - busyShare,
    categories: sumShares(busy, call => ({ category: call.category })),
    packages: sumShares(busy, call => ({ package: call.package })),
    functions: sumShares(busy, ({ function: name, package: from, category, url, line }) => ({
      function: name,
      package: from,
      category,
      url,
      line
    }))
      .filter(({ selfShare }) => selfShare > 0)
      .slice(0, MAX_FUNCTIONS)
  }
}

/**
 * @typedef {object} HotSpotDifference
 * @property {Category} category
 * @property {{ selfShare: number, totalShare: number }} base
 * @property {{ selfShare: number, totalShare: number }} candidate
 * @property {number} selfPoints - percentage points that the candidate spends more than the base
 * @property {number} totalPoints
 */

/**
 * compareHotSpots compares the shares of CPU time of two runs, in percentage points.
 *
 * @param {Pick<HotSpots, 'categories'>} base
 * @param {Pick<HotSpots, 'categories'>} candidate
 * @returns {HotSpotDifference[]} the largest difference in self time first, whatever its sign
 */
export function compareHotSpots(base, candidate) {
  const sharesOf = (
    /** @type {Pick<HotSpots, 'categories'>} */ { categories },
    /** @type {Category} */ name
  ) => {
    const { selfShare = 0, totalShare = 0 } = categories.find(({ category }) => category === name) ?? {}
    return { selfShare, totalShare }
  }
  const all = [...base.categories, ...candidate.categories].map(({ category }) => category)
  return [...new Set(all)]
    .map(category => {
      const [was, is] = [sharesOf(base, category), sharesOf(candidate, category)]
      return {
        category,
        base: was,
        candidate: is,
        selfPoints: 100 * (is.selfShare - was.selfShare),
        totalPoints: 100 * (is.totalShare - was.totalShare)
      }
    })
    .sort((a, b) => Math.abs(b.selfPoints) - Math.abs(a.selfPoints) || (a.category < b.category ? -1 : 1))
}

/**
 * @typedef {object} FoldedCall - a call with all that it called; `selfMs` and the children's `totalMs` add up to `totalMs`
 * @property {string} name
 * @property {string} package
 * @property {Category} category
 * @property {number} selfMs
 * @property {number} totalMs
 * @property {FoldedCall[]} children - the longest first, `(other)` last
 *
 * @typedef {object} Limits
 * @property {number} [minShare] - of the whole; shorter calls are merged
 * @property {number} [maxDepth] - calls under the root; deeper calls are merged
 * @property {number} [maxNodes] - in the tree
 */

const OTHER = '(other)'

/** Sorted by time, so that the order of the profiles does not matter. @param {Call} call */
const sortChildren = call =>
  [...call.children]
    .sort(([a, x], [b, y]) => y.totalMicros - x.totalMicros || (a < b ? -1 : 1))
    .map(([, child]) => child)

/** @param {Call} call @param {Set<Call>} largest @returns {FoldedCall} */
function fold(call, largest) {
  const { function: name, package: from, category, url, line, selfMicros, totalMicros } = call
  const children = sortChildren(call)
  const otherMs = sumMicros(children.filter(child => !largest.has(child))) / 1000
  /** @type {FoldedCall} */
  const other = {
    name: OTHER,
    package: OTHER,
    category: 'other',
    selfMs: otherMs,
    totalMs: otherMs,
    children: []
  }
  return {
    name:
      name === '(anonymous)' && url !== null
        ? `(anonymous ${url.slice(url.lastIndexOf('/') + 1)}:${line})`
        : name,
    package: from,
    category,
    selfMs: selfMicros / 1000,
    totalMs: totalMicros / 1000,
    children: [
      ...children.filter(child => largest.has(child)).map(child => fold(child, largest)),
      ...(otherMs > 0 ? [other] : [])
    ]
  }
}

/**
 * foldProfiles merges the profiles of a run into one tree of calls that is small enough for a result. Calls that are short, deep or beyond the
 * number of nodes become one call `(other)` for each caller, so that sums stay right. Idle time is left out.
 *
 * @param {CpuProfile[]} profiles
 * @param {Limits & { root?: string }} [options] - `root`: see mergeProfiles
 * @returns {FoldedCall} the root, `(root)`: all time that was not idle
 */
export function foldProfiles(profiles, { minShare = 0.002, maxDepth = 60, maxNodes = 3000, root } = {}) {
  const whole = mergeProfiles(profiles, { root })
  // a flame graph would consist mostly of idle time
  const children = new Map([...whole.children].filter(([, { category }]) => category !== 'idle'))
  const tree = { ...whole, children, totalMicros: whole.selfMicros + sumMicros([...children.values()]) }
  /** @type {Call[]} callers before what they call */
  const calls = []
  const add = (/** @type {Call} */ call, /** @type {number} */ depth) => {
    const { totalMicros } = call
    if (depth > maxDepth || totalMicros === 0 || totalMicros < minShare * tree.totalMicros) return
    if (depth > 0) calls.push(call)
    for (const child of sortChildren(call)) add(child, depth + 1)
  }
  add(tree, 0)
  // A call is at least as long as what it calls, and was listed before: the longest calls include their callers. Each of them, as the root,
  // may need a node more for `(other)`.
  const longest = calls
    .sort((a, b) => b.totalMicros - a.totalMicros)
    .slice(0, Math.max(0, Math.floor(maxNodes / 2) - 1))
  return fold(tree, new Set(longest))
}

/**
 * @typedef {import('../measure/process-profile.js').HeapProfile} HeapProfile
 * @typedef {import('../measure/process-profile.js').HeapNode} HeapNode
 *
 * @typedef {Pick<FoldedCall, 'name' | 'package' | 'category'> & { selfBytes: number, totalBytes: number, children: FoldedAllocation[] }} FoldedAllocation
 *
 * @typedef {Omit<AllocationSummary, 'files' | 'workers' | 'intervalBytes'>} Allocations - of several processes, by the functions that allocate
 */

/** The nodes of a tree, callers before what they call. @param {HeapNode} node @returns {HeapNode[]} */
const listNodes = node => [node, ...node.children.flatMap(listNodes)]

/**
 * A profile with bytes in place of times: both are summed in the same way.
 *
 * @param {HeapProfile} profile
 * @returns {CpuProfile}
 */
function convertToTimes({ head }) {
  const nodes = listNodes(head)
  const allocating = nodes.filter(({ selfSize }) => selfSize > 0)
  return {
    nodes: nodes.map(({ children, ...node }) => ({ ...node, children: children.map(({ id }) => id) })),
    startTime: 0,
    endTime: computeSum(allocating, ({ selfSize }) => selfSize),
    samples: allocating.map(({ id }) => id),
    timeDeltas: allocating.map((_, i) => allocating[i - 1]?.selfSize ?? 0)
  }
}

/** @param {FoldedCall} call @returns {FoldedAllocation} */
const convertToBytes = ({ selfMs, totalMs, children, ...call }) => ({
  ...call,
  selfBytes: Math.round(1000 * selfMs),
  totalBytes: Math.round(1000 * totalMs),
  children: children.map(convertToBytes)
})

/**
 * sumAllocations sums allocations by function.
 *
 * @param {HeapProfile[]} profiles - of one run, one for each process
 * @returns {Allocations}
 */
export function sumAllocations(profiles) {
  const asCpu = profiles.map(convertToTimes)
  const { durationMs, categories, packages, functions } = findHotSpots(asCpu)
  return {
    samples: computeSum(profiles, ({ samples }) => samples.length),
    bytes: Math.round(1000 * durationMs),
    categories,
    packages,
    functions,
    folded: convertToBytes(foldProfiles(asCpu))
  }
}

/**
 * @typedef {import('../measure/process-profile.js').CallFrame} CallFrame
 *
 * @typedef {object} FunctionLocation - where a function is from
 * @property {string} package
 * @property {string | null} url - of its module, without anything of the machine it ran on; null: it has none
 */

const THIS_PACKAGE = 'libp2p-loadtest'
const NATIVE = '(native)'
const SCRIPT = '(script)'

/** Names that V8 gives to time outside of functions. */
const PSEUDO = new Set(['(root)', '(program)', '(idle)', '(garbage collector)'])

/**
 * Internal modules of Node whose name differs from the module that is imported.
 *
 * @type {Readonly<Record<string, string>>}
 */
const PUBLIC_NAMES = {
  abort_controller: 'events',
  event_target: 'events',
  stream_base_commons: 'net',
  streams: 'stream'
}

const ROOT = new URL('../../', import.meta.url).href

/** `node:internal/crypto/sig` → `crypto` */
const NODE_MODULE = /^node:(?:internal\/)?([^/]+)/

/** The innermost `node_modules` decides: it may be in the package manager's store, or in a package with dependencies of its own. */
const INSTALLED = /^.*[\\/]node_modules[\\/](((?:@[^\\/]+[\\/])?[^\\/]+).*)$/

/** @param {string} url @param {string} root @returns {FunctionLocation} */
function locateModule(url, root) {
  const [, part] = NODE_MODULE.exec(url) ?? []
  if (part !== undefined) return { package: `node:${PUBLIC_NAMES[part] ?? part}`, url }
  if (url.startsWith('wasm:')) return { package: 'wasm', url: null }
  const [, path, name] = INSTALLED.exec(url) ?? []
  if (path !== undefined) return { package: name.replaceAll('\\', '/'), url: path.replaceAll('\\', '/') }
  if (url.startsWith(root)) return { package: THIS_PACKAGE, url: `${THIS_PACKAGE}/${url.slice(root.length)}` }
  return { package: SCRIPT, url: null }
}

/**
 * locateFunction names the package and the module of a function. Paths of the machine are left out, so that profiles of different machines can
 * be compared.
 *
 * | function | package |
 * |---|---|
 * | of an installed package, however deep it is installed | its name |
 * | of Node's JavaScript | the part of Node: `node:crypto` for `node:internal/crypto/sig` |
 * | WebAssembly | `wasm` |
 * | not JavaScript (`writeBuffer`, `Map.set`) | that of its caller; `(native)` without one |
 * | our own | `libp2p-loadtest` |
 * | of any other file | `(script)` |
 * | none: collecting garbage, waiting, anything outside JavaScript | `(garbage collector)`, `(idle)`, `(program)` |
 *
 * @param {Pick<CallFrame, 'functionName' | 'url'>} frame
 * @param {object} [context]
 * @param {string | null} [context.caller] - the caller's package
 * @param {string} [context.root] - URL of the folder that our own code is in, with a slash at its end
 * @returns {FunctionLocation}
 */
export function locateFunction({ functionName, url }, { caller = null, root = ROOT } = {}) {
  if (url !== '') return locateModule(url.replace(/[?#].*$/, ''), root)
  if (PSEUDO.has(functionName)) return { package: functionName, url: null }
  return { package: caller ?? NATIVE, url: null }
}

/**
 * @typedef {(typeof CATEGORIES)[number]} Category
 *
 * @typedef {FunctionLocation & { function: string }} CalledFunction - a function of a profile
 */

/** CATEGORIES of CPU time, in the order of views. */
export const CATEGORIES = /** @type {const} */ ([
  'signature',
  'key handling',
  'encryption',
  'hashing',
  'muxer',
  'gossipsub',
  'protobuf',
  'socket',
  'events',
  'libp2p',
  'rendezvous server',
  'load generator',
  'gc',
  'runtime',
  'idle',
  'other'
])

/**
 * Patterns of a module's URL (of the package, if there is no module). The first that matches decides.
 *
 * @type {[Category, RegExp][]}
 */
const BY_MODULE = [
  ['gc', /^\(garbage collector\)$/],
  ['idle', /^\(idle\)$/],
  ['runtime', /^\((?:program|native|root)\)$/],
  ['rendezvous server', /^libp2p-loadtest\/src\/server\//],
  ['load generator', /^libp2p-loadtest(?:\/|$)/],
  ['signature', /^node:internal\/crypto\/sig$|^@noble\/curves\//],
  ['key handling', /^node:internal\/crypto\/key(?:s|gen)$/],
  ['encryption', /^node:internal\/crypto\/(?:cipher|aes|diffiehellman)$/],
  ['hashing', /^node:internal\/crypto\/(?:hash|hkdf)$/],
  ['hashing', /^(?:@noble\/hashes|@chainsafe\/as-sha256|multiformats\/dist\/src\/hashes\/sha[^/]*)(?:\/|$)/],
  ['protobuf', /^(?:protons-runtime|uint8-varint|it-length-prefixed)\//],
  ['protobuf', /^@libp2p\/gossipsub\/.*\/message\/|^@libp2p\/crypto\/.*\/keys\/keys\.js$/],
  [
    'protobuf',
    /^@(?:libp2p|chainsafe)\/[^/]+\/.*\/(?:pb|proto)\/|\/(?:envelope\/envelope|peer-record\/peer-record)\.js$/
  ],
  ['key handling', /^@libp2p\/crypto\/.*\/keys\//],
  ['encryption', /^(?:@libp2p\/noise|@chainsafe\/as-chacha20poly1305|@noble\/ciphers)\//],
  ['muxer', /^(?:@libp2p\/yamux|@libp2p\/mplex)\//],
  ['gossipsub', /^@libp2p\/gossipsub\//],
  ['socket', /^node:(?:net|stream|internal\/(?:net|stream_base_commons|streams\/.+))$/],
  ['events', /^node:(?:events|internal\/(?:event_target|abort_controller|events\/.+))$/],
  ['events', /^(?:main-event|eventemitter3|progress-events)\//],
  ['runtime', /^node:(?:timers|async_hooks|diagnostics_channel)(?:\/|$)/],
  [
    'runtime',
    /^node:internal\/(?:process\/|timers|async_|promise_hooks|priority_queue|linkedlist|fixed_queue)/
  ],
  [
    'libp2p',
    /^(?:libp2p|@libp2p\/[^/]+|multiformats|@multiformats\/[^/]+|uint8arrays|uint8arraylist|utf8-codec)\//
  ],
  [
    'libp2p',
    /^(?:it|p|race)-[^/]+\/|^(?:any-signal|abort-error|datastore-core|interface-[^/]+|mortice|weald|denque|hashlru|delay)\//
  ]
]

/** Modules that work for their caller: they make buffers, check arguments, run any kind of cryptography. */
const UTILITY_MODULES =
  /^node:(?:buffer|crypto|util|internal\/(?:buffer|util|validators|errors|webidl|assert|crypto\/))/

/** A class of keys signs and verifies in some of its functions, and handles keys in the others. */
const KEY_CLASS = /^@libp2p\/crypto\/.*\/keys\/[^/]+\//
const SIGNS = /(?:^|\.)_?(?:hashAnd)?(?:sign|verify)/i

/** Packages of other generations of libp2p: their names here, or their former names. */
const OTHER_NAMES = /** @type {[RegExp, string][]} */ ([
  [/^libp2p-\d+\//, 'libp2p/'],
  [/^@libp2p-\d+\//, '@libp2p/'],
  [/^@chainsafe\/libp2p-(noise|yamux|gossipsub)\//, '@libp2p/$1/']
])

/** @param {CalledFunction} called @returns {Category | undefined} */
function classifyByModule({ function: name, package: from, url: installed }) {
  const url = installed && OTHER_NAMES.reduce((path, [other, now]) => path.replace(other, now), installed)
  if (url !== null && KEY_CLASS.test(url) && SIGNS.test(name)) return 'signature'
  const [rules, subject] = url === 'node:crypto' ? [BY_CRYPTO_FUNCTION, name] : [BY_MODULE, url ?? from]
  return rules.find(([, pattern]) => pattern.test(subject))?.[0]
}

/**
 * Functions of `node:crypto` itself, a thin layer over its parts, on Node 24.
 *
 * @type {[Category, RegExp][]}
 */
const BY_CRYPTO_FUNCTION = [
  ['hashing', /^create(?:Hash|Hmac)$/],
  ['encryption', /^create(?:Cipher|Decipher)iv$/]
]

/**
 * classifyFunction classifies the time of a function.
 *
 * | category | functions |
 * |---|---|
 * | signature | signing and verifying: Node's, those of `@libp2p/crypto`, `@noble/curves` |
 * | key handling | making key objects from bytes: Node's `crypto/keys`, the rest of `@libp2p/crypto`'s keys |
 * | encryption | Noise, ChaCha20-Poly1305 in JavaScript, WebAssembly or Node, key agreement |
 * | hashing | SHA-256 and HMAC wherever they are from, also those within a signature |
 * | muxer | Yamux, Mplex |
 * | gossipsub | `@libp2p/gossipsub` but for its messages |
 * | protobuf | `protons-runtime`, generated code of messages, varints and length prefixes |
 * | socket | `node:net`, Node's streams, writing to the kernel. Reading from it is done outside JavaScript: runtime |
 * | events | event targets and emitters, abort signals |
 * | libp2p | the rest of libp2p, and the small packages it is made of |
 * | rendezvous server | our server |
 * | load generator | the rest of our own code |
 * | gc | collecting garbage, as far as the main thread waits for it |
 * | runtime | the event loop, timers, microtasks, compiling, system calls outside JavaScript |
 * | idle | waiting |
 * | other | everything else |
 *
 * Native code, WebAssembly, and the parts of Node that work for any caller (buffers, checks of arguments) count for their caller. A
 * cipher's WebAssembly is encryption because a cipher calls it.
 *
 * @param {CalledFunction} called
 * @param {Category | null} [caller] - the caller's category; null: nobody called it
 * @returns {Category}
 */
export function classifyFunction(called, caller = null) {
  // native code has the package of its caller, but no module
  if (called.url === null && !called.package.startsWith('(')) return caller ?? 'runtime'
  return (
    classifyByModule(called) ?? (UTILITY_MODULES.test(called.url ?? '') ? (caller ?? 'runtime') : 'other')
  )
}

/**
 * @typedef {object} Call - a function as called by all those above it, in all profiles
 * @property {string} function
 * @property {string} package
 * @property {string | null} url - see placeOf
 * @property {number | null} line - from 1
 * @property {Category} category
 * @property {number} samples - in which it was on top
 * @property {number} selfMicros - µs it was on top
 * @property {number} totalMicros - µs it was anywhere in the stack
 * @property {Map<string, Call>} children - by their function
 */

/** @param {Pick<Call, 'function' | 'package' | 'url' | 'line' | 'category'>} called @returns {Call} */
const makeCall = called => ({ ...called, samples: 0, selfMicros: 0, totalMicros: 0, children: new Map() })

/**
 * findChild finds the call of a function in its caller, or adds an empty one.
 *
 * @param {Call} parent
 * @param {CallFrame} frame
 * @param {{ caller: Call | null, root: string | undefined }} context - `caller`: null: it was called by no function
 */
function findChild(parent, frame, { caller, root }) {
  const place = locateFunction(frame, { caller: caller?.package, root })
  const line = place.url !== null && frame.lineNumber >= 0 ? frame.lineNumber + 1 : null
  const called = { function: frame.functionName || '(anonymous)', ...place, line }
  const key = `${called.function}\n${called.url ?? called.package}\n${line}`
  const child =
    parent.children.get(key) ?? makeCall({ ...called, category: classifyFunction(called, caller?.category) })
  parent.children.set(key, child)
  return child
}

/**
 * mergeProfiles merges the profiles of several processes into one tree: times of the same calls are added.
 *
 * @param {CpuProfile[]} profiles
 * @param {object} [options]
 * @param {string} [options.root] - URL of the folder that our own code was in, see placeOf
 * @returns {Call} the root, which stands for no function; time that V8 gives to none is left out
 */
function mergeProfiles(profiles, { root } = {}) {
  const tree = makeCall({ function: '(root)', package: '(root)', url: null, line: null, category: 'other' })
  for (const profile of profiles) {
    const times = sumSampleTimes(profile)
    const nodes = new Map(profile.nodes.map(node => [node.id, node]))
    /** @param {number} id @param {Call | null} caller */
    const add = (id, caller) => {
      const node = nodes.get(id)
      if (node === undefined) return
      const call = findChild(caller ?? tree, node.callFrame, { caller, root })
      const { samples, micros } = times.get(id) ?? { samples: 0, micros: 0 }
      call.samples += samples
      call.selfMicros += micros
      for (const child of node.children ?? []) add(child, call)
    }
    for (const id of profile.nodes[0]?.children ?? []) add(id, null)
  }
  /** @param {Call} call @returns {number} µs */
  const setTotals = call => {
    call.totalMicros = call.selfMicros
    for (const child of call.children.values()) call.totalMicros += setTotals(child)
    return call.totalMicros
  }
  setTotals(tree)
  return tree
}

/**
 * sumSampleTimes sums how long each node of a profile was on top. A sample stands for the time until the next sample, the last sample for the
 * time until the end, as in the developer tools of browsers: intervals differ, so that a count of samples would be wrong. V8 may record
 * samples out of order; they are sorted.
 *
 * @param {CpuProfile} profile
 * @returns {Map<number, { samples: number, micros: number }>} by the node's id; nodes that were never on top are left out
 */
function sumSampleTimes({ samples = [], timeDeltas = [], startTime, endTime }) {
  let time = startTime
  const taken = samples.map((id, i) => {
    time += timeDeltas[i] ?? 0
    return { id, time }
  })
  taken.sort((a, b) => a.time - b.time)

  /** @type {Map<number, { samples: number, micros: number }>} */
  const sums = new Map()
  for (const [i, { id, time }] of taken.entries()) {
    const sum = sums.get(id) ?? { samples: 0, micros: 0 }
    sum.samples++
    sum.micros += Math.max(0, (taken[i + 1]?.time ?? endTime) - time)
    sums.set(id, sum)
  }
  return sums
}
