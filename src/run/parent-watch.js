// Ends this process when its parent process ends, even if its event loop is blocked. Its thread runs this file, too.
import { Worker, workerData } from 'node:worker_threads'

const LOOK_EVERY_MS = 500

/** A thread that compares two numbers needs no more memory. */
const THREAD_LIMITS = { maxOldGenerationSizeMb: 16, maxYoungGenerationSizeMb: 2, stackSizeMb: 1 }

/**
 * exitWithParent ends this process when its parent process has ended. It must be called before anything that takes time. A blocked event loop
 * does not notice the disconnection: so a thread checks as well, and ends the process within a second. Virtual clocks and timers, which may
 * be set later, do not affect the thread.
 *
 * @param {number} [ended] - the process, or the negative number of its group, to end its children, too
 */
export function exitWithParent(ended = process.pid) {
  process.on('disconnect', () => process.exit())
  const thread = new Worker(new URL(import.meta.url), {
    workerData: { watchedParent: process.ppid, ended },
    // without the flags of this process, such as another program or a larger heap
    execArgv: [],
    resourceLimits: THREAD_LIMITS
  })
  thread.unref()
}

/** A process whose parent has ended gets another parent. @param {{ watchedParent: number, ended: number }} of */
function watchParent({ watchedParent, ended }) {
  setInterval(() => {
    if (process.ppid !== watchedParent) process.kill(ended, 'SIGKILL')
  }, LOOK_EVERY_MS)
}

if (workerData?.watchedParent !== undefined) watchParent(workerData)
