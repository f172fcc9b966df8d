/**
 * @typedef {object} Waiter - until it closes
 * @property {(type: 'close', listener: () => void) => void} addEventListener
 * @property {(type: 'close', listener: () => void) => void} removeEventListener
 */

/** Waiting are those who wait for the same, in the order they came. Who closes waits no longer, and is forgotten. */
export class Waiting {
  /** @type {Set<() => void>} */
  #all = new Set()

  get size() {
    return this.#all.size
  }

  /** add is until wake, or until who waits has closed. @param {Waiter} [who] - open @returns {Promise<void>} */
  add(who) {
    return new Promise(resolve => {
      const go = () => {
        this.#all.delete(go)
        who?.removeEventListener('close', go)
        resolve()
      }
      this.#all.add(go)
      who?.addEventListener('close', go)
    })
  }

  /** wake lets the first go on. @param {number} [most] */
  wake(most = Infinity) {
    let left = most
    for (const go of this.#all) {
      if (left-- <= 0) return
      go()
    }
  }
}
