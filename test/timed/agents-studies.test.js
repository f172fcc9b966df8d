import '../../src/kit/runtime.js'
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { runCommand, TIMEOUT } from '../acceptance/loadtest.js'

describe('what cannot go over agents', () => {
  const over = ['--bus', 'nats://127.0.0.1:1', '--agents', '1']
  for (const [args, said] of /** @type {[string[], RegExp][]} */ ([
    [
      ['matrix', 'benchmarks/smoke.yaml', '--parallel', '2'],
      /--parallel 2 +needs rows that are all simulated/
    ],
    [['matrix', 'benchmarks/gossip-profile.yaml'], /profile cpu +has no use with --agents/],
    [['saturate', 'gossip', '--network', 'simulated'], /--network simulated +has no use with --agents/],
    [['matrix', 'benchmarks/smoke.yaml'], /no NATS server can be used at nats:\/\/127\.0\.0\.1:1/]
  ]))
    test(`${args.join(' ')} is refused`, TIMEOUT, async () => {
      const { code, stderr, folders } = await runCommand([...args, ...over])
      assert.equal(code, 2)
      assert.match(stderr, said)
      assert.deepEqual(folders, [])
    })
})
