import { readFileSync } from 'node:fs'
import { setImmediate as turn } from 'node:timers/promises'

const SCHEDSTAT = `/proc/self/task/${process.pid}/schedstat`

/** CPU time of this thread, which neither a busy machine nor V8's own threads change; elsewhere of the process. */
function cpuMs() {
  if (process.platform === 'linux') return Number(readFileSync(SCHEDSTAT, 'latin1').split(' ', 1)[0]) / 1e6
  const { user, system } = process.cpuUsage()
  return (user + system) / 1000
}

/** watchTurns measures each turn of the event loop, in ms of CPU time, until it is stopped. */
export function watchTurns() {
  const watched = { longestMs: 0, on: true }
  const watch = async () => {
    let before = cpuMs()
    while (watched.on) {
      await turn()
      const now = cpuMs()
      watched.longestMs = Math.max(watched.longestMs, now - before)
      before = now
    }
  }
  watch()
  return watched
}
