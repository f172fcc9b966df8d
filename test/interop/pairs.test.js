import '../../src/kit/runtime.js'
import { test } from 'node:test'
import { startForeignServer } from '../acceptance/foreign-server.js'
import { commandOf } from './build.js'
import { IMPLEMENTATIONS } from './implementations.js'
import { ourClient } from './ours.js'
import { startClient, startServer } from './peer.js'
import { testAll } from './test-all.js'
import { needs, tellSkipped } from './toolchains.js'

for (const implementation of IMPLEMENTATIONS) {
  const { name, software, serves, recordDomain } = implementation
  const options = needs(implementation)
  tellSkipped(implementation)

  if (serves)
    test(`our client at the server of ${software}`, options, async t => {
      const { address } = await startServer(await commandOf(implementation))
      await testAll(t, `${name} server`, ourClient(address, recordDomain))
    })

  test(`the client of ${software} at our server`, options, async t => {
    const { multiaddr } = await startForeignServer(['--minTtl', '1s'])
    await testAll(t, `${name} client`, startClient(await commandOf(implementation), multiaddr))
  })
}
