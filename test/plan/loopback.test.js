import assert from 'node:assert/strict'
import { test } from 'node:test'
import { isLoopbackMultiaddr } from '../../src/plan/addresses.js'

for (const [address, expected] of /** @type {[string, boolean][]} */ ([
  ['/ip4/127.0.0.1/tcp/1', true],
  ['/ip4/127.9.9.9/tcp/1', true],
  ['/ip6/::1/tcp/1', true],
  ['/dns4/LocalHost/tcp/1', true],
  ['/ip4/192.168.1.5/tcp/1', false],
  ['/ip6/fe80::1/tcp/1', false],
  ['/dns/127.example.org/tcp/1', false],
  ['/dns6/rendezvous.example.org/tcp/1', false]
]))
  test(`${address} ${expected ? 'cannot' : 'can'} leave this host`, () =>
    assert.equal(isLoopbackMultiaddr(address), expected))
