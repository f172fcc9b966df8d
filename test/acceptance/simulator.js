import { after } from 'node:test'
import { startForkedProcess } from '../../src/run/workers.js'

/**
 * @typedef {typeof import('../../src/scenarios/gossip/run/pool.js').startGossipProcess} StartProcess
 * @typedef {Parameters<StartProcess>[0]} Options
 *
 * @typedef {object} Simulator
 * @property {import('../../src/run/workers.js').ForkedProcess} process
 * @property {Options} options - of the run that has it
 */

const ENTRY = new URL('../../src/scenarios/gossip/run/simulated-entry.js', import.meta.url)

const CALLS = /** @type {const} */ ([
  ...['provision', 'connect', 'awaitMesh', 'schedule', 'drain', 'snapshot', 'collect', 'abort']
])

/** All there are, and those that no run has. @type {Simulator[]} */
const all = []
/** @type {Simulator[]} */
const idle = []

after(() => Promise.all(all.map(({ process }) => process.stop())))

/** @param {Options} options */
async function startSimulator(options) {
  const simulator = /** @type {Simulator} */ ({ options })
  simulator.process = await startForkedProcess({
    entry: ENTRY,
    name: 'a simulator',
    setup: options.setup,
    handlers: {
      interval: interval => simulator.options.onInterval(interval),
      progress: done => simulator.options.onProgress(done),
      alive: atNs => simulator.options.onAlive?.(atNs),
      meet: told => simulator.options.onMeet?.(told)
    },
    onDied: error => simulator.options.onDied(error)
  })
  all.push(simulator)
  return simulator
}

/**
 * inSimulator has a run in a process that other runs of the file had before, where there is one: to start it costs more than a short
 * run.
 *
 * @type {StartProcess}
 */
export async function inSimulator(options) {
  const used = idle.pop()
  if (used !== undefined) await Object.assign(used, { options }).process.call('setup', options.setup)
  const simulator = used ?? (await startSimulator(options))
  const { pid, call } = simulator.process
  const host = Object.fromEntries(
    CALLS.map(method => [method, (/** @type {any[]} */ ...args) => call(method, ...args)])
  )
  const stop = async () => {
    await call('close')
    idle.push(simulator)
  }
  return /** @type {any} */ ({ ...host, pid, stop, kill: simulator.process.kill })
}
