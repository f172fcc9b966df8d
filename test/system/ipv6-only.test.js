import '../../src/kit/runtime.js'
import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { test } from 'node:test'
import { assertComplete } from '../acceptance/consistent.js'
import { QUICK, start, TIMEOUT } from '../acceptance/loadtest.js'

/** A command that runs another one where loopback has ::1 alone. */
const IPV6_ONLY = [
  ...['unshare', process.getuid?.() === 0 ? '-n' : '-rn', 'sh', '-c'],
  'ip link set lo up && ip addr del 127.0.0.1/8 dev lo && ip addr show lo | grep -q ::1 && exec "$@"',
  'sh'
]

/** Not every machine lets somebody make such a place. */
function ipv6OnlyLack() {
  const [command, ...args] = [...IPV6_ONLY, 'true']
  return spawnSync(command, args).status === 0
    ? false
    : 'a network namespace with ::1 alone cannot be made here'
}

test('on a machine with IPv6 only: at ::1', { ...TIMEOUT, skip: ipv6OnlyLack() }, async () => {
  const ended = await start([...QUICK, '--benchmarkRuns', '50', '--dashboard', '--server', 'process'], {
    through: IPV6_ONLY
  }).ended
  assertComplete(ended)
  assert.match(ended.stderr, /^dashboard at http:\/\/\[::1\]:\d+\//m)
  assert.match(ended.stderr, /✔ server ready .*\/ip6\/::1\/tcp\/\d+\/p2p\/12D3KooW/)
  assert.equal(ended.result.outcome.limitedReplies, undefined, 'it is no stranger to its own server')
})
