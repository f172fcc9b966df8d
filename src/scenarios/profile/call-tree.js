/**
 * @typedef {import('../../measure/process-profile.js').CallFrame} CallFrame
 *
 * @typedef {object} Place - where a function is from
 * @property {string} package
 * @property {string | null} url - of its module, without anything of the machine it ran on; null: it has none
 */

const THIS_PACKAGE = 'libp2p-loadtest'
const NATIVE = '(native)'
const SCRIPT = '(script)'

/** What V8 counts that is no function. */
const PSEUDO = new Set(['(root)', '(program)', '(idle)', '(garbage collector)'])

/**
 * Parts of Node whose internal modules are named otherwise than the module people import.
 *
 * @type {Readonly<Record<string, string>>}
 */
const PUBLIC_NAMES = {
  abort_controller: 'events',
  event_target: 'events',
  stream_base_commons: 'net',
  streams: 'stream'
}

const ROOT = new URL('../../../', import.meta.url).href

/** `node:internal/crypto/sig` → `crypto` */
const NODE_MODULE = /^node:(?:internal\/)?([^/]+)/

/** The innermost `node_modules` decides: that of the package manager's store, or of a package with its own dependencies. */
const INSTALLED = /^.*[\\/]node_modules[\\/](((?:@[^\\/]+[\\/])?[^\\/]+).*)$/

/** @param {string} url */
const withoutQuery = url => url.replace(/[?#].*$/, '')

/** @param {string} path */
const withSlashes = path => path.replaceAll('\\', '/')

/** @param {string} url @param {string} root @returns {Place} */
function placeOfModule(url, root) {
  const [, part] = NODE_MODULE.exec(url) ?? []
  if (part !== undefined) return { package: `node:${PUBLIC_NAMES[part] ?? part}`, url }
  if (url.startsWith('wasm:')) return { package: 'wasm', url: null }
  const [, path, name] = INSTALLED.exec(url) ?? []
  if (path !== undefined) return { package: withSlashes(name), url: withSlashes(path) }
  if (url.startsWith(root)) return { package: THIS_PACKAGE, url: `${THIS_PACKAGE}/${url.slice(root.length)}` }
  return { package: SCRIPT, url: null }
}

/**
 * placeOf says which package a function is from, and which module of it. Paths of the machine are left out, so that
 * profiles of different machines can be compared.
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
 * @returns {Place}
 */
export function placeOf({ functionName, url }, { caller = null, root = ROOT } = {}) {
  if (url !== '') return placeOfModule(withoutQuery(url), root)
  if (PSEUDO.has(functionName)) return { package: functionName, url: null }
  return { package: caller ?? NATIVE, url: null }
}

/**
 * @typedef {(typeof CATEGORIES)[number]} Category
 *
 * @typedef {object} Called - a function of a profile
 * @property {string} function
 * @property {string} package
 * @property {string | null} url - see placeOf
 */

/** CATEGORIES in the order in which people look for them. */
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
 * What a module's URL (or the package, where there is none) says about its functions. The first that fits holds.
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

/** Modules that do what their caller wants: making buffers, checking arguments, jobs of any kind of cryptography. */
const AT_SERVICE =
  /^node:(?:buffer|crypto|util|internal\/(?:buffer|util|validators|errors|webidl|assert|crypto\/))/

/** A class of keys signs and verifies in some of its functions, and handles keys in the others. */
const KEY_CLASS = /^@libp2p\/crypto\/.*\/keys\/[^/]+\//
const SIGNS = /(?:^|\.)_?(?:hashAnd)?(?:sign|verify)/i

/** Packages of other generations of libp2p are installed under names of their own, or had another one. */
const OTHER_NAMES = /** @type {[RegExp, string][]} */ ([
  [/^libp2p-\d+\//, 'libp2p/'],
  [/^@libp2p-\d+\//, '@libp2p/'],
  [/^@chainsafe\/libp2p-(noise|yamux|gossipsub)\//, '@libp2p/$1/']
])

/** @param {string} url */
const presentName = url => OTHER_NAMES.reduce((name, [other, present]) => name.replace(other, present), url)

/** @param {Called} called @returns {Category | undefined} */
function ownCategory({ function: name, package: from, url: asInstalled }) {
  const url = asInstalled === null ? null : presentName(asInstalled)
  if (url !== null && KEY_CLASS.test(url) && SIGNS.test(name)) return 'signature'
  const [rules, subject] = url === 'node:crypto' ? [BY_CRYPTO_FUNCTION, name] : [BY_MODULE, url ?? from]
  return rules.find(([, pattern]) => pattern.test(subject))?.[0]
}

/**
 * `node:crypto` itself is a thin layer over its parts, by these names on Node 24.
 *
 * @type {[Category, RegExp][]}
 */
const BY_CRYPTO_FUNCTION = [
  ['hashing', /^create(?:Hash|Hmac)$/],
  ['encryption', /^create(?:Cipher|Decipher)iv$/]
]

/** Native code has the package of its caller, but no module. @param {Called} called */
const isNative = ({ package: from, url }) => url === null && !from.startsWith('(')

/**
 * categoryOf says what a function's time is spent on.
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
 * What is not JavaScript, WebAssembly, and the parts of Node that serve any caller (buffers, checks of arguments) count for
 * their caller. A cipher's WebAssembly is encryption because a cipher calls it.
 *
 * @param {Called} called
 * @param {Category | null} [caller] - the caller's category; null: nobody called it
 * @returns {Category}
 */
export function categoryOf(called, caller = null) {
  if (isNative(called)) return caller ?? 'runtime'
  return ownCategory(called) ?? (AT_SERVICE.test(called.url ?? '') ? (caller ?? 'runtime') : 'other')
}

/**
 * @typedef {import('../../measure/process-profile.js').CpuProfile} CpuProfile
 * @typedef {import('../../measure/process-profile.js').ProfileNode} ProfileNode
 *
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
 *
 * @typedef {(frame: CallFrame, caller: Call | null) => Call} Callee - the frame's call, with nothing counted yet
 */

const NOT_SAMPLED = { samples: 0, micros: 0 }

/** @returns {Call} */
const root = () => ({
  function: '(root)',
  package: '(root)',
  url: null,
  line: null,
  category: 'other',
  samples: 0,
  selfMicros: 0,
  totalMicros: 0,
  children: new Map()
})

/** @param {string} [folder] @returns {Callee} */
const calleeIn = folder => (frame, caller) => {
  const place = placeOf(frame, { caller: caller?.package, root: folder })
  const line = place.url !== null && frame.lineNumber >= 0 ? frame.lineNumber + 1 : null
  const called = { function: frame.functionName || '(anonymous)', ...place, line }
  return { ...root(), ...called, category: categoryOf(called, caller?.category) }
}

/** @param {Call} parent @param {Call} call */
function childLike(parent, call) {
  const key = `${call.function}\n${call.url ?? call.package}\n${call.line}`
  const known = parent.children.get(key)
  if (known === undefined) parent.children.set(key, call)
  return known ?? call
}

/** @param {Call} call @param {Sampled | undefined} sampled */
function count(call, { samples, micros } = NOT_SAMPLED) {
  call.samples += samples
  call.selfMicros += micros
}

/** @param {Call} call @returns {number} µs */
function sumUp(call) {
  call.totalMicros = call.selfMicros
  for (const child of call.children.values()) call.totalMicros += sumUp(child)
  return call.totalMicros
}

/** @param {Call} tree @param {CpuProfile} profile @param {Callee} callee */
function add(tree, profile, callee) {
  const times = sampleTimes(profile)
  const nodes = new Map(profile.nodes.map(node => [node.id, node]))

  /** @param {number} id @param {Call | null} caller */
  const addNode = (id, caller) => {
    const node = nodes.get(id)
    if (node === undefined) return
    const call = childLike(caller ?? tree, callee(node.callFrame, caller))
    count(call, times.get(id))
    for (const child of node.children ?? []) addNode(child, call)
  }
  for (const id of profile.nodes[0]?.children ?? []) addNode(id, null)
}

/**
 * callTree merges the profiles of several processes into one tree: times of the same calls are added.
 *
 * @param {CpuProfile[]} profiles
 * @param {object} [options]
 * @param {string} [options.root] - URL of the folder that our own code was in, see placeOf
 * @returns {Call} the root, which stands for no function; time that V8 gives to none is left out
 */
export function callTree(profiles, { root: folder } = {}) {
  const tree = root()
  const callee = calleeIn(folder)
  for (const profile of profiles) add(tree, profile, callee)
  sumUp(tree)
  return tree
}

/**
 * @typedef {object} Sampled - of one node of a profile
 * @property {number} samples
 * @property {number} micros - µs
 */

/**
 * sampleTimes sums up how long each node of a profile was on top. A sample stands for the time until the next one, the
 * last for the time until the end, as in the browser's developer tools: samples come at uneven intervals, so that
 * counting them would be wrong. V8 may note samples out of order; they are put in order.
 *
 * @param {CpuProfile} profile
 * @returns {Map<number, Sampled>} by the node's id, those that were never on top left out
 */
function sampleTimes({ samples = [], timeDeltas = [], startTime, endTime }) {
  let time = startTime
  const taken = samples.map((id, i) => {
    time += timeDeltas[i] ?? 0
    return { id, time }
  })
  taken.sort((a, b) => a.time - b.time)

  /** @type {Map<number, Sampled>} */
  const sums = new Map()
  for (const [i, { id, time }] of taken.entries()) {
    const micros = Math.max(0, (taken[i + 1]?.time ?? endTime) - time)
    const sum = sums.get(id)
    if (sum === undefined) sums.set(id, { samples: 1, micros })
    else {
      sum.samples++
      sum.micros += micros
    }
  }
  return sums
}
