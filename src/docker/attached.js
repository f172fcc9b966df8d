import { PassThrough } from 'node:stream'

/**
 * attached joins a container's input and output to this process. When this process is gone, the container's input ends, at
 * which what runs there stops: so a container never outlives who started it.
 *
 * @param {import('dockerode')} docker
 * @param {import('dockerode').Container} container - made with OpenStdin and StdinOnce; not yet started
 * @returns {Promise<{ stdin: import('node:stream').Writable, stdout: PassThrough, stderr: PassThrough, closed: Promise<void>, close: () => void }>} `closed`: by either end
 */
export async function attached(docker, container) {
  const all = { stream: true, stdin: true, stdout: true, stderr: true, hijack: true }
  const stream = /** @type {import('node:stream').Duplex} */ (await container.attach(all))
  const [stdout, stderr] = [new PassThrough(), new PassThrough()]
  docker.modem.demuxStream(stream, stdout, stderr)
  stream.on('error', () => {}) // the engine is gone: whoever waits for the container says so
  stream.on('end', () => {
    stdout.end()
    stderr.end()
  })
  const closed = new Promise(resolve => void stream.once('close', () => resolve(undefined)))
  return { stdin: stream, stdout, stderr, closed, close: () => void stream.destroy() }
}
