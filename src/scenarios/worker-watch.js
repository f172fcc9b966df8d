/** A worker tells every second that it is there; on a machine that is very busy a turn of its event loop takes seconds. */
const SILENT_MS = 15_000
const LOOK_EVERY_MS = 1000

/** WorkerHungError is thrown when a worker process is there and tells nothing any more. */
export class WorkerHungError extends Error {
  name = 'WorkerHungError'
  code = 'WORKER_HUNG'
}

/** WorkerWatch notices workers that have died or hang, and keeps when they were last heard of. */
export class WorkerWatch {
  #onTrouble
  #clock
  /** @type {{ atNs: number, heardMs: number | null, gone: boolean }[]} */
  #workers
  #timer

  /**
   * @param {number} workers
   * @param {(error: Error) => void} onTrouble
   * @param {() => number} [clock] - ms, monotonic
   */
  constructor(workers, onTrouble, clock = () => performance.now()) {
    this.#onTrouble = onTrouble
    this.#clock = clock
    this.#workers = Array.from({ length: workers }, () => ({ atNs: 0, heardMs: null, gone: false }))
    this.#timer = setInterval(() => this.look(), LOOK_EVERY_MS)
  }

  /** begin expects to hear of every worker from now on. */
  begin() {
    for (const state of this.#workers) state.heardMs ??= this.#clock()
  }

  /** heard notes that a worker told something. @param {number} worker @param {number} atNs - of the host's clock */
  heard(worker, atNs) {
    Object.assign(this.#workers[worker], { atNs, heardMs: this.#clock() })
  }

  /** died notes that a worker is no longer there. @param {Error} error @param {number} worker */
  died(error, worker) {
    this.#workers[worker].gone = true
    this.#onTrouble(error)
  }

  /** look notices workers that have been silent for too long. */
  look() {
    for (const [worker, state] of this.#workers.entries()) {
      if (state.gone || state.heardMs === null || this.#clock() - state.heardMs < SILENT_MS) continue
      state.gone = true
      const seconds = ((this.#clock() - state.heardMs) / 1000).toFixed(0)
      this.#onTrouble(
        new WorkerHungError(
          `worker ${worker} has told nothing for ${seconds} s: it is stopped, or its event loop does not turn`
        )
      )
    }
  }

  /** gone lists the workers that died or hang, with when they were last heard of. */
  get gone() {
    return this.#workers.flatMap(({ gone, atNs }, worker) => (gone ? [{ worker, atNs }] : []))
  }

  stop() {
    clearInterval(this.#timer)
  }
}
