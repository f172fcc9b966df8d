// Finds how the settings of the running libp2p nodes differ from libp2p's defaults, with reasons, for the result.
import { isDeepStrictEqual } from 'node:util'
import { findLayers } from './layers/node-parts.js'
import { DEFAULT_STACK, findStack } from './stacks.js'

/**
 * @typedef {import('./layers/node-parts.js').Setting} Setting
 * @typedef {Readonly<Record<string, Setting>>} LibrarySettings
 * @typedef {Record<string, LibrarySettings>} SettingsByKind
 * @typedef {Readonly<Record<string, { why: string, value?: unknown }>>} Reasons - by setting, or `yamux.*` for all others of a part;
 *   `value`: words that say more than what is read
 * @typedef {Partial<import('./layers/node-parts.js').Kinds> & { stack?: string }} NodeKinds - `stack`: generation, default the present one
 */

/** Who a node is, and what it keeps while it runs. */
const NO_OPTIONS = new Set(['peerId', 'privateKey', 'nodeInfo', 'events', 'datastore'])
const NO_FIELDS = new Set(['components', '_components', 'log', 'seed'])
/** A component that keeps the options it was made with makes its other fields of them. */
const OPTIONS = ['opts', '_init', 'init']

/** Options have other names, or stand elsewhere, in a component. @type {readonly (readonly [RegExp, string])[]} */
const NAMES_OF_OPTIONS = [
  [
    /^connectionManager\.inboundConnectionRateLimiter\.points$/,
    'connectionManager.inboundConnectionThreshold'
  ],
  [/^connectionManager\.(dialQueue|connectionPruner)\./, 'connectionManager.'],
  [/^upgrader\./, 'connectionManager.'],
  [/^addressManager\./, 'addresses.'],
  [/^(services\.)?(\w+)\.(opts|_init|init)\./, '$1$2.']
]

/**
 * findChanges compares a node that is not started with one that libp2p makes of the same packages by itself, component by component: what
 * has something around it, has methods of its own or another option, what is there beside it, and what is missing.
 *
 * @param {any} node - of createNode, or of createLibp2p
 * @param {NodeKinds} [made] - what it is made of
 * @returns {Promise<Readonly<Record<string, unknown>>>} by name
 */
export async function findChanges(node, { stack = DEFAULT_STACK, ...kinds } = {}) {
  const { published } = findStack(stack)
  const [usual, another] = await Promise.all([published(kinds), published(kinds)])
  // each node has a key of its own, and random numbers
  const own = new Set(compareNodes(another, usual).map(([name]) => name))
  return Object.freeze(Object.fromEntries(compareNodes(node, usual).filter(([name]) => !own.has(name))))
}

/**
 * readNodeSettings are the changes of a node, each with its reason.
 *
 * @param {any} node - that is not started
 * @param {NodeKinds} made
 * @param {Reasons} reasons
 * @returns {Promise<LibrarySettings>}
 */
export async function readNodeSettings(node, made, reasons) {
  const changes = Object.entries(await findChanges(node, made))
  return Object.freeze(
    Object.fromEntries(changes.map(([name, value]) => [name, { value, ...reasonFor(name, reasons) }]))
  )
}

/** @param {string} name @param {Reasons} reasons @returns {Reasons[string]} */
const reasonFor = (name, reasons) =>
  reasons[name] ?? reasons[`${name.split('.')[0]}.*`] ?? { why: 'no reason is noted' }

/** SettingsReader reads the settings of nodes of a process, of the first one of each kind: as a rule of each stack. */
export class SettingsReader {
  #reasons
  /** @type {Map<string, Promise<LibrarySettings>>} */
  #read = new Map()

  /** @param {Reasons} reasons */
  constructor(reasons) {
    this.#reasons = reasons
  }

  /**
   * read is told of each node before it is started.
   *
   * @param {any} node
   * @param {NodeKinds} made
   * @param {string} [kind]
   */
  async read(node, made, kind = made.stack ?? DEFAULT_STACK) {
    if (!this.#read.has(kind)) this.#read.set(kind, readNodeSettings(node, made, this.#reasons))
    await this.#read.get(kind)
  }

  /** settings are those that were read so far. @returns {Promise<SettingsByKind>} */
  async settings() {
    const entries = [...this.#read].map(async ([kind, settings]) => [kind, await settings])
    return Object.fromEntries(await Promise.all(entries))
  }
}

/**
 * mergeNodeSettings are those of nodes that several processes hold. Where kinds differ, a setting has that of its node behind it.
 *
 * @param {readonly SettingsByKind[]} each
 * @returns {LibrarySettings}
 */
export function mergeNodeSettings(each) {
  /** @type {SettingsByKind} */
  const all = Object.assign({}, ...each)
  const kinds = Object.keys(all)
  const names = [...new Set(Object.values(all).flatMap(Object.keys))]
  const entries = names.flatMap(name => {
    const having = kinds.filter(kind => Object.hasOwn(all[kind], name))
    const [first] = having
    const isSame =
      having.length === kinds.length &&
      having.every(kind => isDeepStrictEqual(all[kind][name], all[first][name]))
    return isSame ? [[name, all[first][name]]] : having.map(kind => [`${name} (${kind})`, all[kind][name]])
  })
  return Object.freeze(Object.fromEntries(entries))
}

/** @typedef {[name: string, value: unknown]} NodeChange */

/** @param {any} made @param {any} usual @returns {NodeChange[]} */
function compareNodes(made, usual) {
  const [ours, theirs] = [made, usual].map(
    node => /** @type {Record<string, any>} */ (node.components.components)
  )
  const parts = new Set([...Object.values(ours), ...Object.values(theirs)].filter(isObject))
  const names = [...new Set([...Object.keys(theirs), ...Object.keys(ours)])]
  return names
    .filter(name => !NO_OPTIONS.has(name) && ours[name] !== theirs[name])
    .flatMap(name => compareComponent(name, ours[name], { usual: theirs[name], parts }))
}

/** @param {string} name @param {any} made @param {{ usual: any, parts: ReadonlySet<any> }} than @returns {NodeChange[]} */
function compareComponent(name, made, { usual, parts }) {
  if (usual === undefined) return [[`services.${name}`, plain(made)]]
  const shown = nameOf(name, usual)
  if (made === undefined) return [[`${shown}.enabled`, false]]
  const { by, inner } = findLayers(made)
  /** @type {NodeChange[]} */
  const layers = by.map(layer => [layer, true])
  return [...layers, ...compareFields(inner, usual, { parts, path: '' })].map(([field, value]) => [
    optionName(field === '' ? shown : `${shown}.${field}`),
    value
  ])
}

/** Those of which there can be several have numbers. @param {string} name @param {any} component */
function nameOf(name, component) {
  if (!/-\d+$/.test(name)) return name
  const type = component.constructor.name
  return type === type.toUpperCase() ? type.toLowerCase() : type[0].toLowerCase() + type.slice(1)
}

/** @param {string} name */
const optionName = name =>
  NAMES_OF_OPTIONS.reduce((called, [inside, outside]) => called.replace(inside, outside), name)

/**
 * @param {any} made
 * @param {any} usual
 * @param {{ parts: ReadonlySet<any>, path: string }} where - `parts`: other components, which are compared for themselves
 * @returns {NodeChange[]}
 */
function compareFields(made, usual, { parts, path }) {
  if (!isObject(made) || !isObject(usual) || made.constructor !== usual.constructor)
    return isSame(made, usual) ? [] : [[path, plain(made)]]
  if (ArrayBuffer.isView(made)) return []
  if (isList(made)) return isDeepStrictEqual(plain(made), plain(usual)) ? [] : [[path, plain(made)]]
  const fields = [...new Set([...Object.keys(made), ...Object.keys(usual)])].filter(
    field => !NO_FIELDS.has(field) && !parts.has(made[field])
  )
  const methods = fields.filter(
    field => typeof made[field] === 'function' && !isSame(made[field], usual[field])
  )
  const options = path === '' ? fields.filter(field => OPTIONS.includes(field)) : []
  const within = (options.length > 0 ? options : fields)
    .filter(field => !methods.includes(field))
    .flatMap(field =>
      compareFields(made[field], usual[field], { parts, path: path === '' ? field : `${path}.${field}` })
    )
  return methods.length === 0 ? within : [[path, `other ${methods.join(', ')}`], ...within]
}

/** @param {unknown} value @returns {value is Record<string, any>} */
const isObject = value => typeof value === 'object' && value !== null

/** @param {any} value */
const isList = value => Array.isArray(value) || value instanceof Set || value instanceof Map

/** Functions are the same that are written the same. @param {any} made @param {any} usual */
const isSame = (made, usual) =>
  Object.is(made, usual) ||
  (typeof made === 'function' && typeof usual === 'function' && String(made) === String(usual))

/** @param {any} value @returns {unknown} as it stands in a result */
function plain(value) {
  if (typeof value === 'function') return 'another function'
  if (value === undefined) return null
  if (!isObject(value)) return value
  if (value instanceof Map) return [...value.keys()].map(plain)
  if (isList(value)) return [.../** @type {Iterable<any>} */ (value)].map(plain)
  const type = /** @type {any} */ (value).constructor
  if (type !== Object) return Object.hasOwn(type.prototype, 'toString') ? String(value) : type.name
  if (Object.values(value).some(each => typeof each === 'function')) return 'one of its own'
  return Object.fromEntries(Object.entries(value).map(([field, each]) => [field, plain(each)]))
}
