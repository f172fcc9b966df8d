import { counted, decimal } from '../../kit/numbers.js'
import { bandwidthIn, inOwnUnit, UNITS } from '../../kit/units.js'
import { TopologyFileError } from './topology-file-error.js'

/**
 * @typedef {import('../links/link-properties.js').LinkData} LinkData
 * @typedef {import('../links/link-properties.js').HostData} HostData
 * @typedef {Readonly<Record<string, unknown>>} Attributes - of a node or an edge, as they stand in a file
 *
 * @typedef {object} Attribute - that is used
 * @property {RegExp} name - its one group is a unit, for values without one
 * @property {string} key - of what it becomes
 * @property {(value: string, unit?: string) => number} read - NaN: not allowed
 * @property {string} allowed
 */

const MAX_LATENCY_MS = 10_000
/** Of different attributes that are not used, so many are named. */
const MAX_NAMED = 8
const MAX_NAME = 40

/** @param {number} number @param {number} min @param {number} max */
const within = (number, min, max) => (number >= min && number <= max ? number : Number.NaN)

/** @param {string} text @param {string} [usual] - unit */
function latencyMs(text, usual = 'ms') {
  const [, number = '', unit = usual] = /^([\d.e+-]*?\d\.?) ?([a-zµ]+)?$/i.exec(text) ?? []
  const isTime = Object.hasOwn(UNITS.time.known, unit.toLowerCase())
  return isTime ? within(inOwnUnit('time', decimal(number), unit), 0, MAX_LATENCY_MS) : Number.NaN
}

/** @param {string} text @param {string} [unit] */
function lossShare(text, unit = '') {
  const [, number = '', percent] = /^(.*?) ?(%)?$/.exec(text) ?? []
  const share = decimal(number) / (percent || unit ? 100 : 1)
  return share < 1 ? within(Number(share.toPrecision(12)), 0, 1) : Number.NaN
}

/** @param {string} name @param {string} key @returns {Attribute} */
const bandwidth = (name, key) => ({
  name: new RegExp(`^${name}(?:_([kmg]i?bit))?$`, 'i'),
  key,
  read: (text, unit = '') => bandwidthIn(decimal(text) >= 0 ? `${text}${unit}` : text),
  allowed: 'must be a bandwidth with its unit from 1kB/s to 100GB/s, such as 50 Mbit'
})

/** @type {readonly Attribute[]} */
const OF_EDGES = [
  {
    name: /^latency(?:_(us|ms|s))?$/i,
    key: 'latencyMs',
    read: latencyMs,
    allowed: 'must be a latency from 0 to 10 s, such as 20 ms; without a unit it is in ms'
  },
  bandwidth('bandwidth', 'bytesPerSecond'),
  {
    name: /^(?:packet_)?loss(?:_(percent))?$/i,
    key: 'lossShare',
    read: lossShare,
    allowed: 'must be a share from 0 to below 1, such as 0.01, or a percentage such as 1%'
  }
]

/** @type {readonly Attribute[]} */
const OF_NODES = [
  bandwidth('host_bandwidth_up', 'upBytesPerSecond'),
  bandwidth('host_bandwidth_down', 'downBytesPerSecond')
]

/** LinkDataReader reads attributes of edges and nodes, and counts those that are not used. */
export class LinkDataReader {
  /** @type {Record<'edge' | 'node', Map<string, number>>} */
  #unused = { edge: new Map(), node: new Map() }

  /** @param {Attributes | undefined} attributes @param {string} place @returns {Omit<LinkData, 'from' | 'to'>} */
  edge(attributes, place) {
    return this.#read(attributes, { what: 'edge', used: OF_EDGES, place })
  }

  /** @param {Attributes | undefined} attributes @param {string} place @returns {HostData} */
  node(attributes, place) {
    return this.#read(attributes, { what: 'node', used: OF_NODES, place })
  }

  /** What was not used, with how many edges or nodes had it. @returns {string[]} */
  get unused() {
    const all = Object.entries(this.#unused).flatMap(([what, counts]) =>
      [...counts].map(
        ([name, count]) => `${name.slice(0, MAX_NAME).replace(/\p{C}/gu, ' ')} of ${counted(count, what)}`
      )
    )
    const more = all.length - MAX_NAMED
    return more > 0 ? [...all.slice(0, MAX_NAMED), counted(more, 'further attribute')] : all
  }

  /** @param {Attributes | undefined} attributes @param {{ what: 'edge' | 'node', used: readonly Attribute[], place: string }} of */
  #read(attributes = {}, { what, used, place }) {
    /** @type {Record<string, number>} */
    const data = {}
    for (const [name, value] of Object.entries(attributes)) {
      if (value === null || value === '') continue
      const attribute = used.find(each => each.name.test(name))
      if (attribute === undefined) {
        const counts = this.#unused[what]
        counts.set(name, (counts.get(name) ?? 0) + 1)
        continue
      }
      const { key, read, allowed } = attribute
      const [, unit] = /** @type {RegExpExecArray} */ (attribute.name.exec(name))
      const number = read(String(value).trim(), unit)
      const said = `${name} ${JSON.stringify(value)?.slice(0, MAX_NAME)}`
      if (Number.isNaN(number)) throw new TopologyFileError(`${said} ${allowed}`, place)
      if (key in data) throw new TopologyFileError(`${said} says again what another attribute says`, place)
      data[key] = number
    }
    return data
  }
}
