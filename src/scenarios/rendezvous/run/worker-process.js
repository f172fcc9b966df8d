import { startForkedProcess } from '../../../workers/forked-process.js'

export { WorkerDiedError } from '../../../workers/forked-process.js'

const ENTRY = new URL('./entry.js', import.meta.url)

/**
 * startWorkerProcess starts a process that generates load.
 *
 * @param {object} options
 * @param {string} options.name - for messages
 * @param {import('./load-worker.js').WorkerSetup} options.setup
 * @param {(interval: import('../../../measure/meter.js').Interval) => void} options.onInterval
 * @param {(connected: number) => void} options.onConnected
 * @param {() => void} [options.onAlive] - once a second, whatever it does: one that does not tell hangs
 * @param {(error: import('../../../workers/forked-process.js').WorkerDiedError) => void} options.onDied - it ended without being asked
 * @returns {Promise<WorkerProcess>} when it is ready for calls
 */
export const startWorkerProcess = ({ name, setup, onInterval, onConnected, onAlive = () => {}, onDied }) =>
  startForkedProcess({
    entry: ENTRY,
    name,
    setup,
    handlers: { interval: inOrder(onInterval), connected: onConnected, alive: onAlive },
    onDied
  })

/**
 * @param {(interval: import('../../../measure/meter.js').Interval) => void} onInterval
 * @returns {(interval: import('../../../measure/meter.js').Interval) => void}
 */
function inOrder(onInterval) {
  let expected = 0
  return interval => {
    if (interval.seq !== expected) throw new Error(`interval ${interval.seq} came where ${expected} was due`)
    expected++
    onInterval(interval)
  }
}

/**
 * @typedef {object} WorkerProcess
 * @property {number} pid
 * @property {(method: 'connect' | 'begin' | 'prepare' | 'run' | 'stop' | 'abort' | 'registered' | 'lookUp' | 'restore' | 'finish', ...args: any[]) => Promise<any>} call
 * @property {() => Promise<void>} stop - ends it, hard after a grace period
 */
