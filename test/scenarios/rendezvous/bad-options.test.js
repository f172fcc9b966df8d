import '../../../src/kit/runtime.js'
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { makePlan } from '../../scenarios.js'

const PEER = '12D3KooWGjMCwDWeCzgZ1tAFuUbBLRqHgtdVMZxqYsD9GPXMzSzd'

/** @param {Record<string, unknown>} options */
const problemsOf = options => makePlan(options, { cores: 4 }).problems ?? []

test('every problem is named at once, wrong values, unknown flags and combinations together', () => {
  const problems = problemsOf({
    nClients: '0',
    benchmarkType: 'delete',
    nosuch: '1',
    timeout: '5',
    discoverLimit: '5000',
    targetPid: '3'
  })
  assert.deepEqual(
    problems.map(({ flag }) => flag),
    ['--nClients', '--benchmarkType', '--nosuch', '--timeout', '--discoverLimit', '--targetPid']
  )
})

test('a combination is not judged while one of its values is not allowed', () => {
  assert.deepEqual(
    problemsOf({ workers: '8', nClients: 'x' }).map(({ flag }) => flag),
    ['--nClients']
  )
})

describe('a public address needs --iOwnTheTarget', () => {
  const publicHosts = [
    '/ip4/8.8.8.8',
    '/ip4/172.32.0.1',
    '/ip4/100.128.0.1',
    '/ip4/192.31.196.1',
    '/ip6/2001:4860:4860::8888',
    '/ip6/64:ff9b::808:808',
    '/ip6/::ffff:8.8.8.8',
    '/dns4/rendezvous.example.org',
    '/dns/localhost.example.org'
  ]
  const ownHosts = [
    '/ip4/127.0.0.1',
    '/ip4/127.8.7.6',
    '/ip4/10.1.2.3',
    '/ip4/172.18.0.2',
    '/ip4/192.168.1.5',
    '/ip4/169.254.1.1',
    '/ip4/100.64.0.1',
    '/ip6/::1',
    '/ip6/fd12:3456::1',
    '/ip6/fe80::1',
    '/ip6/::ffff:10.0.0.1',
    '/dns4/localhost'
  ]
  for (const host of publicHosts) {
    const target = `${host}/tcp/8000/p2p/${PEER}`
    test(`${host} is refused`, () => {
      const [problem] = problemsOf({ target })
      assert.deepEqual([problem.flag, problem.value], ['--target', target])
      assert.match(problem.allowed, /public address.*--iOwnTheTarget/)
    })
    test(`${host} is taken from its owner`, () => {
      assert.deepEqual(problemsOf({ target, iOwnTheTarget: true }), [])
    })
  }
  for (const host of ownHosts) {
    test(`${host} is taken`, () => {
      assert.deepEqual(problemsOf({ target: `${host}/tcp/8000/p2p/${PEER}` }), [])
    })
  }
})
