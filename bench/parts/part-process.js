import { fork } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'

/**
 * startPart starts a process of a bench, which says that it is ready and then answers one message at a time.
 *
 * @param {URL} entry
 * @param {string[]} [args]
 * @param {readonly string[]} [nodeFlags]
 * @returns {Promise<{ pid: number, ready: any, ask: (message: object) => Promise<any>, stop: () => Promise<void> }>} `ready`: what it said first.
 *   `ask` throws where the process ends instead of answering
 * @throws {Error} where it ends before it is ready
 */
export async function startPart(entry, args = [], nodeFlags = []) {
  const child = fork(fileURLToPath(entry), args, { execArgv: [...nodeFlags] })
  const ended = once(child, 'exit')
  const failed = ended.then(([code, signal]) => {
    throw new Error(`${fileURLToPath(entry)} ended: ${signal ?? `exit code ${code}`}`)
  })
  failed.catch(() => {})
  const answer = async () => (await Promise.race([once(child, 'message'), failed]))[0]
  return {
    pid: /** @type {number} */ (child.pid),
    ready: await answer(),
    async ask(message) {
      child.send(message)
      return answer()
    },
    async stop() {
      child.disconnect()
      await ended
    }
  }
}
