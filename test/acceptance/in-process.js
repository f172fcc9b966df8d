import '../../src/kit/runtime.js'
import { EventEmitter } from 'node:events'
import { join } from 'node:path'
import { collector } from '../report/sample-result.js'
import { keepProcesses } from './kept-processes.js'

keepProcesses()

/**
 * callIn runs a command line in this process, real in everything but that: what a command starts are processes as ever, and only
 * the command itself need not be loaded each time. Tests of signals, of the environment, and of what is left running start a
 * process.
 *
 * @param {readonly string[]} args
 * @param {string} cache - folder for what is kept between runs
 * @param {{ hear?: (text: string) => void, env?: NodeJS.ProcessEnv }} [how] - hear: gets what it writes to stderr while it goes on
 * @returns {Promise<import('./program.js').Ended>}
 */
export async function callIn(args, cache, { hear = () => {}, env = process.env } = {}) {
  const [{ main }, { makeProcessIo }] = await Promise.all([
    import('../../src/cli/index.js'),
    import('../../src/cli/index.js')
  ])
  const [stdout, stderr] = [collector(), collector()]
  const write = (/** @type {string} */ text) => {
    hear(text)
    return stderr.write(text)
  }
  const exit = (/** @type {number} */ code) => {
    throw new Error(`exit code ${code} without a signal`)
  }
  const code = await main([...args], {
    ...makeProcessIo(),
    env,
    stdout,
    stderr: { ...stderr, write },
    process: /** @type {any} */ (Object.assign(new EventEmitter(), { exit })),
    cacheDir: join(cache, 'libp2p-loadtest')
  })
  return { code, signal: null, stdout: stdout.text(), stderr: stderr.text() }
}
