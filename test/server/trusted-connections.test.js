import '../../src/kit/runtime.js'
import assert from 'node:assert/strict'
import { it } from 'node:test'
import { generateKeyPair } from '@libp2p/crypto/keys'
import { multiaddr } from '@multiformats/multiaddr'
import pino from 'pino'
import { dialSeparately } from '../../src/client/dial.js'
import { createClientNode } from '../../src/client/node.js'
import { makeTimeLimit } from '../../src/kit/time.js'
import { readServerOptions } from '../../src/server/options.js'
import { runServer } from '../../src/server/process/run-server.js'
import { until } from '../until.js'

const LIMIT = 2
const MANY = 8

it('connections from where no limits hold stay, and with each more the others are not looked at', async t => {
  const options = readServerOptions({
    ...{ listen: '/ip4/127.0.0.1/tcp/0', httpPort: 0, unlimitedFrom: '/ip4/127.0.0.0/ipcidr/8' }
  })
  const limits = { maxConnections: LIMIT, maxHandshakes: 1 }
  const server = await runServer({ ...options, ...limits }, { log: pino({ level: 'silent' }) })
  t.after(() => server.stop())
  let looks = 0
  server.node.addEventListener('connection:prune', () => looks++)
  for (let i = 0; i < MANY; i++) {
    const node = await createClientNode({ privateKey: await generateKeyPair('Ed25519') })
    await node.start()
    t.after(() => node.stop())
    await dialSeparately(node, multiaddr(server.multiaddrs[0]), { signal: makeTimeLimit(30_000) })
  }
  await until(() => server.node.getConnections().length === MANY)
  assert.equal(looks, 0)
})
