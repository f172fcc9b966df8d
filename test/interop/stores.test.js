import '../../src/node-shim.js'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, test } from 'node:test'
import { startForeignServer } from '../acceptance/foreign-server.js'
import { NO_POSTGRES, sharedPostgres } from '../server/store/postgres.js'
import { commandOf } from './build.js'
import { IMPLEMENTATIONS } from './implementations.js'
import { startClient } from './peer.js'
import { testAll } from './test-all.js'
import { needs } from './toolchains.js'

/** rust-libp2p takes what follows 8 bytes of a cookie for a namespace: it reads ours, or refuses them. */
const rust = /** @type {import('./implementations.js').Implementation} */ (
  IMPLEMENTATIONS.find(({ name }) => name === 'rust')
)

/** @typedef {(t: import('node:test').TestContext) => Promise<string>} MakeStore - for `--store` */

/** @type {MakeStore} */
async function folder(t) {
  const path = await mkdtemp(join(tmpdir(), 'loadtest-pglite-'))
  t.after(() => rm(path, { recursive: true }))
  return `pglite:${path}`
}

/** @type {MakeStore} */
const database = async () => (await sharedPostgres()).database()

const STORES = /** @type {const} */ ([
  ['a folder', folder, false],
  ['PostgreSQL', database, NO_POSTGRES]
])

for (const [kept, make, missing] of STORES)
  describe(`our server with its registrations in ${kept}`, { skip: missing }, () => {
    test(`the client of ${rust.software}`, needs(rust), async t => {
      const { multiaddr } = await startForeignServer(['--minTtl', '1s', '--store', await make(t)])
      await testAll(t, `${rust.name} client`, startClient(await commandOf(rust), multiaddr))
    })
  })
