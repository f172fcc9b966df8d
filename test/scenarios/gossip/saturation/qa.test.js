import assert from 'node:assert/strict'
import { test } from 'node:test'
import { GOSSIP_QA } from '../../../../src/scenarios/gossip/saturation.js'
import { aGossipPoint } from './a-gossip-point.js'

/** @param {Parameters<typeof aGossipPoint>[0]} parts */
const figures = parts =>
  Object.fromEntries(
    GOSSIP_QA.figures.map(({ name, of }) => [name, of(/** @type {any} */ (aGossipPoint(parts)))])
  )

test('qa of gossip compares dissemination and CPU, and has nothing to compare where there are too few messages', () => {
  const { rt } = aGossipPoint()
  const p50 = { ms: 45, censored: false }
  assert.deepEqual(figures({ rt: { ...rt, p50 } }), { p50: 45, p99: 60, missing: 0, cpu: 80 })
  assert.deepEqual(figures({ tailMs: null, cpuPercent: null }), {
    p50: null,
    p99: null,
    missing: 0,
    cpu: null
  })
})
