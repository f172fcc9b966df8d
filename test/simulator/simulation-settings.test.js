import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { describeSimulatedSettings } from '../../src/simulator/simulation-settings.js'
import { gossipPlanned } from '../scenarios/gossip/gossip-planned.js'

const SHARED = 'node:crypto.verify'

/** @param {Record<string, unknown>} options */
const settingsOf = options => describeSimulatedSettings(gossipPlanned({ network: 'simulated', ...options }))

describe('that each signature is checked once for all simulated nodes is listed', () => {
  test('where it is so, with Ed25519 keys', () =>
    assert.match(settingsOf({ keyType: 'ed25519' })[SHARED].why, /Ed25519/))

  test('not where messages are signed with secp256k1 keys, whose checks are not remembered', () =>
    assert.equal(settingsOf({ keyType: 'secp256k1' })[SHARED], undefined))

  test('not where nothing is signed', () => assert.equal(settingsOf({ signing: false })[SHARED], undefined))
})
