import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import {
  findLoopbackHost,
  formatUrlHost,
  hidePasswords,
  isLoopbackHost,
  unmapAddress
} from '../../src/kit/host-address.js'

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
    assert.equal(unmapAddress(written), plain)
})

it('a machine reaches itself at 127.0.0.1, or at ::1 where it has only that', () => {
  const at = (/** @type {string[]} */ ...addresses) =>
    findLoopbackHost(/** @type {any} */ ({ lo: addresses.map(address => ({ address })) }))
  assert.equal(at('127.0.0.1'), '127.0.0.1')
  assert.equal(at('127.0.0.1', '::1'), '127.0.0.1')
  assert.equal(at('::1'), '::1')
  assert.equal(at(), '127.0.0.1')
})

it('an IPv6 address stands in brackets in a URL', () => {
  assert.equal(formatUrlHost('::1'), '[::1]')
  assert.equal(formatUrlHost('127.0.0.1'), '127.0.0.1')
})

describe('an address that is shown', () => {
  for (const [text, shown] of [
    ['postgres://u:secret@db/x', 'postgres://u:***@db/x'],
    ['postgres://u:sec@ret@db/x', 'postgres://u:***@db/x'],
    ['postgres://u:sec/ret@db/x', 'postgres://u:***@db/x'],
    ['postgresql://u:sec?ret#@db', 'postgresql://u:***@db'],
    ['postgres://:secret@db/x', 'postgres://***@db/x'],
    ['postgres://u@secret:secret@db/x', 'postgres://***@db/x'],
    ['postgres://u@db/x?password=secret&user=u', 'postgres://u@db/x?password=***&user=u'],
    ['postgres://u@db/x?a=b&%70assword=secret', 'postgres://u@db/x?a=b&%70assword=***'],
    ['nats://u:secret@host:4222', 'nats://u:***@host:4222'],
    ['nats://:secret@host', 'nats://***@host'],
    ['nats://secret@host', 'nats://***@host'],
    ['nats://secret@a,nats://secret@b', 'nats://***@b'],
    ['mysql://u:secret@db', 'mysql://u:***@db'],
    ['u:secret@db/x', 'u:***@db/x'],
    [
      '--store postgres://u:secret@db/x is no word, u:secret@db neither',
      '--store postgres://u:***@db/x is no word, u:***@db neither'
    ]
  ])
    it(`has no password in it: ${text}`, () => {
      assert.equal(hidePasswords(text), shown)
      assert.equal(hidePasswords(shown), shown)
    })

  for (const text of [
    'postgres://u@db:5432/x',
    'postgres:///x?host=/run',
    'nats://host:4222',
    '/ip4/127.0.0.1/tcp/8000',
    'http://[::1]:80/path?a=b',
    'somebody@host',
    'load.yaml: nClients'
  ])
    it(`is shown as it is where there is none: ${text}`, () => assert.equal(hidePasswords(text), text))
})
