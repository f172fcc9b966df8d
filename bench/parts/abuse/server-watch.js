// Loaded into the server (node --import): tells whoever forked it what it costs.
import { setTimeout as sleep } from 'node:timers/promises'
import { LoopWatch } from '../../../src/server/loop-watch.js'

const watch = new LoopWatch()

/** What buffers held is given back behind a collection, by a thread of its own. */
const SWEPT_MS = 500

process.on('message', async (/** @type {{ collect?: boolean }} */ { collect }) => {
  for (let times = 0; collect && times < 2; times++) {
    globalThis.gc?.()
    await sleep(SWEPT_MS)
  }
  process.send?.(watch.seen())
})
process.channel?.unref()
