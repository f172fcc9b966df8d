import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'

const LOOK_EVERY_MS = 20

/**
 * @typedef {object} Usage - of a process, while something went on
 * @property {number} cpuMs
 * @property {number} wallMs
 * @property {number} peakBytes - resident, as looked at every 20 ms
 */

/** watchUsage begins to watch what this process uses. @returns {() => Usage} ends it */
export function watchUsage() {
  const [beganMs, before] = [performance.now(), process.cpuUsage()]
  let peakBytes = process.memoryUsage.rss()
  const look = () => {
    peakBytes = Math.max(peakBytes, process.memoryUsage.rss())
  }
  const timer = setInterval(look, LOOK_EVERY_MS)
  return () => {
    clearInterval(timer)
    look()
    const { user, system } = process.cpuUsage(before)
    return { cpuMs: (user + system) / 1000, wallMs: performance.now() - beganMs, peakBytes }
  }
}

/**
 * @typedef {{ residentBytes: number, heapBytes: number, externalBytes: number }} Memory - of this process
 * @typedef {{ blocks: number | null, before: Memory, after: Memory }} MemoryReading - `blocks`: that were stored by then; null: at the end
 */

/** @type {(() => void) | null} */
let collect = null

/** The function is there only once Node was told so. */
function collectAll() {
  if (collect === null) {
    setFlagsFromString('--expose-gc')
    collect = runInNewContext('gc')
  }
  collect?.()
}

/** @returns {Memory} */
function inUse() {
  const { rss, heapUsed, external } = process.memoryUsage()
  return { residentBytes: rss, heapBytes: heapUsed, externalBytes: external }
}

/** readMemory reads the memory of this process, before and after a full collection. @param {number | null} blocks @returns {MemoryReading} */
export function readMemory(blocks) {
  const before = inUse()
  collectAll()
  return { blocks, before, after: inUse() }
}
