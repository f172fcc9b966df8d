import { fork } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'

const ENTRY = fileURLToPath(new URL('./probe-entry.js', import.meta.url))

/**
 * startProbe starts a quiet probe: one client of ours in a process of its own that sends twenty times a second and has nothing else to
 * do. Its times are from when a request was handed to the system until its reply was read: it sleeps meanwhile, so that nothing of its own is
 * in them but waking up. (Its other work is more than that of a busy client, for its code and data have left the caches.)
 *
 * @param {string} address - multiaddr of the server
 * @param {'REGISTER' | 'DISCOVER'} type - of what it sends
 */
export async function startProbe(address, type) {
  const child = fork(ENTRY, [address, type])
  await once(child, 'message')
  return {
    begin: () => void child.send('begin'),
    /** @returns {Promise<number[]>} since `begin`, ms */
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
