// The watch on the process that forked this one, which ends this one with it. Its thread runs this file, too.
import { Worker, workerData } from 'node:worker_threads'

const LOOK_EVERY_MS = 500

/** A thread that looks at two numbers needs no more. */
const SMALL = { maxOldGenerationSizeMb: 16, maxYoungGenerationSizeMb: 2, stackSizeMb: 1 }

/**
 * endWithParent ends this process, which was forked, when the one that forked it is gone: a worker without a parent has nobody to work
 * for. It is called before anything that takes time. An event loop that does not turn hears of no disconnection, so a thread looks as
 * well, and ends the process within a second. It begins before clocks and timers are replaced by virtual ones, and notices nothing of
 * those: a thread has its own.
 *
 * @param {number} [ended] - the process, or the negative number of its group, where what it has started ends with it
 */
export function endWithParent(ended = process.pid) {
  process.on('disconnect', () => process.exit())
  const thread = new Worker(new URL(import.meta.url), {
    workerData: { watchedParent: process.ppid, ended },
    // nothing of what this process was started with: no other program, no larger heap
    execArgv: [],
    resourceLimits: SMALL
  })
  thread.unref()
}

/** What the thread does: a process whose parent has ended gets another one. @param {{ watchedParent: number, ended: number }} of */
function watch({ watchedParent, ended }) {
  setInterval(() => {
    if (process.ppid !== watchedParent) process.kill(ended, 'SIGKILL')
  }, LOOK_EVERY_MS)
}

if (workerData?.watchedParent !== undefined) watch(workerData)
