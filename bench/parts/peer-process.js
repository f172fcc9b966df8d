import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { createInterface } from 'node:readline'

/**
 * startPeer starts a peer of another implementation, as test/interop/peer.js describes them.
 *
 * @param {readonly string[]} command - with its role
 */
export function startPeer([program, ...args]) {
  const child = spawn(program, args, { stdio: ['pipe', 'pipe', 'inherit'] })
  // a bench that fails leaves none behind
  const end = () => void child.kill('SIGKILL')
  process.once('exit', end)
  const ended = once(child, 'close')
  const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]()

  /** @returns {Promise<any>} its next line */
  async function next() {
    const { value, done } = await lines.next()
    if (done) throw new Error(`${program} ${args.join(' ')} has ended`)
    return JSON.parse(value)
  }

  return {
    pid: /** @type {number} */ (child.pid),
    next,
    /** @param {object} question */
    async ask(question) {
      child.stdin.write(`${JSON.stringify(question)}\n`)
      const answer = await next()
      if (answer.error !== undefined) throw new Error(`${JSON.stringify(question)}: ${answer.error}`)
      return answer
    },
    async stop() {
      process.off('exit', end)
      child.stdin.end()
      await ended
    }
  }
}
