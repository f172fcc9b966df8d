import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { generateKeyPair } from '@libp2p/crypto/keys'
import { identify } from '@libp2p/identify'
import { noise } from '@libp2p/noise'
import { tcp } from '@libp2p/tcp'
import { yamux } from '@libp2p/yamux'
import { createLibp2p } from 'libp2p'
import { CLIENT_REASONS, createClientNode } from '../../src/client/node.js'
import { wrapComponent } from '../../src/libp2p/layers/node-parts.js'
import { signedOnce } from '../../src/libp2p/layers/noise.js'
import { makeEmptyPeerStore, makeQuietRegistrar, makeSilentLogger } from '../../src/libp2p/node-components.js'
import {
  findChanges,
  mergeNodeSettings,
  readNodeSettings,
  SettingsReader
} from '../../src/libp2p/node-settings.js'
import { describeMissingPackages, findStack } from '../../src/libp2p/stacks.js'
import { readServerOptions } from '../../src/server/options.js'
import { SERVER_REASONS } from '../../src/server/process/node-settings.js'
import { createServerNode } from '../../src/server/process/run-server.js'

const privateKey = await generateKeyPair('Ed25519')
const options = readServerOptions({ unlimitedFrom: '/ip4/127.0.0.0/ipcidr/8' }, {})

/** A node made by hand. @param {any} [changes] */
const byHand = changes =>
  createLibp2p({
    start: false,
    transports: [tcp()],
    connectionEncrypters: [noise()],
    streamMuxers: [yamux()],
    ...changes
  })

/** @param {any} node @param {import('../../src/libp2p/node-settings.js').NodeKinds} [made] */
const namesOf = async (node, made) => Object.keys(await findChanges(node, made))

/** What a node of ours is made lean with, as it would be by hand. @type {Record<string, () => any>} */
const OVERRIDES = {
  logger: () => ({ logger: makeSilentLogger() }),
  'noise.signedOnce': () => ({ connectionEncrypters: [wrapComponent(signedOnce, noise())] }),
  'yamux.maxOutboundStreams': () => ({ streamMuxers: [yamux({ maxOutboundStreams: 9 })] }),
  'connectionMonitor.enabled': () => ({ connectionMonitor: { enabled: false } }),
  'connectionManager.maxConnections': () => ({ connectionManager: { maxConnections: 9 } }),
  'connectionManager.dialTimeout': () => ({ connectionManager: { dialTimeout: 9 } }),
  'connectionManager.inboundConnectionThreshold': () => ({
    connectionManager: { inboundConnectionThreshold: 9 }
  }),
  peerStore: () => ({ services: { peerStore: makeEmptyPeerStore } }),
  registrar: () => ({ services: { registrar: makeQuietRegistrar } })
}

/** All of some overrides at once. @param {string[]} names */
function together(names) {
  const each = names.map(name => OVERRIDES[name]())
  const all = Object.assign({}, ...each)
  for (const part of ['services', 'connectionManager'])
    if (part in all) all[part] = Object.assign({}, ...each.map(changes => changes[part]))
  return all
}

describe('settings are read from the nodes that ran', () => {
  it('a node made by hand, with what its packages take by themselves, has none', async () => {
    assert.deepEqual(await findChanges(await byHand()), {})
    assert.deepEqual(
      await findChanges(await byHand({ services: { identify: identify() } }), { identify: true }),
      {}
    )
  })

  const names = Object.keys(OVERRIDES)

  it('a node with all overrides has all of them', async () => {
    assert.deepEqual((await namesOf(await byHand(together(names)))).sort(), [...names].sort())
  })

  for (const lacking of names)
    it(`without the override ${lacking} it is not among them`, async () => {
      const left = names.filter(name => name !== lacking)
      assert.deepEqual((await namesOf(await byHand(together(left)))).sort(), left.sort())
    })

  it('an option has the value that its node has', async () => {
    const node = await byHand({
      transports: [tcp({ outboundSocketInactivityTimeout: 7 })],
      addresses: { listen: ['/ip4/127.0.0.1/tcp/0'] },
      connectionManager: { addressDialTimeout: 8, inboundUpgradeTimeout: 9 }
    })
    assert.deepEqual(await findChanges(node), {
      'connectionManager.inboundUpgradeTimeout': 9,
      'connectionManager.addressDialTimeout': 8,
      'addresses.listen': ['/ip4/127.0.0.1/tcp/0'],
      'tcp.outboundSocketInactivityTimeout': 7
    })
  })
})

/** What is no change of how libp2p works. */
const NEEDED = {
  server: ['connectionManager.allow', 'addresses.listen', 'services.rendezvous'],
  client: [
    'yamux.maxOutboundStreams',
    'connectionManager.dialTimeout',
    'connectionManager.addressDialTimeout',
    'tcp.dialOpts',
    'services.transports'
  ]
}

/** What makes nodes of ours take less CPU. */
const LEAN = [
  'logger',
  'peerStore',
  'registrar',
  'noise.coalescingEncrypter',
  'noise.signedOnce',
  'noise.crypto',
  'yamux.coalescingMuxer',
  'connectionMonitor.enabled'
]

/** @type {Record<'server' | 'client', (stock: boolean, stack?: string) => Promise<any>>} */
const MAKE = {
  server: (stock, stack) => createServerNode({ ...options, stock, ...(stack && { stack }) }, { privateKey }),
  client: (stock, stack) =>
    createClientNode({ privateKey, localAddress: '127.1.2.3', stock, ...(stack && { stack }) })
}

for (const kind of /** @type {const} */ (['server', 'client']))
  describe(`our ${kind}`, () => {
    it('has all that makes it take less CPU', async () => {
      const found = await namesOf(await MAKE[kind](false))
      const all = [...LEAN, ...NEEDED[kind]].filter(name => !found.includes(name))
      assert.deepEqual(all, [])
    })

    it('has nothing but what its part needs when it is stock', async () => {
      assert.deepEqual((await namesOf(await MAKE[kind](true))).sort(), [...NEEDED[kind]].sort())
    })

    it('has a reason for each', async () => {
      const reasons = kind === 'server' ? SERVER_REASONS : CLIENT_REASONS
      for (const stock of [false, true]) {
        const settings = await readNodeSettings(await MAKE[kind](stock), {}, reasons)
        for (const [name, { why }] of Object.entries(settings)) assert.doesNotMatch(why, /no reason/, name)
      }
    })
  })

describe('on libp2p 2', { skip: describeMissingPackages('libp2p-2') ?? false }, () => {
  const stack = 'libp2p-2'

  it('a node that libp2p makes by itself has no settings', async () => {
    assert.deepEqual(await findChanges(await findStack(stack).published({}), { stack }), {})
  })

  it('stock nodes have no change beside what shows them in the shapes of the present generation', async () => {
    assert.deepEqual(
      (await namesOf(await MAKE.server(true, stack), { stack })).sort(),
      [...NEEDED.server.slice(1), NEEDED.server[0], 'yamux.tellingMuxer'].sort()
    )
    assert.ok((await namesOf(await MAKE.client(false, stack), { stack })).includes('noise.crypto'))
    assert.ok(!(await namesOf(await MAKE.client(true, stack), { stack })).includes('noise.crypto'))
  })
})

describe('settings of several processes', () => {
  const same = { value: 1, why: 'so' }

  it('are read once for each stack', async () => {
    const reader = new SettingsReader({ 'connectionMonitor.enabled': { why: 'no pings' } })
    await reader.read(await byHand({ connectionMonitor: { enabled: false } }), {})
    await reader.read(await byHand({ connectionManager: { maxConnections: 1 } }), {})
    assert.deepEqual(await reader.settings(), {
      'libp2p-3': { 'connectionMonitor.enabled': { value: false, why: 'no pings' } }
    })
  })

  it('have the name of the stack where stacks differ', () => {
    const settings = mergeNodeSettings([
      { 'libp2p-3': { both: same, other: same, own: same } },
      { 'libp2p-2': { both: same, other: { value: 2, why: 'so' } } }
    ])
    assert.deepEqual(settings, {
      both: same,
      'other (libp2p-3)': same,
      'other (libp2p-2)': { value: 2, why: 'so' },
      'own (libp2p-3)': same
    })
  })
})
