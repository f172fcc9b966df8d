// A thread that makes signed peer records of registrants, which are peers registered at a server before a measurement.
import { parentPort, workerData } from 'node:worker_threads'
import { makeRecords } from './identities.js'

parentPort?.on('message', async ({ from, to }) => {
  const made = await makeRecords(workerData, { from, to })
  // memory of its own, so that it can be moved to the other thread
  const records = new Uint8Array(made)
  parentPort?.postMessage({ from, records }, [records.buffer])
})
