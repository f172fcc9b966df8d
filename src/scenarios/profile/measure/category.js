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
 * | load generator | our own code |
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
