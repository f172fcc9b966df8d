import '../../../src/kit/runtime.js'
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { makePlan } from '../../scenarios.js'

const PEER = '12D3KooWGjMCwDWeCzgZ1tAFuUbBLRqHgtdVMZxqYsD9GPXMzSzd'

/** @param {string} host @param {Record<string, unknown>} [options] */
const problemsOf = (host, options) =>
  makePlan({ target: `${host}/tcp/8000/p2p/${PEER}`, ...options }, { cores: 4 }).problems ?? []

// without --iOwnTheTarget they are refused: rows of refused-options.jsonl
const PUBLIC_HOSTS = [
  ...['/ip4/8.8.8.8', '/ip4/172.32.0.1', '/ip4/100.128.0.1', '/ip4/192.31.196.1'],
  ...['/ip6/2001:4860:4860::8888', '/ip6/64:ff9b::808:808', '/ip6/::ffff:8.8.8.8'],
  ...['/dns4/rendezvous.example.org', '/dns/localhost.example.org']
]
for (const host of PUBLIC_HOSTS)
  test(`the public address ${host} is taken from its owner`, () =>
    assert.deepEqual(problemsOf(host, { iOwnTheTarget: true }), []))

const OWN_HOSTS = [
  ...['/ip4/127.0.0.1', '/ip4/127.8.7.6', '/ip4/10.1.2.3', '/ip4/172.18.0.2', '/ip4/192.168.1.5'],
  ...['/ip4/169.254.1.1', '/ip4/100.64.0.1', '/ip6/::1', '/ip6/fd12:3456::1', '/ip6/fe80::1'],
  ...['/ip6/::ffff:10.0.0.1', '/dns4/localhost']
]
for (const host of OWN_HOSTS) test(`${host} is taken`, () => assert.deepEqual(problemsOf(host), []))
