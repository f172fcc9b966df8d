import assert from 'node:assert/strict'
import { describe, it, test } from 'node:test'
import { multiaddr } from '@multiformats/multiaddr'
import {
  AddressSlots,
  getAddressGroup,
  getHostNetwork,
  isInNetworks,
  makeNetworkList,
  readIpAddress
} from '../../../src/server/admission/address-groups.js'

describe('the address of who connects', () => {
  for (const [remote, address] of [
    ['/ip4/192.168.1.5/tcp/1', '192.168.1.5'],
    ['/ip6/2001:db8::1/tcp/1', '2001:db8::1'],
    ['/dns4/server.example/tcp/1', '']
  ])
    test(`is ${address || 'none'} of ${remote}`, () =>
      assert.equal(readIpAddress(multiaddr(remote)), address))

  for (const [address, network, group] of [
    ['192.168.1.5', '192.168.1.5', '192.168.1'],
    ['2001:db8:1:2:3:4:5:6', '2001:db8:1:2', '2001:db8:1'],
    ['2001:db8::6', '2001:db8:0:0', '2001:db8:0'],
    ['::1', '0:0:0:0', '0:0:0'],
    ['2001:db8:1:2::', '2001:db8:1:2', '2001:db8:1'],
    ['1::2:3:4:5:6', '1:0:0:2', '1:0:0']
  ])
    test(`${address} is of ${network}, which is of ${group}`, () => {
      assert.equal(getHostNetwork(address), network)
      assert.equal(getAddressGroup(network), group)
    })
})

test('networks hold single addresses and whole ranges of both kinds, and nothing by name', () => {
  const list = makeNetworkList([
    '/ip4/10.0.0.1/tcp/1',
    '/ip4/192.168.0.0/ipcidr/16',
    '/ip6/::1/tcp/1',
    '/ip6/2001:db8::/ipcidr/32',
    '/dns4/server.example/tcp/1'
  ])
  for (const address of ['10.0.0.1', '192.168.7.9', '::1', '2001:db8:5::9'])
    assert.ok(isInNetworks(list, address), address)
  for (const address of ['10.0.0.2', '192.169.0.1', '::2', '2001:db9::1'])
    assert.ok(!isInNetworks(list, address), address)
})

/** @param {number} each @param {number} all */
function roomFor(each, all) {
  /** @type {string[]} */
  const dropped = []
  const room = new AddressSlots({ each, all }, (/** @type {string} */ member) => dropped.push(member))
  return { room, dropped }
}

describe('a room', () => {
  it('holds so many of an address', () => {
    const { room, dropped } = roomFor(2, 10)
    const found = ['a1', 'a2', 'a3'].map(member => room.add('a', member))
    assert.deepEqual(found, [true, true, false])
    assert.ok(room.add('b', 'b1'))
    room.remove('a', 'a1')
    room.remove('a', 'a1')
    assert.equal(room.size, 2)
    assert.ok(room.add('a', 'a4'))
    assert.deepEqual(dropped, [])
  })

  it('that is full takes one of who has most for one who has less', () => {
    const { room, dropped } = roomFor(5, 6)
    for (let i = 0; i < 5; i++) room.add('hostile', `h${i}`)
    room.add('b', 'b1')
    assert.ok(room.add('honest', 'first'))
    assert.ok(room.add('honest', 'second'))
    assert.deepEqual(dropped, ['h4', 'h3'])
    assert.equal(room.size, 6)
  })

  for (const [what, ofHostile, honest] of /** @type {[string, (i: number) => string, string][]} */ ([
    ['IPv4', i => `10.0.0.${i}`, '10.0.1.1'],
    ['IPv6', i => `2001:db8:1:${i}`, '2001:db8:2:1']
  ]))
    it(`that is full keeps who is there, however many neighbouring addresses come: ${what}`, () => {
      const { room, dropped } = roomFor(5, 6)
      for (let i = 0; i < 6; i++) room.add(ofHostile(i), `h${i}`)
      assert.ok(room.add(honest, 'honest'))
      for (let i = 6; i < 40; i++) room.add(ofHostile(i), `h${i}`)
      assert.ok(!dropped.includes('honest'))
      assert.ok(room.add(honest, 'another'))
      assert.equal(room.size, 6)
      assert.equal(dropped.length, 36)
    })

  it('forgets addresses and groups that have nothing left', () => {
    const { room } = roomFor(5, 2)
    for (let i = 0; i < 10; i++) {
      assert.ok(room.add(`10.0.${i}.1`, 'a'))
      assert.ok(room.add(`10.0.${i}.2`, 'b'))
      room.remove(`10.0.${i}.1`, 'a')
      room.remove(`10.0.${i}.2`, 'b')
    }
    assert.equal(room.size, 0)
  })

  it('that is full refuses who has as much as anybody', () => {
    const { room, dropped } = roomFor(5, 4)
    for (const address of ['a', 'b']) for (const n of [1, 2]) room.add(address, `${address}${n}`)
    assert.equal(room.add('a', 'a3'), false)
    assert.equal(room.size, 4)
    assert.deepEqual(dropped, [])
  })
})
