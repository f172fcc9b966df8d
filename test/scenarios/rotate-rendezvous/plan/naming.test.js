import '../../../../src/node-shim.js'
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { caseName } from '../../../../src/plan/case-name.js'
import { makePlanOf, scenarioNamed } from '../../../scenarios.js'

/** @param {Record<string, unknown>} options @param {string | null} [name] */
function named(options, name = null) {
  const { plan, problems } = makePlanOf('rotation-rendezvous', options, { cores: 2 })
  if (plan === undefined) throw new Error(JSON.stringify(problems))
  const given = { name, row: new Map(Object.entries(options)), varied: new Map() }
  return caseName(/** @type {any} */ (scenarioNamed('rotation-rendezvous')), plan, given)
}

test('a case of rotating peers is named by its peers, times and rate, whatever unit they were given in', () => {
  assert.equal(
    named({ stable: 6, ephemeral: 3, rotateEvery: '2s', ttl: '10s', rate: 40, duration: '20s' }),
    's6-e3-every2000ms-ttl10s-rate40-20000ms'
  )
})

test('options that its name has no short form for stand behind it, those that it has do not', () => {
  assert.equal(
    named({ stable: 6, nNamespaces: 3 }),
    's6-e10-every5000ms-ttl60s-rate30-300000ms-nNamespaces=3'
  )
  assert.equal(named({ stable: 6 }, 'mine'), 'mine')
})
