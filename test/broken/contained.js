import { once } from 'node:events'
import { attachStreams } from '../../src/target/container.js'
import { docker } from '../acceptance/docker.js'

/** What takes longer hangs, on a busy machine too. */
const HANGS_AFTER_MS = 800_000

/**
 * @typedef {object} Contained - a container that runs
 * @property {import('dockerode').Container} container
 * @property {(pattern: RegExp) => Promise<RegExpExecArray>} line - waits until it has said what fits
 * @property {Promise<{ code: number, stdout: string, stderr: string }>} ended
 */

/**
 * startContained starts a container, and takes down what it says.
 *
 * @param {import('dockerode').ContainerCreateOptions} options
 * @param {(container: import('dockerode').Container) => Promise<void>} [before] - is done before it is started
 * @returns {Promise<Contained>}
 */
export async function startContained(options, before = async () => {}) {
  const container = await docker().createContainer({ ...options, OpenStdin: true, StdinOnce: true })
  await before(container)
  const { stdout, stderr, close } = await attachStreams(docker(), container)
  const said = { stdout: '', stderr: '' }
  stdout.setEncoding('utf8').on('data', text => {
    said.stdout += text
  })
  stderr.setEncoding('utf8').on('data', text => {
    said.stderr += text
  })
  const saidAll = once(stdout, 'end')
  saidAll.catch(() => {})
  await container.start()
  const late = setTimeout(() => void container.kill().catch(() => {}), HANGS_AFTER_MS)
  // one that was not started yet would have ended for the engine
  const ended = Promise.all([container.wait(), saidAll]).then(([{ StatusCode: code }]) => {
    clearTimeout(late)
    close()
    return { code, ...said }
  })
  ended.catch(() => {})
  return { container, ended, line: pattern => lineOf(pattern, { stdout, said, ended }) }
}

/**
 * @param {RegExp} pattern
 * @param {{ stdout: import('node:stream').Readable, said: { stdout: string, stderr: string }, ended: Promise<unknown> }} parts
 * @returns {Promise<RegExpExecArray>}
 */
async function lineOf(pattern, { stdout, said, ended }) {
  for (;;) {
    const found = pattern.exec(said.stdout)
    if (found !== null) return found
    if (stdout.readableEnded)
      throw new Error(`ended without a line like ${pattern}: ${said.stdout}${said.stderr}`)
    await Promise.race([once(stdout, 'data'), ended])
  }
}
