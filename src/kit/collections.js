// Functions on lists (sum, median, group, split) and data structures: heap, first-in-first-out queue, columns of typed
// arrays.
/**
 * omitMissing leaves out what is not there, so that a list says with `condition && item` what is in it at times.
 *
 * @template T
 * @param {readonly (T | null | undefined | false)[]} items
 * @returns {T[]}
 */
export const omitMissing = items => items.flatMap(item => (item == null || item === false ? [] : [item]))

/**
 * @template T
 * @typedef {{ reduce(add: (sum: number, item: T) => number, start: number): number }} Items - a list, or an array of numbers
 */

/**
 * computeSum adds up.
 *
 * @template [T=number]
 * @param {Items<T>} items
 * @param {(item: T) => number} [of] - what of an item, where the items are no numbers
 */
export const computeSum = (items, of = Number) => items.reduce((sum, item) => sum + of(item), 0)

/**
 * findLargest finds the largest number that is not below 0.
 *
 * @template [T=number]
 * @param {Items<T>} items
 * @param {(item: T) => number} [of] - what of an item, where the items are no numbers
 * @returns {number} 0 of no items
 */
export const findLargest = (items, of = Number) =>
  items.reduce((largest, item) => Math.max(largest, of(item)), 0)

/**
 * joinWords writes a list as a sentence has it: A, B and C.
 *
 * @param {readonly string[]} items
 */
export const joinWords = items =>
  items.length < 2 ? items.join('') : `${items.slice(0, -1).join(', ')} and ${items[items.length - 1]}`

/**
 * groupNeighbours puts neighbours together until there are few groups.
 *
 * @template T
 * @param {readonly T[]} items
 * @param {number} maxGroups
 * @returns {T[][]} groups of the same size, the last one smaller
 */
export function groupNeighbours(items, maxGroups) {
  const size = Math.max(1, Math.ceil(items.length / maxGroups))
  return Array.from({ length: Math.ceil(items.length / size) }, (_, i) =>
    items.slice(i * size, (i + 1) * size)
  )
}

/**
 * pickEvenly takes items that lie as far from one another as can be.
 *
 * @template T
 * @param {readonly T[]} items
 * @param {number} maxItems
 * @returns {readonly T[]} all of them where they are no more
 */
export const pickEvenly = (items, maxItems) =>
  items.length <= maxItems
    ? items
    : Array.from({ length: maxItems }, (_, i) => items[Math.floor((i * items.length) / maxItems)])

/**
 * groupBy groups items that have the same key. Groups and items keep their order.
 *
 * @template T
 * @template K
 * @param {Iterable<T>} items
 * @param {(item: T) => K} keyOf
 * @returns {[key: K, items: T[]][]}
 */
export function groupBy(items, keyOf) {
  /** @type {Map<K, T[]>} */
  const groups = new Map()
  for (const item of items) {
    const group = groups.get(keyOf(item))
    if (group === undefined) groups.set(keyOf(item), [item])
    else group.push(item)
  }
  return [...groups]
}

/**
 * median is the value in the middle, or the mean of the two in the middle.
 *
 * @param {readonly number[]} values
 * @returns {number} NaN of no values
 */
export function median(values) {
  const sorted = values.toSorted((a, b) => a - b)
  const middle = sorted.length >> 1
  return sorted.length % 2 === 1 ? sorted[middle] : (sorted[middle - 1] + sorted[middle]) / 2
}

/**
 * removeDuplicates leaves out problems that are said already.
 *
 * @template T
 * @param {readonly T[]} problems
 * @returns {T[]}
 */
export const removeDuplicates = problems => [
  ...new Map(problems.map(problem => [JSON.stringify(problem), problem])).values()
]

/**
 * splitEvenly splits a total into whole parts that differ by at most one and lose nothing to rounding.
 *
 * @param {number} total
 * @param {number} parts
 * @returns {number[]}
 */
export const splitEvenly = (total, parts) =>
  Array.from({ length: parts }, (_, i) => Math.floor(total / parts) + (i < total % parts ? 1 : 0))

/**
 * dealIndices gives the indices that fall to one of several hands, dealt like cards.
 *
 * @param {number} total
 * @param {number} hand - from 0
 * @param {number} hands
 * @returns {number[]}
 */
export const dealIndices = (total, hand, hands) =>
  Array.from({ length: Math.ceil(Math.max(0, total - hand) / hands) }, (_, i) => hand + i * hands)

/**
 * findSnakeHand gives the hand that one of them falls to when they are dealt back and forth (0, 1, 1, 0, 0, 1 …), so that none gets the better one of each
 * round: in a network that grew, earlier nodes have more neighbours.
 *
 * @param {number} index
 * @param {number} hands
 */
export function findSnakeHand(index, hands) {
  const round = Math.floor(index / hands)
  const seat = index % hands
  return round % 2 === 0 ? seat : hands - 1 - seat
}

/** Children of an entry: their keys lie in one line of the cache. */
const WIDTH = 4
const INITIAL_CAPACITY = 64

/**
 * Heap gives entries in the order of a number that each has, its key. It is a heap of four whose keys lie side by side: finding a place looks at
 * entries themselves only where keys are equal. Adding and removing cost O(log n), looking at the first costs O(1).
 *
 * @template T
 */
export class Heap {
  /** @type {T[]} */
  #entries = []
  #keys = new Float64Array(INITIAL_CAPACITY)
  #isBefore
  #placed

  /**
   * @param {object} [order]
   * @param {(a: T, b: T) => boolean} [order.isBefore] - of entries with one key; default: they come in any order
   * @param {(entry: T, place: number) => void} [order.placed] - is told where an entry stands now, for `removeAt` and `keyAt`
   */
  constructor({ isBefore = () => false, placed } = {}) {
    this.#isBefore = isBefore
    this.#placed = placed
  }

  get size() {
    return this.#entries.length
  }

  /** first stays in the heap. @returns {T | undefined} */
  first() {
    return this.#entries[0]
  }

  /** firstKey is that of the first entry; Infinity: there is none. */
  get firstKey() {
    return this.#entries.length === 0 ? Infinity : this.#keys[0]
  }

  /** @param {number} place - of an entry */
  keyAt(place) {
    return this.#keys[place]
  }

  /** @param {T} entry @param {number} key - not NaN */
  add(entry, key) {
    const place = this.#entries.length
    if (place === this.#keys.length) this.#grow()
    this.#rise(entry, key, place)
  }

  /** take takes the first entry out. @returns {T | undefined} */
  take() {
    const first = this.#entries[0]
    if (this.#entries.length > 0) this.removeAt(0)
    return first
  }

  /** @param {number} place - of an entry */
  removeAt(place) {
    const last = /** @type {T} */ (this.#entries.pop())
    if (place === this.#entries.length) return
    const key = this.#keys[this.#entries.length]
    this.#sink(last, key, this.#rise(last, key, place))
  }

  clear() {
    this.#entries = []
    this.#keys = new Float64Array(INITIAL_CAPACITY)
  }

  #grow() {
    const keys = new Float64Array(2 * this.#keys.length)
    keys.set(this.#keys)
    this.#keys = keys
  }

  /** @param {T} entry @param {number} key @param {number} place - free @returns {number} where it stands now */
  #rise(entry, key, place) {
    while (place > 0) {
      const above = Math.floor((place - 1) / WIDTH)
      const aboveKey = this.#keys[above]
      if (key > aboveKey || (key === aboveKey && !this.#isBefore(entry, this.#entries[above]))) break
      this.#set(this.#entries[above], aboveKey, place)
      place = above
    }
    this.#set(entry, key, place)
    return place
  }

  /** @param {T} entry @param {number} key @param {number} place - its own */
  #sink(entry, key, place) {
    for (let child = this.#firstBelow(place); child >= 0; child = this.#firstBelow(place)) {
      const childKey = this.#keys[child]
      if (childKey > key || (childKey === key && !this.#isBefore(this.#entries[child], entry))) break
      this.#set(this.#entries[child], childKey, place)
      place = child
    }
    this.#set(entry, key, place)
  }

  /** The child that comes first, or -1. @param {number} place */
  #firstBelow(place) {
    const begin = WIDTH * place + 1
    const end = Math.min(begin + WIDTH, this.#entries.length)
    if (begin >= end) return -1
    let first = begin
    for (let each = begin + 1; each < end; each++) if (this.#isAhead(each, first)) first = each
    return first
  }

  /** @param {number} a - a place @param {number} b - a place */
  #isAhead(a, b) {
    const key = this.#keys[a]
    const other = this.#keys[b]
    return key < other || (key === other && this.#isBefore(this.#entries[a], this.#entries[b]))
  }

  /** @param {T} entry @param {number} key @param {number} place */
  #set(entry, key, place) {
    this.#entries[place] = entry
    this.#keys[place] = key
    this.#placed?.(entry, place)
  }
}

const MIN_SLOTS = 4

/**
 * Fifo is a queue whose entries can be looked at by their place: a ring that grows, and keeps nothing that has left it.
 *
 * @template T
 */
export class Fifo {
  /** As many as a power of two. @type {(T | undefined)[]} */
  #slots = []
  #head = 0
  #length = 0

  get length() {
    return this.#length
  }

  /** @param {T} entry */
  push(entry) {
    if (this.#length === this.#slots.length) this.#grow()
    this.#slots[(this.#head + this.#length) & (this.#slots.length - 1)] = entry
    this.#length += 1
  }

  /** @param {number} [place] - 0: the oldest @returns {T | undefined} */
  peek(place = 0) {
    if (place >= this.#length) return undefined
    return this.#slots[(this.#head + place) & (this.#slots.length - 1)]
  }

  /** @returns {T | undefined} the oldest, which leaves */
  shift() {
    if (this.#length === 0) return undefined
    const entry = this.#slots[this.#head]
    this.#slots[this.#head] = undefined
    this.#head = (this.#head + 1) & (this.#slots.length - 1)
    this.#length -= 1
    return entry
  }

  #grow() {
    const slots = Math.max(MIN_SLOTS, 2 * this.#length)
    this.#slots = Array.from({ length: slots }, (_, place) => this.peek(place))
    this.#head = 0
  }
}

/**
 * @typedef {Uint8Array | Uint16Array | Uint32Array | Int32Array | Float32Array | Float64Array} Column
 */

const FIRST_ROWS = 1024

/**
 * Columns is a table of typed arrays that grows by rows. It is handed over in exact copies and then begins anew, in the memory it
 * already has.
 *
 * @template {Record<string, Column>} T
 */
export class Columns {
  #types
  #capacity = FIRST_ROWS
  #rows = 0
  /** columns are written to at the place that `next` gives. @type {T} */
  columns

  /** @param {{ [K in keyof T]: new (length: number) => T[K] }} types - of the columns, by name */
  constructor(types) {
    this.#types = types
    this.columns = this.#map(name => new types[name](FIRST_ROWS))
  }

  /** next makes room for a row. @returns {number} its place in every column */
  next() {
    if (this.#rows === this.#capacity) this.#grow()
    return this.#rows++
  }

  /** add appends a row. @param {{ [K in keyof T]?: number }} values - by column; those of other names are left out */
  add(values) {
    const row = this.next()
    const { columns } = this
    for (const name in columns) /** @type {any} */ (columns[name])[row] = values[name]
  }

  /** take hands over the rows so far. @returns {T} */
  take() {
    const taken = this.#map(name => /** @type {T[keyof T]} */ (this.columns[name].slice(0, this.#rows)))
    this.#rows = 0
    return taken
  }

  #grow() {
    this.#capacity *= 2
    const before = this.columns
    this.columns = this.#map(name => {
      const column = new this.#types[name](this.#capacity)
      column.set(before[name])
      return column
    })
  }

  /** @param {(name: keyof T) => T[keyof T]} columnOf @returns {T} */
  #map(columnOf) {
    const names = /** @type {(keyof T)[]} */ (Object.keys(this.#types))
    return /** @type {T} */ (
      /** @type {unknown} */ (Object.fromEntries(names.map(name => [name, columnOf(name)])))
    )
  }
}
