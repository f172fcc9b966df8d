import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { connectBus } from '../../src/agents/bus-connection.js'
import { parseBusAddress } from '../../src/plan/agents.js'
import { makeSelfSignedCertificate } from '../../src/scenarios/transfer/run/socket-protocols.js'

const HAS_NATS = spawnSync('nats-server', ['--version']).error === undefined

/** NO_NATS is why tests are skipped that need a bus; false: they are not. Where everything is to be tested they fail. */
export const NO_NATS =
  HAS_NATS || process.env.CI ? false : 'there is no nats-server: apt-get install nats-server'

/** @param {string} host */
async function freePort(host) {
  const server = createServer().listen(0, host)
  await once(server, 'listening')
  const { port } = /** @type {import('node:net').AddressInfo} */ (server.address())
  server.close()
  await once(server, 'close')
  return port
}

/** LOGIN is that of a bus that asks for one. */
export const LOGIN = Object.freeze({ user: 'loadtest', password: 'open/sesame' })

/**
 * @typedef {object} Bus
 * @property {string} url - with what it asks for
 * @property {(login: string) => string} urlWith - another login, such as `user:password@`
 * @property {string | null} ca - path of the certificate that its own is signed by; null: it has none
 * @property {() => Promise<void>} kill - ends it at once
 * @property {(awayMs: number, how?: { emptied?: boolean }) => Promise<void>} restart - kills it, and starts it again where it was;
 *   `emptied`: without what it had kept in its folder
 */

/**
 * startBus starts a NATS server of a test's own, on this machine.
 *
 * @param {{ host?: string, secured?: boolean }} [how] - `secured`: with TLS, user and password
 * @returns {Promise<Bus>}
 */
export async function startBus({ host = '127.0.0.1', secured = false } = {}) {
  const port = await freePort(host)
  const folder = await mkdtemp(join(tmpdir(), 'loadtest-bus-'))
  const ca = secured ? join(folder, 'cert.pem') : null
  const args = secured ? await securing(folder, host) : []
  const startServer = () => {
    const server = spawn('nats-server', ['-js', '-a', host, '-p', String(port), '-sd', folder, ...args], {
      stdio: 'ignore'
    })
    const exited = once(server, 'exit')
    return async () => {
      server.kill('SIGKILL')
      await exited
    }
  }
  let end = startServer()
  const urlWith = (/** @type {string} */ login) => `${secured ? 'tls' : 'nats'}://${login}${host}:${port}`
  const url = urlWith(secured ? `${LOGIN.user}:${encodeURIComponent(LOGIN.password)}@` : '')
  for (let i = 0; i < 100; i++) {
    const connection = await connectBus(parseBusAddress(url, { ca }), 'test').catch(() => null)
    await connection?.close()
    if (connection !== null) break
    await sleep(50)
  }
  return {
    url,
    urlWith,
    ca,
    async restart(awayMs, { emptied = false } = {}) {
      await end()
      if (emptied) await rm(join(folder, 'jetstream'), { recursive: true })
      await sleep(awayMs)
      end = startServer()
    },
    async kill() {
      await end()
      await rm(folder, { recursive: true, force: true })
    }
  }
}

/** @param {string} folder @param {string} host @returns {Promise<string[]>} arguments of a bus that is not for everybody */
async function securing(folder, host) {
  const { key, cert } = await makeSelfSignedCertificate({ addresses: [host] })
  const [keyFile, certFile] = [join(folder, 'key.pem'), join(folder, 'cert.pem')]
  await Promise.all([writeFile(keyFile, key), writeFile(certFile, cert)])
  const { user, password } = LOGIN
  return ['--user', user, '--pass', password, '--tls', '--tlscert', certFile, '--tlskey', keyFile]
}
