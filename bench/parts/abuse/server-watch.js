// Loaded into the server (node --import): tells whoever forked it what it costs.
import { LoopWatch } from '../../../src/server/loop-watch.js'

const watch = new LoopWatch()

process.on('message', (/** @type {{ collect?: boolean }} */ { collect }) => {
  if (collect) globalThis.gc?.()
  process.send?.(watch.seen())
})
process.channel?.unref()
