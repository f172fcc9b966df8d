import { spawn } from 'node:child_process'

/** For as long as who began it lives. */
const LOOP = 'const by = process.ppid; while (process.ppid === by);'

/**
 * busyLoop takes what it gets of a core. It has a session of its own, as servers and workers of a run have: Linux may share cores out by
 * session, and that of a terminal may have less than others.
 *
 * @param {number} core
 * @returns {() => void} ends it
 */
export function busyLoop(core) {
  const loop = spawn('taskset', ['--cpu-list', String(core), process.execPath, '-e', LOOP], {
    stdio: 'ignore',
    detached: true
  })
  const end = () => void loop.kill('SIGKILL')
  process.once('exit', end)
  return () => {
    process.off('exit', end)
    end()
  }
}
