// The thread that tells by how much its short sleeps were too long.
import { parentPort, workerData } from 'node:worker_threads'
import { Histogram } from '../measure/histogram.js'

/** @type {{ stop: Int32Array<SharedArrayBuffer>, sleepMs: number, tellEveryMs: number }} */
const { stop, sleepMs, tellEveryMs } = workerData

const now = () => Number(process.hrtime.bigint()) / 1e6

let overshoots = new Histogram()
let toldMs = now()
while (Atomics.load(stop, 0) === 0) {
  const beforeMs = now()
  Atomics.wait(stop, 0, 0, sleepMs)
  const afterMs = now()
  if (Atomics.load(stop, 0) === 0) overshoots.record(1000 * (afterMs - beforeMs - sleepMs))
  if (afterMs - toldMs < tellEveryMs) continue
  tell(afterMs)
}
tell(now())

/** @param {number} atMs */
function tell(atMs) {
  parentPort?.postMessage(overshoots.toData())
  overshoots = new Histogram()
  toldMs = atMs
}
