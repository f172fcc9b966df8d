import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { connectBus } from '../../src/bus/connect.js'
import { busAddress } from '../../src/plan/bus-address.js'

const HAS_NATS = spawnSync('nats-server', ['--version']).error === undefined

/** NO_NATS is why tests are skipped that need a bus; false: they are not. Where everything is to be tested they fail. */
export const NO_NATS =
  HAS_NATS || process.env.CI ? false : 'there is no nats-server: apt-get install nats-server'

async function freePort() {
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = /** @type {import('node:net').AddressInfo} */ (server.address())
  server.close()
  await once(server, 'close')
  return port
}

/**
 * startBus starts a NATS server of a test's own, on this machine.
 *
 * @param {readonly string[]} [args]
 * @returns {Promise<{ url: string, kill: () => Promise<void> }>} `kill` ends it at once
 */
export async function startBus(args = ['-js']) {
  const port = await freePort()
  const store = await mkdtemp(join(tmpdir(), 'loadtest-bus-'))
  const child = spawn('nats-server', ['-a', '127.0.0.1', '-p', String(port), '-sd', store, ...args], {
    stdio: 'ignore'
  })
  const exited = once(child, 'exit')
  const url = `nats://127.0.0.1:${port}`
  for (let i = 0; i < 100; i++) {
    const connection = await connectBus(busAddress(url), 'test').catch(() => null)
    await connection?.close()
    if (connection !== null) break
    await sleep(50)
  }
  return {
    url,
    async kill() {
      child.kill('SIGKILL')
      await exited
      await rm(store, { recursive: true, force: true })
    }
  }
}
