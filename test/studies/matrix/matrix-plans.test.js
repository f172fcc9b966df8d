import assert from 'node:assert/strict'
import { test } from 'node:test'
import { listShippedMatrices } from '../../../src/studies/matrix/plan.js'
import { digestOf, isAsRecorded } from '../../recorded.js'
import { expandMatrices, loadMatrices } from '../../scenarios.js'

test('every row of every matrix that comes with the program has the plan that it had', async () => {
  const { matrices, problems } = await loadMatrices(
    (await listShippedMatrices()).map(name => `benchmarks/${name}.yaml`)
  )
  const { tables, problems: refused } = expandMatrices(matrices, { cores: 2 })
  assert.deepEqual([problems, refused], [[], []])
  isAsRecorded('matrix-plans.json', {
    // so that a difference shows which option went or came
    keys: Object.fromEntries(
      tables.map(({ scenario, rows }) => [scenario, Object.keys(rows[0].plan).sort().join(' ')])
    ),
    plans: Object.fromEntries(
      tables.map(({ id, rows }) => [
        id,
        Object.fromEntries(rows.map(({ name, plan }) => [name, digestOf(plan)]))
      ])
    )
  })
})

test('a flag puts what a file says for its sake out of force', async () => {
  const { matrices } = await loadMatrices(['benchmarks/smoke.yaml', 'benchmarks/smoke-gossip.yaml'])
  const target = '/ip4/127.0.0.1/tcp/9999/p2p/12D3KooWGC6TvWhfapngX6wvJHMYvKpDMXPb3ZnCZ6dMoaMtimQ5'
  const [server, gossip] = matrices
  for (const [matrix, flags] of /** @type {const} */ ([
    [server, { target }],
    [
      server,
      {
        targets: `${target},/ip4/127.0.0.1/tcp/9998/p2p/12D3KooWGjMCwDWeCzgZ1tAFuUbBLRqHgtdVMZxqYsD9GPXMzSzd`
      }
    ],
    [server, { duration: '5s' }],
    [gossip, { warmup: '1s' }],
    [gossip, { warmupTimeout: '9s' }]
  ]))
    assert.deepEqual(expandMatrices([matrix], { flags, cores: 2 }).problems, [], JSON.stringify(flags))
})
