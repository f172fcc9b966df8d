// A thread that measures pauses of the machine: it sleeps for short times and reports by how much each sleep was too
// long.
import { parentPort, workerData } from 'node:worker_threads'
import { Histogram } from '../measure/histogram.js'

/** @type {{ stop: Int32Array<SharedArrayBuffer>, sleepMs: number, tellEveryMs: number }} */
const { stop, sleepMs, tellEveryMs } = workerData

const now = () => Number(process.hrtime.bigint()) / 1e6

let overshoots = new Histogram()
let sentMs = now()
while (Atomics.load(stop, 0) === 0) {
  const beforeMs = now()
  Atomics.wait(stop, 0, 0, sleepMs)
  const afterMs = now()
  if (Atomics.load(stop, 0) === 0) overshoots.record(1000 * (afterMs - beforeMs - sleepMs))
  if (afterMs - sentMs < tellEveryMs) continue
  send(afterMs)
}
send(now())

/** @param {number} atMs */
function send(atMs) {
  parentPort?.postMessage(overshoots.toData())
  overshoots = new Histogram()
  sentMs = atMs
}
