import '../../src/kit/runtime.js'
import { describe, test } from 'node:test'
import { startForeignServer } from '../acceptance/foreign-server.js'
import { NO_POSTGRES, sharedPostgres } from '../system/postgres.js'
import { commandOf } from './build.js'
import { IMPLEMENTATIONS } from './implementations.js'
import { startClient } from './peer.js'
import { testAll } from './test-all.js'
import { needs } from './toolchains.js'

/** rust-libp2p takes what follows 8 bytes of a cookie for a namespace: it reads ours, or refuses them. */
const rust = /** @type {import('./implementations.js').Implementation} */ (
  IMPLEMENTATIONS.find(({ name }) => name === 'rust')
)

describe('our server with its registrations in PostgreSQL', { skip: NO_POSTGRES }, () => {
  test(`the client of ${rust.software}`, needs(rust), async t => {
    const store = await (await sharedPostgres()).database()
    const { multiaddr } = await startForeignServer(['--minTtl', '1s', '--store', store])
    await testAll(t, `${rust.name} client`, startClient(await commandOf(rust), multiaddr))
  })
})
