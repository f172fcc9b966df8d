import { readFileSync } from 'node:fs'
import { flatKeyed } from '../kit/system-files.js'
import { memoryInUse } from './container-stats.js'

/** @param {string} file */
const ownFile = file => readFileSync(`/sys/fs/cgroup/${file}`, 'utf8')

/** Where a container finds its own control group, of version 2 or 1. */
const MEMORY = [
  ['memory.current', 'memory.stat'],
  ['memory/memory.usage_in_bytes', 'memory/memory.stat']
]

/** @template F, T @param {readonly F[]} places @param {(place: F) => T} read @returns {T | null} of the first that can be read */
function firstOf(places, read) {
  for (const place of places)
    try {
      return read(place)
    } catch {
      // the other version
    }
  return null
}

/**
 * ownContainerMemory is what the container that this process is in has in use, without page cache.
 *
 * @param {(file: string) => string} [read]
 * @returns {number | null} bytes; null: it cannot be read
 */
export const ownContainerMemory = (read = ownFile) =>
  firstOf(MEMORY, ([usage, stat]) =>
    memoryInUse({ usage: Number(read(usage)), stats: flatKeyed(read(stat)) })
  )
