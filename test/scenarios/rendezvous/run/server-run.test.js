import '../../../../src/kit/runtime.js'
import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { makeServerSettings, unregisterAll } from '../../../../src/scenarios/rendezvous/run/server-run.js'
import { planned } from '../../../plan/planned.js'

const DEFAULTS = { minTtlSeconds: 7200, maxRegistrations: 1_000_000 }

/** @param {Record<string, unknown>} options @param {Partial<typeof DEFAULTS>} [defaults] */
const settingsOf = (options, defaults) => makeServerSettings(planned(options), { ...DEFAULTS, ...defaults })

describe('what our own server is started with', () => {
  it('is no more than a run on one host needs', () => {
    const { unlimitedFrom, maxStreams, ...settings } = settingsOf({})
    assert.match(unlimitedFrom.toString(), /127\.0\.0\.0/)
    assert.deepEqual([maxStreams, Object.keys(settings).sort()], [1000, ['maxPeerRegistrations']])
  })

  it('has a shorter least time to live, where registrations are to last less', () =>
    assert.equal(settingsOf({ ttl: '60s' }).minTtl, '60s'))

  it('has room for all that clients may register', () => {
    const options = { initialRegistrations: 500, nClients: 9, maxPeerRegistrations: 100 }
    assert.equal(settingsOf(options, { maxRegistrations: 1499 }).maxRegistrations, 1500)
    assert.ok(!('maxRegistrations' in settingsOf(options, { maxRegistrations: 1500 })))
  })
})

const NOBODY = '/ip4/127.0.0.1/tcp/1/p2p/12D3KooWGDL7oNHzMG3KQAUhxFs1MzX8PoZLuh99JGs6NqwScPWt'

/** @param {object} plan @param {{ failed?: boolean, restore?: () => Promise<void>, takenBack?: number }} [how] */
const left = (plan, { failed = false, restore = async () => {}, takenBack = 0 } = {}) =>
  unregisterAll({
    plan: /** @type {any} */ ({
      ...{ benchmarkType: 'REGISTER', registerMode: 'new', initialRegistrations: 0 },
      ...plan
    }),
    failed,
    pool: /** @type {any} */ ({ restore }),
    operations: 40,
    // nothing more can be taken back than was: nobody listens, and time is over
    preloaded: (_, onProgress) => {
      onProgress(takenBack)
      return /** @type {any} */ ({
        plan: { seed: 1, initialRegistrations: 100, nNamespaces: 1 },
        ...{ target: { multiaddr: NOBODY }, signal: AbortSignal.abort(), onProgress }
      })
    }
  })

const broken = () => Promise.reject(new Error('the worker died'))

describe('registrations that stay at a server of others', () => {
  it('are none where clients have ended theirs, or could do so after a failure', async () => {
    assert.equal(await left({}), 0)
    assert.equal(await left({}, { failed: true }), 0)
  })

  it('are those that clients made and could not unregister', async () =>
    assert.equal(await left({}, { failed: true, restore: broken }), 40))

  it('are none of clients that only discovered', async () =>
    assert.equal(await left({ benchmarkType: 'DISCOVER' }, { failed: true, restore: broken }), 0))

  it('are those that were made before, less what was taken back of them', async () => {
    assert.equal(await left({ initialRegistrations: 100 }, { takenBack: 70 }), 30)
    const failed = { failed: true, restore: broken, takenBack: 70 }
    assert.equal(await left({ initialRegistrations: 100 }, failed), 70)
  })
})
