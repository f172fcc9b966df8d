/**
 * @typedef {object} PoolFigures - of a pool of connections since it was opened
 * @property {number} connections - at most
 * @property {number} statements
 * @property {number} waitedMs - of all statements together, for a connection
 * @property {number} heldMs - of all statements together, with a connection
 */

/**
 * PoolUse counts for how long statements waited for a connection of a pool, and for how long they had one.
 *
 * @template {{ release: (error?: Error) => void }} C - a connection
 */
export class PoolUse {
  #connect
  #figures

  /** @param {() => Promise<C>} connect - takes one from the pool @param {number} connections */
  constructor(connect, connections) {
    this.#connect = connect
    this.#figures = { connections, statements: 0, waitedMs: 0, heldMs: 0 }
  }

  /** figures so far. @returns {PoolFigures} */
  get figures() {
    return { ...this.#figures }
  }

  /**
   * on does something on a connection, which is given up where that fails.
   *
   * @template T
   * @param {(client: C) => Promise<T>} work
   * @returns {Promise<T>}
   */
  async on(work) {
    const askedMs = performance.now()
    const client = await this.#connect()
    const gotMs = performance.now()
    this.#figures.statements++
    this.#figures.waitedMs += gotMs - askedMs
    try {
      const done = await work(client)
      client.release()
      return done
    } catch (error) {
      client.release(/** @type {Error} */ (error))
      throw error
    } finally {
      this.#figures.heldMs += performance.now() - gotMs
    }
  }
}
