import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'

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
