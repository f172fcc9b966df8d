import { isStopped } from '../workers/process-state.js'

/** A worker tells every second that it is there. One that is stopped is noticed within ten: when it told last, and when it is looked at, are a second each. */
const SILENT_MS = 8000
/** One on another machine cannot be heard while the bus is away, which is told by itself, as is that its agent is gone. */
const SILENT_ELSEWHERE_MS = 20_000
/** Where nodes have more to do than they can, a turn of their event loop takes many seconds; more on a slow machine. */
const BUSY_MS = 60_000
const LOOK_EVERY_MS = 1000
/** Not later than this, a look is in time. */
const LATE_LOOK_MS = 2 * LOOK_EVERY_MS

/** WorkerHungError is thrown when a worker process is there and tells nothing any more. */
export class WorkerHungError extends Error {
  name = 'WorkerHungError'
  code = 'WORKER_HUNG'
}

/** workerNames are what workers are called in messages. @param {number} workers @returns {string[]} */
export const workerNames = workers => Array.from({ length: workers }, (_, worker) => `worker ${worker}`)

/** WorkerWatch notices workers that have died or hang, and keeps when they were last heard of. */
export class WorkerWatch {
  #onTrouble
  #clock
  #pidOf
  #stopped
  /** @type {{ name: string, atNs: number, heardMs: number | null, gone: boolean }[]} */
  #workers
  #lookedMs
  #timer

  /**
   * @param {readonly string[]} names - of the workers, for messages
   * @param {(error: Error) => void} onTrouble
   * @param {object} [components]
   * @param {(worker: number) => number | null | undefined} [components.pidOf] - null: it is on another machine; undefined: not known
   * @param {() => number} [components.clock] - ms, monotonic
   * @param {(pid: number) => boolean | null} [components.stopped] - whether a process is stopped; null: not known
   */
  constructor(
    names,
    onTrouble,
    { pidOf = () => undefined, clock = () => performance.now(), stopped = isStopped } = {}
  ) {
    this.#onTrouble = onTrouble
    this.#clock = clock
    this.#pidOf = pidOf
    this.#stopped = stopped
    this.#workers = names.map(name => ({ name, atNs: 0, heardMs: null, gone: false }))
    this.#lookedMs = clock()
    this.#timer = setInterval(() => this.look(), LOOK_EVERY_MS)
  }

  /** begin expects to hear of every worker from now on. */
  begin() {
    for (const state of this.#workers) state.heardMs ??= this.#clock()
  }

  /** heard notes that a worker told something. @param {number} worker @param {number} [atNs] - of the host's clock, if it has one of its own */
  heard(worker, atNs = 0) {
    Object.assign(this.#workers[worker], { atNs, heardMs: this.#clock() })
  }

  /** died notes that a worker is no longer there. @param {Error} error @param {number} worker */
  died(error, worker) {
    this.#workers[worker].gone = true
    this.#onTrouble(error)
  }

  /** lost notes that a worker is gone with its machine, and the run goes on without it. @param {number} worker */
  lost(worker) {
    this.#workers[worker].gone = true
  }

  /** look notices workers that have been silent for too long. */
  look() {
    const nowMs = this.#clock()
    // as long as this process was itself stopped, it could hear nothing
    const deafMs = Math.max(0, nowMs - this.#lookedMs - LATE_LOOK_MS)
    this.#lookedMs = nowMs
    for (const state of this.#workers) if (state.heardMs !== null) state.heardMs += deafMs
    for (const [worker, state] of this.#workers.entries()) {
      if (state.gone || state.heardMs === null || !this.#hangs(worker, nowMs - state.heardMs)) continue
      state.gone = true
      const seconds = ((nowMs - state.heardMs) / 1000).toFixed(0)
      this.#onTrouble(
        new WorkerHungError(
          `${state.name} has told nothing for ${seconds} s: it is stopped, or its event loop does not turn`
        )
      )
    }
  }

  /** What runs may only be busy. @param {number} worker @param {number} silentMs */
  #hangs(worker, silentMs) {
    const pid = this.#pidOf(worker)
    if (pid === null) return silentMs >= SILENT_ELSEWHERE_MS
    return (
      silentMs >= BUSY_MS || (silentMs >= SILENT_MS && (pid === undefined || this.#stopped(pid) !== false))
    )
  }

  /** gone lists the workers that died or hang, with when they were last heard of. */
  get gone() {
    return this.#workers.flatMap(({ gone, atNs }, worker) => (gone ? [{ worker, atNs }] : []))
  }

  stop() {
    clearInterval(this.#timer)
  }
}
