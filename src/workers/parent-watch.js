import { Worker } from 'node:worker_threads'

const THREAD = new URL('./parent-watch-thread.js', import.meta.url)

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
  const thread = new Worker(THREAD, {
    workerData: { parent: process.ppid, ended },
    // nothing of what this process was started with: no other program, no larger heap
    execArgv: [],
    resourceLimits: SMALL
  })
  thread.unref()
}
