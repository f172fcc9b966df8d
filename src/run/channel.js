// Remote calls between a process and its child process, with replies and errors.

/**
 * @typedef {{ send?: (message: any, sent: (error: Error | null) => void) => boolean, on: (event: any, listener: (...args: any[]) => void) => unknown,
 *   connected?: boolean }} Port - `process` in a child, or a ChildProcess in its parent
 * @typedef {Record<string, (...args: any[]) => unknown>} Handlers
 */

/** ChannelClosedError is thrown by calls that can get no reply any more. */
export class ChannelClosedError extends Error {
  name = 'ChannelClosedError'
  code = 'ERR_CHANNEL_CLOSED'
}

/** Channel calls functions of the process at the other end and serves its calls. */
export class Channel {
  #port
  #handlers
  #nextId = 0
  /** @type {Map<number, { resolve: (value: any) => void, reject: (error: Error) => void }>} */
  #pending = new Map()

  /**
   * @param {Port} port
   * @param {Handlers} handlers - functions that the other end may call
   */
  constructor(port, handlers) {
    this.#port = port
    this.#handlers = handlers
    port.on('message', message => this.#receive(message))
    port.on('disconnect', () => this.#close())
  }

  /**
   * call runs a handler at the other end.
   *
   * @param {string} method
   * @param {...any} args - anything structured clone carries
   * @returns {Promise<any>} what the handler returned
   * @throws {ChannelClosedError} or the handler's error, with its code
   */
  call(method, ...args) {
    if (!this.#port.connected)
      return Promise.reject(new ChannelClosedError(`${method}: the other process exited`))
    const id = this.#nextId++
    return new Promise((resolve, reject) => {
      this.#pending.set(id, { resolve, reject })
      this.#port.send?.({ id, method, args }, error => {
        if (error != null) this.#fail(id, error)
      })
    })
  }

  /** @param {any} message */
  async #receive(message) {
    // other code of a process may send messages, too
    if (message === null || typeof message !== 'object') return
    if (message.method != null) return this.#serve(message)
    const pending = this.#pending.get(message.id)
    this.#pending.delete(message.id)
    if (message.error == null) pending?.resolve(message.result)
    else pending?.reject(Object.assign(new Error(message.error.message), message.error))
  }

  /** @param {{ id: number, method: string, args: any[] }} call */
  async #serve({ id, method, args }) {
    try {
      if (!Object.hasOwn(this.#handlers, method)) throw new Error(`nothing here is called ${method}`)
      const result = await this.#handlers[method](...args)
      this.#reply({ id, result })
    } catch (thrown) {
      const error = thrown instanceof Error ? thrown : new Error(String(thrown))
      const { message, code, stack } = /** @type {Error & { code?: string }} */ (error)
      this.#reply({ id, error: { message, code, stack } })
    }
  }

  /** @param {object} message */
  #reply(message) {
    // The empty callback ignores that the caller may be gone. Without it, the error would end this process.
    if (this.#port.connected) this.#port.send?.(message, () => {})
  }

  /** @param {number} id @param {Error} cause */
  #fail(id, cause) {
    this.#pending.get(id)?.reject(new ChannelClosedError('the other process exited', { cause }))
    this.#pending.delete(id)
  }

  #close() {
    for (const { reject } of this.#pending.values())
      reject(new ChannelClosedError('the other process exited'))
    this.#pending.clear()
  }
}
