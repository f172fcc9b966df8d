// The thread that makes records of registrants: one range for each message.
import { parentPort, workerData } from 'node:worker_threads'
import { makeRecords } from './identities.js'

parentPort?.on('message', async ({ from, to }) => {
  const made = await makeRecords(workerData, { from, to })
  // memory of its own, so that it can be moved to the other thread
  const records = new Uint8Array(made)
  parentPort?.postMessage({ from, records }, [records.buffer])
})
