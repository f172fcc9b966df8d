import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { withoutPassword } from '../../src/kit/host-address.js'

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
      assert.equal(withoutPassword(text), shown)
      assert.equal(withoutPassword(shown), shown)
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
    it(`is shown as it is where there is none: ${text}`, () => assert.equal(withoutPassword(text), text))
})
