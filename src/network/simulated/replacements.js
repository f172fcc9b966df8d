/** Replacements are properties that stand in for others for a while. */
export class Replacements {
  /** @type {{ object: object, name: PropertyKey, before: PropertyDescriptor | undefined }[]} */
  #made = []

  /**
   * put replaces properties.
   *
   * @param {object} object
   * @param {Record<string, unknown>} values - by property
   */
  put(object, values) {
    for (const [name, value] of Object.entries(values)) {
      const before = Object.getOwnPropertyDescriptor(object, name)
      this.#made.push({ object, name, before })
      const enumerable = before?.enumerable ?? true
      Object.defineProperty(object, name, { value, enumerable, writable: true, configurable: true })
    }
  }

  /** undo puts back what was there. */
  undo() {
    for (const { object, name, before } of this.#made.reverse()) {
      if (before === undefined) Reflect.deleteProperty(object, name)
      else Object.defineProperty(object, name, before)
    }
    this.#made = []
  }
}
