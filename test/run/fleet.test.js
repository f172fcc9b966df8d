import assert from 'node:assert/strict'
import { once } from 'node:events'
import { connect, createServer } from 'node:net'
import { describe, it } from 'node:test'
import {
  admitOnlyPeers,
  chooseListenAddress,
  makeOwnMachineSettings,
  makePeerGater
} from '../../src/run/fleet.js'

/** What a server says to somebody of loopback. @param {readonly string[] | null} peers */
async function saidTo(peers) {
  const server = createServer(socket => socket.end('hello'))
  admitOnlyPeers(server, { host: '127.0.0.1', peers }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = /** @type {import('node:net').AddressInfo} */ (server.address())
  const socket = connect({ port, host: '127.0.0.1' }).setEncoding('utf8')
  socket.on('error', () => {})
  const said = await socket.toArray().catch(() => [])
  server.close()
  return said.join('')
}

describe('what listens for the machines of a run', () => {
  it('answers them alone', async () => {
    assert.equal(await saidTo(['127.0.0.1']), 'hello')
    assert.equal(await saidTo(['10.0.0.1']), '')
    assert.equal(await saidTo(null), 'hello')
  })

  it('listens where they reach it', () => {
    assert.deepEqual(chooseListenAddress(), { host: '127.0.0.1', peers: null })
    assert.deepEqual(chooseListenAddress(undefined, '10.1.0.1'), { host: '10.1.0.1', peers: null })
    assert.deepEqual(chooseListenAddress({ address: '127.0.0.9', peers: [] }), {
      host: '127.0.0.9',
      peers: null
    })
    const peers = ['10.0.0.1', '10.0.0.2']
    assert.deepEqual(chooseListenAddress({ address: '10.0.0.1', peers: ['10.0.0.2'] }), {
      host: '10.0.0.1',
      peers
    })
  })

  it('has libp2p take connections of them alone, of everybody where all are on this machine', () => {
    assert.equal(makePeerGater({ host: '127.0.0.1', peers: null }), undefined)
    const { denyInboundConnection, denyInboundEncryptedConnection } =
      makePeerGater({ host: '10.0.0.1', peers: ['10.0.0.1', '10.0.0.2'] }) ?? assert.fail()
    const denied = (/** @type {string} */ address) =>
      denyInboundConnection({ remoteAddr: `/ip4/${address}/tcp/4001` })
    assert.deepEqual(['10.0.0.1', '10.0.0.2', '10.0.0.3'].map(denied), [false, false, true])
    assert.equal(denyInboundEncryptedConnection('a peer'), false)
  })

  it('closes a connection unheard that has no address any more', () => {
    const server = createServer()
    let heard = 0
    server.on('connection', () => void heard++)
    admitOnlyPeers(server, { host: '10.0.0.1', peers: ['10.0.0.1'] })
    let destroyed = 0
    server.emit('connection', { remoteAddress: undefined, destroy: () => void destroyed++ })
    assert.deepEqual([heard, destroyed], [0, 1])
    server.emit('connection', { remoteAddress: '::ffff:10.0.0.1', destroy: () => void destroyed++ })
    assert.deepEqual([heard, destroyed], [1, 1])
  })
})

const LOOPBACK = '/ip4/127.0.0.0/ipcidr/8,/ip6/::1/ipcidr/128'

describe('our server knows the machines of a run', () => {
  it('where there is one', () => {
    assert.deepEqual(makeOwnMachineSettings(), { unlimitedFrom: LOOPBACK })
    assert.deepEqual(makeOwnMachineSettings({ address: '127.0.0.1', peers: ['127.0.0.1'] }), {
      unlimitedFrom: LOOPBACK
    })
  })

  it('where they are network namespaces', () => {
    assert.deepEqual(makeOwnMachineSettings(undefined, 'namespaces'), {
      unlimitedFrom: `${LOOPBACK},/ip4/10.0.0.0/ipcidr/8`
    })
  })

  it('where there are several, and listens to nobody else', () => {
    const all = `${LOOPBACK},/ip4/10.0.0.1/ipcidr/32,/ip4/10.0.0.2/ipcidr/32,/ip6/fd00::3/ipcidr/128`
    const peers = ['10.0.0.2', '127.0.0.1', 'fd00::3', '10.0.0.2']
    assert.deepEqual(makeOwnMachineSettings({ address: '10.0.0.1', peers }), {
      unlimitedFrom: all,
      onlyFrom: all
    })
  })
})
