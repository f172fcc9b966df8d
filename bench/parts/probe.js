import { fork } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'

const ENTRY = fileURLToPath(new URL('./probe-entry.js', import.meta.url))

/**
 * startProbe starts a quiet probe: one client of ours in a process of its own that sends twenty times a second and has nothing else to
 * do, so that no event loop is busy when its reply comes.
 *
 * @param {string} address - multiaddr of the server
 * @param {'REGISTER' | 'DISCOVER'} type - of what it sends
 */
export async function startProbe(address, type) {
  const child = fork(ENTRY, [address, type])
  await once(child, 'message')
  return {
    begin: () => void child.send('begin'),
    /** @returns {Promise<number[]>} response times since `begin`, ms */
    async end() {
      child.send('end')
      const [{ times }] = await once(child, 'message')
      return times
    },
    async stop() {
      child.disconnect()
      await once(child, 'exit')
    }
  }
}
