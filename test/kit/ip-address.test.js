import assert from 'node:assert/strict'
import { it } from 'node:test'
import { hostInUrl, isLoopbackHost, loopbackHost, plainAddress } from '../../src/kit/host-address.js'

it('an address of 127.0.0.0/8, ::1 and localhost are this machine, whatever else begins like them is not', () => {
  for (const host of ['localhost', 'LOCALHOST', '127.0.0.1', '127.9.8.7', '::1', '[::1]'])
    assert.equal(isLoopbackHost(host), true, host)
  for (const host of [
    '',
    '127.example.org',
    '127.0.0.1.example.org',
    '10.0.0.1',
    '::',
    '::12',
    'localhost.example.org'
  ])
    assert.equal(isLoopbackHost(host), false, host)
})

it('an address of IPv4 is the same one where it is written as one of IPv6', () => {
  for (const [written, plain] of [
    ['::ffff:127.0.0.1', '127.0.0.1'],
    ['::ffff:7f00:1', '127.0.0.1'],
    ['::FFFF:C0A8:105', '192.168.1.5'],
    ['192.168.1.5', '192.168.1.5'],
    ['::1', '::1'],
    ['2001:db8::ffff:7f00:1', '2001:db8::ffff:7f00:1']
  ])
    assert.equal(plainAddress(written), plain)
})

it('a machine reaches itself at 127.0.0.1, or at ::1 where it has only that', () => {
  const at = (/** @type {string[]} */ ...addresses) =>
    loopbackHost(/** @type {any} */ ({ lo: addresses.map(address => ({ address })) }))
  assert.equal(at('127.0.0.1'), '127.0.0.1')
  assert.equal(at('127.0.0.1', '::1'), '127.0.0.1')
  assert.equal(at('::1'), '::1')
  assert.equal(at(), '127.0.0.1')
})

it('an IPv6 address stands in brackets in a URL', () => {
  assert.equal(hostInUrl('::1'), '[::1]')
  assert.equal(hostInUrl('127.0.0.1'), '127.0.0.1')
})
