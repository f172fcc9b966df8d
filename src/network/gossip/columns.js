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
  #room = FIRST_ROWS
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
    if (this.#rows === this.#room) this.#grow()
    return this.#rows++
  }

  /** take hands over the rows so far. @returns {T} */
  take() {
    const taken = this.#map(name => /** @type {T[keyof T]} */ (this.columns[name].slice(0, this.#rows)))
    this.#rows = 0
    return taken
  }

  #grow() {
    this.#room *= 2
    const before = this.columns
    this.columns = this.#map(name => {
      const column = new this.#types[name](this.#room)
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
