import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { connect, createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

const ENGINE = '/var/run/docker.sock'

/**
 * cutEngine is a way to the Docker engine of this machine that can be cut, as if that one engine was killed.
 *
 * @returns {Promise<{ env: { DOCKER_HOST: string }, cut: () => Promise<void> }>}
 */
export async function cutEngine() {
  const folder = await mkdtemp(join(tmpdir(), 'loadtest-engine-'))
  const path = join(folder, 'docker.sock')
  /** @type {Set<import('node:net').Socket>} */
  const sockets = new Set()
  const server = createServer({ allowHalfOpen: true }, socket => {
    const engine = connect({ path: ENGINE, allowHalfOpen: true })
    for (const each of [socket, engine]) sockets.add(each.on('error', () => {}))
    socket.pipe(engine).pipe(socket)
  })
  server.listen(path)
  await once(server, 'listening')
  return {
    env: { DOCKER_HOST: `unix://${path}` },
    async cut() {
      server.close()
      for (const socket of sockets) socket.destroy()
      await rm(folder, { recursive: true })
    }
  }
}
