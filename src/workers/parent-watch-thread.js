import { workerData } from 'node:worker_threads'

const LOOK_EVERY_MS = 500

// a process whose parent has ended gets another one
setInterval(() => {
  if (process.ppid !== workerData) process.kill(process.pid, 'SIGKILL')
}, LOOK_EVERY_MS)
