import { setImmediate as turn } from 'node:timers/promises'

/** VirtualTime is a clock that stands still while anything happens and jumps to whatever is waited for next. */
export class VirtualTime {
  nowNs = 0n
  /** @type {{ dueNs: bigint, resolve: () => void }[]} */
  #sleepers = []

  clock = () => this.nowNs

  /** @param {bigint} dueNs @returns {Promise<void>} */
  until = dueNs => new Promise(resolve => this.#sleepers.push({ dueNs, resolve }))

  /** @param {number} ms */
  sleep = ms => this.until(this.nowNs + BigInt(Math.round(ms * 1e6)))

  /** run lets time pass until the work is done. @template T @param {Promise<T>} work @returns {Promise<T>} */
  async run(work) {
    let done = false
    work.finally(() => {
      done = true
    })
    for (await turn(); !done; await turn()) this.#wakeNext()
    return work
  }

  #wakeNext() {
    this.#sleepers.sort((a, b) => Number(a.dueNs - b.dueNs))
    const next = this.#sleepers.shift()
    if (next == null) return
    if (next.dueNs > this.nowNs) this.nowNs = next.dueNs
    next.resolve()
  }
}
