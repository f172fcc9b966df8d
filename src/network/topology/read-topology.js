/**
 * @typedef {number | string} Seed - any whole number, as NetworkX takes them: those that JSON has no number for in digits
 * @typedef {{ seed?: Seed | null }} Seeded - null: that of the plan; absent in plans from before there was one
 *
 * @typedef {Seeded & { kind: 'barabasi-albert', m: number, networkx: '2.4' | '3' }} BarabasiAlbertSpec
 * @typedef {Seeded & { kind: 'erdos-renyi', p: number }} ErdosRenyiSpec
 * @typedef {Seeded & { kind: 'random-geometric', radius: number }} RandomGeometricSpec
 * @typedef {Seeded & { kind: 'powerlaw-cluster', m: number, p: number }} PowerlawClusterSpec
 * @typedef {Seeded & { kind: 'random-degree' | 'regular', k: number }} DegreeSpec
 * @typedef {Seeded & { kind: 'small-world', k: number, p: number }} SmallWorldSpec
 * @typedef {{ kind: 'full' | 'ring' | 'line' | 'star' }} PlainSpec
 * @typedef {{ kind: 'file', path: string }} NamedFile - the file is still to be read, see parse-topology-file.js
 * @typedef {{ kind: 'rendezvous', k: number }} RendezvousSpec - nodes find one another, and each dials k of those it found for a
 *   topic; there are no edges beforehand
 * @typedef {BarabasiAlbertSpec | ErdosRenyiSpec | RandomGeometricSpec | PowerlawClusterSpec | DegreeSpec | SmallWorldSpec | PlainSpec | NamedFile | RendezvousSpec} TopologyText - what
 *   `--topology` can say
 *
 * @typedef {object} Parameter
 * @property {unknown} default
 * @property {string} allowed
 * @property {(text: string) => unknown} read - undefined: not allowed
 */

/** @param {number} min @param {number} max */
const wholeNumber = (min, max) => (/** @type {string} */ text) =>
  /^\d+$/.test(text) && Number(text) >= min && Number(text) <= max ? Number(text) : undefined

const MOST_PEERS = 100_000

/** @param {number} byDefault @returns {Parameter} */
const peers = byDefault => ({
  default: byDefault,
  allowed: 'a whole number from 1 to 100,000',
  read: wholeNumber(1, MOST_PEERS)
})

/** @type {Parameter} */
const seed = {
  default: null,
  allowed: 'a whole number',
  read: text => {
    if (!/^-?\d+$/.test(text)) return undefined
    return Number.isSafeInteger(Number(text)) ? Number(text) : String(BigInt(text))
  }
}

/** @type {Parameter} */
const networkx = {
  default: '3',
  allowed: '2.4 or 3',
  read: text => (text === '2.4' || text === '3' ? text : undefined)
}

/** @param {number} byDefault @returns {Parameter} */
const upToOne = byDefault => ({
  default: byDefault,
  allowed: 'a number from 0 to 1',
  read: text => (/^\d*\.?\d+$/.test(text) && Number(text) <= 1 ? Number(text) : undefined)
})

/** The kinds that are written by name, with their parameters. @type {Record<string, Record<string, Parameter>>} */
const KINDS = {
  'barabasi-albert': { m: peers(6), seed, networkx },
  'erdos-renyi': { p: upToOne(0.1), seed },
  'random-geometric': { radius: upToOne(0.2), seed },
  'powerlaw-cluster': { m: peers(6), p: upToOne(0.1), seed },
  full: {},
  'random-degree': { k: peers(10), seed },
  regular: { k: peers(6), seed },
  ring: {},
  line: {},
  star: {},
  'small-world': { k: peers(6), p: upToOne(0.1), seed },
  rendezvous: { k: peers(6) }
}

const ALLOWED_KINDS = `must be ${Object.keys(KINDS).join(', ')} or file:<path>, such as barabasi-albert:m=6,seed=42`

/**
 * readTopology reads what `--topology` says: a kind, and after a colon what is to differ from its defaults.
 *
 * @param {string} text - such as `full`, `barabasi-albert:m=6,seed=42,networkx=2.4` or `file:mesh.graphml`
 * @returns {TopologyText | { allowed: string }} or what is allowed instead: the end of a sentence that begins with the value
 */
export function readTopology(text) {
  const [, kind, given = ''] = /^\s*([^:\s]*)\s*(?::\s*(.*?))?\s*$/s.exec(text) ?? []
  if (kind === 'file') {
    return given
      ? { kind, path: given }
      : { allowed: 'must name a file after the colon, such as file:mesh.txt' }
  }
  if (!Object.hasOwn(KINDS, kind)) return { allowed: ALLOWED_KINDS }
  const parameters = KINDS[kind]
  const read = readParameters(kind, parameters, given)
  if ('allowed' in read) return read
  const defaults = Object.fromEntries(
    Object.entries(parameters).map(([name, { default: value }]) => [name, value])
  )
  return /** @type {TopologyText} */ ({ kind, ...defaults, ...read.values })
}

/**
 * @param {string} kind
 * @param {Record<string, Parameter>} parameters
 * @param {string} given - `m=6,seed=42`
 * @returns {{ values: Record<string, unknown> } | { allowed: string }}
 */
function readParameters(kind, parameters, given) {
  /** @type {Record<string, unknown>} */
  const values = {}
  for (const part of given === '' ? [] : given.split(',')) {
    const [name, ...rest] = part.split('=').map(side => side.trim())
    if (!Object.hasOwn(parameters, name)) return { allowed: allowedNames(kind, parameters) }
    if (Object.hasOwn(values, name)) return { allowed: `must give ${name} of ${kind} once` }
    values[name] = parameters[name].read(rest.join('='))
    if (values[name] === undefined) return { allowed: `must have ${parameters[name].allowed} as ${name}` }
  }
  return { values }
}

/**
 * @param {string} kind
 * @param {Record<string, Parameter>} parameters
 */
function allowedNames(kind, parameters) {
  const names = Object.keys(parameters)
  if (names.length === 0) return `must be ${kind} alone: it takes nothing after a colon`
  const example = names.map(name => `${name}=${parameters[name].default ?? 42}`).join(',')
  return `must give ${kind} nothing but ${names.join(', ')}, such as ${kind}:${example}`
}
