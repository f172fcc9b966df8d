import assert from 'node:assert/strict'
import { test } from 'node:test'
import { changedSettings } from './shown.js'

test('a setting is shown with its reason where one is told, of server and clients alike', () => {
  const settings = {
    server: { maxStreams: 1000, logger: { value: 'silent', why: 'nobody reads it' } },
    clients: { 'addresses.listen': { value: [], why: 'clients only dial' } }
  }
  const result = /** @type {any} */ ({ scenario: 'rendezvous', outcome: { target: { settings } } })
  assert.deepEqual(changedSettings(result).settings, [
    { whose: 'server', name: 'maxStreams', value: 1000, why: null },
    { whose: 'server', name: 'logger', value: 'silent', why: 'nobody reads it' },
    { whose: 'clients', name: 'addresses.listen', value: [], why: 'clients only dial' }
  ])
})
