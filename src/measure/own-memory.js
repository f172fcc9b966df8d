import { constants, PerformanceObserver } from 'node:perf_hooks'
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'

/**
 * @typedef {import('./meter.js').OwnMemory} OwnMemory
 *
 * @typedef {object} Components
 * @property {() => { rss: number, heapUsed: number, external: number }} usage - of memory by this process, bytes
 * @property {(onCollection: () => void) => () => void} observe - calls after each full garbage collection, until what it returns is called
 */

/**
 * OwnMemoryWatch reads the memory of this process. How much is in use is read just after full garbage collections: at any other moment
 * most of what a heap has gained is what nobody needs any more.
 */
export class OwnMemoryWatch {
  #usage
  #ignore
  /** @type {number | null} since it was last asked for */
  #inUseBytes = null

  /** @param {Partial<Components>} [components] */
  constructor({ usage = () => process.memoryUsage(), observe = observeCollections } = {}) {
    this.#usage = usage
    this.#ignore = observe(() => {
      const { heapUsed, external } = usage()
      this.#inUseBytes = heapUsed + external
    })
  }

  /** read gives what there is just now. @returns {OwnMemory} */
  read() {
    const inUseBytes = this.#inUseBytes
    this.#inUseBytes = null
    return { residentBytes: this.#usage().rss, inUseBytes }
  }

  stop() {
    this.#ignore()
  }
}

/** @type {Components['observe']} */
function observeCollections(onCollection) {
  const observer = new PerformanceObserver(list => {
    const collections = /** @type {{ detail: { kind: number } }[]} */ (
      /** @type {unknown} */ (list.getEntries())
    )
    if (collections.some(({ detail: { kind } }) => kind === constants.NODE_PERFORMANCE_GC_MAJOR))
      onCollection()
  })
  observer.observe({ entryTypes: ['gc'] })
  return () => observer.disconnect()
}

/** @type {(() => void) | null} */
let collect = null

/** collectGarbage makes a full garbage collection now. Node has the function only once it was asked for it. */
export function collectGarbage() {
  if (collect === null) {
    setFlagsFromString('--expose-gc')
    collect = runInNewContext('gc')
  }
  collect?.()
}
