import assert from 'node:assert/strict'
import { createServer } from 'node:net'
import { describe, it } from 'node:test'
import { PathProbe } from '../../src/agents/agent.js'
import { tryPaths } from '../../src/agents/fleet.js'
import { AddressError, openProbePort, probeAddress } from '../../src/agents/reachability.js'
import { planned } from '../plan/planned.js'

/** @typedef {import('../../src/agents/agent-link.js').AgentLink} Link */

const HOST = '127.0.0.1'

/** An agent that is asked in this process. @param {string} id @param {(asked: any) => any} [otherwise] */
function link(id, otherwise = () => undefined) {
  const doorway = new PathProbe({ address: HOST, name: id })
  return /** @type {Link} */ (
    /** @type {unknown} */ ({
      name: `agent ${id}`,
      card: { id, address: HOST },
      async ask(/** @type {any} */ asked) {
        const said = otherwise(asked)
        if (said !== undefined) return said
        if (asked.kind === 'open') return doorway.open(asked.word)
        if (asked.kind === 'knock') return doorway.knock(asked.dials, () => {})
        doorway.shut()
      }
    })
  )
}

const CHAIN = { ...{ scenario: 'gossip', nodes: 4, workers: 2, seed: 1 }, topology: { kind: 'line' } }

describe('what a run tries before it begins', () => {
  it('is whether agents reach the machine of the run, which learns where they come from', async () => {
    const peers = await tryPaths({ links: [link('a'), link('b')], plan: planned({}), address: HOST })
    assert.deepEqual(peers, [HOST, HOST])
  })

  it('is whether agents reach one another', async () => {
    assert.deepEqual(await tryPaths({ links: [link('a'), link('b')], plan: CHAIN, address: HOST }), [])
    const astray = createServer(socket => socket.end('who is there?')).listen(0, HOST)
    await new Promise(resolve => astray.once('listening', resolve))
    const { port } = /** @type {import('node:net').AddressInfo} */ (astray.address())
    const elsewhere = (/** @type {any} */ { kind }) => (kind === 'open' ? { port } : undefined)
    const links = [link('a', elsewhere), link('b', elsewhere)]
    await assert.rejects(
      tryPaths({ links, plan: CHAIN, address: HOST }),
      /agent [ab]: does not reach agent [ab], at 127\.0\.0\.1: something else answers there/
    )
    astray.close()
  })

  it('names who refuses to try', async () => {
    const strict = link('strict', ({ kind }) => {
      if (kind === 'knock') throw new Error('its owner allows load on 10.0.0.1 only')
    })
    await assert.rejects(
      tryPaths({ links: [link('a'), strict], plan: planned({ nClients: 2 }), address: HOST }),
      /^FleetError: agent strict: its owner allows/
    )
  })

  it('begins with an address of this machine', async () => {
    await assert.rejects(
      tryPaths({ links: [link('a')], plan: planned({}), address: '192.0.2.7' }),
      AddressError
    )
  })
})

describe('a door', () => {
  it('opens to those who know the word', async t => {
    const door = await openProbePort(HOST, 'sesame')
    t.after(() => door.close())
    assert.equal(await probeAddress({ host: HOST, port: door.port }, { word: 'sesame', name: 'a' }), null)
    assert.match(
      String(await probeAddress({ host: HOST, port: door.port }, { word: 'barley', name: 'b' })),
      /./
    )
    assert.deepEqual([...door.callers], [['a', HOST]])
  })

  it('that is shut is told', async () => {
    const door = await openProbePort(HOST, 'sesame')
    door.close()
    assert.equal(await probeAddress({ host: HOST, port: door.port }), 'ECONNREFUSED')
  })

  it('is not tried by those who may not', async () => {
    const doorway = new PathProbe({ address: HOST, name: 'a' })
    const dials = [{ to: '/ip4/127.0.0.1/tcp/9', word: null }]
    const refuse = () => {
      throw new Error('not allowed')
    }
    await assert.rejects(doorway.knock(dials, refuse), /not allowed/)
    await assert.rejects(
      doorway.knock([{ to: '/ip4/127.0.0.1/udp/9', word: null }], () => {}),
      /no port of TCP/
    )
    await assert.rejects(
      doorway.knock(Array(3000).fill(dials[0]), () => {}),
      /at most 2048/
    )
  })
})
