// Loaded into the server (node --import): tells whoever forked it what it costs. The longest turn of the event loop is the CPU time of
// its thread between two ticks of a timer, which a busy machine does not lengthen; it is too large by at most what is done in 5 ms.
import { openSync, readSync } from 'node:fs'

const TICK_MS = 5
const TICKS_PER_SAMPLE = 20

const schedstat = openSync(`/proc/self/task/${process.pid}/schedstat`, 'r')
const text = Buffer.alloc(64)

function cpuMs() {
  readSync(schedstat, text, 0, text.length, 0)
  return Number.parseInt(text.toString('latin1'), 10) / 1e6
}

let seen = { longestTurnMs: 0, rssBytes: 0 }
let before = cpuMs()
let ticks = 0

setInterval(() => {
  const now = cpuMs()
  seen.longestTurnMs = Math.max(seen.longestTurnMs, now - before)
  if (++ticks % TICKS_PER_SAMPLE === 0) seen.rssBytes = Math.max(seen.rssBytes, process.memoryUsage.rss())
  before = now
}, TICK_MS).unref()

process.on('message', (/** @type {{ collect?: boolean }} */ { collect }) => {
  if (collect) globalThis.gc?.()
  const { heapUsed, external } = process.memoryUsage()
  const { user, system } = process.cpuUsage()
  process.send?.({
    ...seen,
    cpuMs: (user + system) / 1000,
    heapBytes: heapUsed,
    externalBytes: external
  })
  seen = { longestTurnMs: 0, rssBytes: process.memoryUsage.rss() }
  before = cpuMs()
})
process.channel?.unref()
