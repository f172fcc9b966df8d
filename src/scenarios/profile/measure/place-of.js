/**
 * @typedef {import('./types.js').CallFrame} CallFrame
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

const ROOT = new URL('../../../../', import.meta.url).href

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
