import { setFlagsFromString } from 'node:v8'

/** HEAP_GROWTH_PERCENT is how much garbage there may be, as a share of what lives, before V8 searches all memory for it. */
export const HEAP_GROWTH_PERCENT = 165

/** SEMI_SPACE_MB is the most of each half of what V8 keeps new objects in: as much of them is copied when it is full, and three times as much reserved. */
export const SEMI_SPACE_MB = 8

/** NODE_FLAGS are those of the process of a server: V8 reads them once, when it starts. @type {readonly string[]} */
export const NODE_FLAGS = Object.freeze([`--max-semi-space-size=${SEMI_SPACE_MB}`])

/**
 * letHeapGrow is for a process that answers others: V8 by itself lets a program that allocates slowly have 8 MB of garbage, buffers
 * included, and then stops it for several ms; one that allocates fast has up to 300 %. Strangers need 400 kB a second each to make that
 * two stops a second. V8 reads the flag whenever it decides this, so it can be set while the program runs.
 *
 * @returns {import('../libp2p/node-settings.js').Settings} what is changed by it
 */
export function letHeapGrow() {
  setFlagsFromString(`--heap-growing-percent=${HEAP_GROWTH_PERCENT}`)
  return {
    'v8.heapGrowingPercent': {
      value: HEAP_GROWTH_PERCENT,
      why: 'memory is searched for garbage when there is some 45 MB of it, not for each 8 MB: a stop of several ms each time'
    }
  }
}

/** semiSpaceSettings are what the flags of this process change. @returns {import('../libp2p/node-settings.js').Settings} */
export const semiSpaceSettings = () =>
  process.execArgv.includes(NODE_FLAGS[0])
    ? {
        'v8.maxSemiSpaceMB': {
          value: SEMI_SPACE_MB,
          why: 'new objects take 20 MB less than with the 16 of V8'
        }
      }
    : {}
