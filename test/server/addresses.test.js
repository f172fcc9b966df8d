import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { multiaddr } from '@multiformats/multiaddr'
import {
  addressOf,
  groupOf,
  isOneOf,
  networkOf,
  networks
} from '../../src/server/admission/address-groups.js'

describe('the address of who connects', () => {
  for (const [remote, address] of [
    ['/ip4/192.168.1.5/tcp/1', '192.168.1.5'],
    ['/ip6/2001:db8::1/tcp/1', '2001:db8::1'],
    ['/dns4/server.example/tcp/1', '']
  ])
    test(`is ${address || 'none'} of ${remote}`, () => assert.equal(addressOf(multiaddr(remote)), address))

  for (const [address, network, group] of [
    ['192.168.1.5', '192.168.1.5', '192.168.1'],
    ['2001:db8:1:2:3:4:5:6', '2001:db8:1:2', '2001:db8:1'],
    ['2001:db8::6', '2001:db8:0:0', '2001:db8:0'],
    ['::1', '0:0:0:0', '0:0:0'],
    ['2001:db8:1:2::', '2001:db8:1:2', '2001:db8:1'],
    ['1::2:3:4:5:6', '1:0:0:2', '1:0:0']
  ])
    test(`${address} is of ${network}, which is of ${group}`, () => {
      assert.equal(networkOf(address), network)
      assert.equal(groupOf(network), group)
    })
})

test('networks hold single addresses and whole ranges of both kinds, and nothing by name', () => {
  const list = networks([
    '/ip4/10.0.0.1/tcp/1',
    '/ip4/192.168.0.0/ipcidr/16',
    '/ip6/::1/tcp/1',
    '/ip6/2001:db8::/ipcidr/32',
    '/dns4/server.example/tcp/1'
  ])
  for (const address of ['10.0.0.1', '192.168.7.9', '::1', '2001:db8:5::9'])
    assert.ok(isOneOf(list, address), address)
  for (const address of ['10.0.0.2', '192.169.0.1', '::2', '2001:db9::1'])
    assert.ok(!isOneOf(list, address), address)
})
