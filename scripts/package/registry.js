import { createHash } from 'node:crypto'
import { once } from 'node:events'
import { createReadStream, readFileSync } from 'node:fs'
import { createServer } from 'node:http'

/**
 * serveRegistry serves one package as a registry does, and sends whoever asks for others on to another one. npm heeds the
 * npm-shrinkwrap.json of a package that comes from a registry, and not that of a file.
 *
 * @param {{ tarball: string, manifest: { name: string, version: string }, upstream: string }} what - `tarball`: its path
 * @returns {Promise<{ url: string, close: () => void }>}
 */
export async function serveRegistry({ tarball, manifest, upstream }) {
  const { name, version } = manifest
  const file = `/${name}/-/${name}-${version}.tgz`
  const integrity = `sha512-${createHash('sha512').update(readFileSync(tarball)).digest('base64')}`
  // a busy machine may hold npm up for longer than Node keeps idle connections, and one closed under its next request ends npm
  const server = createServer({ keepAliveTimeout: 0 }, (request, response) => {
    const { url = '/' } = request
    if (url === file) return void createReadStream(tarball).pipe(response)
    if (url !== `/${name}`)
      return void response.writeHead(307, { location: new URL(url.slice(1), upstream).href }).end()
    const dist = { tarball: `http://${request.headers.host}${file}`, integrity }
    const versions = { [version]: { ...manifest, _hasShrinkwrap: true, dist } }
    response.setHeader('content-type', 'application/json')
    response.end(JSON.stringify({ name, 'dist-tags': { latest: version }, versions }))
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = /** @type {import('node:net').AddressInfo} */ (server.address())
  return {
    url: `http://127.0.0.1:${port}/`,
    close() {
      server.close()
      server.closeAllConnections()
    }
  }
}
