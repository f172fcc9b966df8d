import '../../../../src/kit/runtime.js'
import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { serverSettings } from '../../../../src/scenarios/rendezvous/run/server-run.js'
import { planned } from '../../../plan/planned.js'

const DEFAULTS = { minTtlSeconds: 7200, maxRegistrations: 1_000_000 }

/** @param {Record<string, unknown>} options @param {Partial<typeof DEFAULTS>} [defaults] */
const settingsOf = (options, defaults) => serverSettings(planned(options), { ...DEFAULTS, ...defaults })

describe('what our own server is started with', () => {
  it('is no more than a run on one host needs', () => {
    const { unlimitedFrom, maxStreams, ...settings } = settingsOf({})
    assert.match(unlimitedFrom.toString(), /127\.0\.0\.0/)
    assert.equal(maxStreams, 1000)
    assert.deepEqual(Object.keys(settings).sort(), ['maxPeerRegistrations'])
  })

  it('has a shorter least time to live, where registrations are to last less', () => {
    assert.equal(settingsOf({ ttl: '60s' }).minTtl, '60s')
  })

  it('has room for all that clients may register', () => {
    const options = { initialRegistrations: 500, nClients: 9, maxPeerRegistrations: 100 }
    assert.equal(settingsOf(options, { maxRegistrations: 1499 }).maxRegistrations, 1500)
    assert.ok(!('maxRegistrations' in settingsOf(options, { maxRegistrations: 1500 })))
  })
})
