import '../../src/kit/runtime.js'
import { EventEmitter } from 'node:events'
import { join } from 'node:path'
import { main } from '../../src/cli/index.js'
import { loadScenario } from '../../src/scenarios/index.js'
import { collector } from '../report/sample-result.js'
/** @typedef {import('../../src/cli/index.js').RunScenario} RunScenario */

/**
 * runCommand runs a command line with a scenario that is made up, at 7:12 on 20 November 2026.
 *
 * @param {string[]} argv
 * @param {object} options
 * @param {string} options.base - folder for what it writes
 * @param {(process: EventEmitter) => RunScenario} options.scenarioOf - `process` takes signals
 * @param {Record<string, string>} [options.env]
 */
export async function runCommand(argv, { base, scenarioOf, env = {} }) {
  /** @type {string[]} */
  const said = []
  const heard = () => {
    const stream = collector()
    const write = (/** @type {string} */ text) => {
      said.push(text)
      return stream.write(text)
    }
    return { ...stream, write }
  }
  const [stdout, stderr] = [heard(), heard()]
  /** @type {number[]} */
  const exits = []
  const process = Object.assign(new EventEmitter(), {
    exit: (/** @type {number} */ code) => void exits.push(code)
  })
  let loaded = 0
  /** @type {any} */
  const surroundings = {
    stdout,
    stderr,
    process,
    env,
    version: '0.1.0',
    cacheDir: join(base, 'cache'),
    now: () => new Date(2026, 10, 20, 7, 12),
    findScenario: loadScenario,
    loadRun: async () => {
      loaded++
      return scenarioOf(process)
    }
  }
  const exitCode = await main(argv, surroundings)
  return {
    exitCode,
    stdout: stdout.text(),
    stderr: stderr.text(),
    said,
    loaded,
    exits,
    listeners: process.eventNames().length
  }
}
