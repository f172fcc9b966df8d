// The thread that ends a worker process whose parent is gone.
import { workerData } from 'node:worker_threads'

/** @type {{ parent: number, ended: number }} */
const { parent, ended } = workerData
const LOOK_EVERY_MS = 500

// a process whose parent has ended gets another one
setInterval(() => {
  if (process.ppid !== parent) process.kill(ended, 'SIGKILL')
}, LOOK_EVERY_MS)
