import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { hostFacts } from '../../src/measure/resources.js'
import { hostLines } from '../../src/report/describe-run.js'

/** @type {Record<string, string>} as Linux 6.18 writes them */
const FILES = {
  '/proc/pressure/cpu': 'some avg10=3.50 avg60=64.91 avg300=33.37 total=23623282379\n',
  '/proc/stat': 'cpu  600 0 100 290 0 0 0 10 0 0\n',
  '/proc/self/cgroup': '0::/user.slice\n',
  '/sys/fs/cgroup/user.slice/cpu.max': '150000 100000\n',
  '/sys/devices/system/clocksource/clocksource0/current_clocksource': 'tsc\n',
  '/proc/self/limits':
    'Limit  Soft Limit  Hard Limit  Units\nMax open files            1048576              1048576              files     \n',
  '/proc/sys/user/max_user_namespaces': '63704\n',
  '/proc/sys/net/ipv4/tcp_congestion_control': 'bbr\n'
}
const find = (/** @type {string} */ program) => program === 'nft'
const facts = () => hostFacts({ read: path => FILES[path] ?? '', find })
const time = (/** @type {number} */ ms) => ({ ms, censored: false })
const hiccups = {
  count: 1200,
  avg: null,
  p50: time(0.1),
  p90: null,
  p95: null,
  p99: time(0.2),
  p999: null,
  max: time(3)
}
const believed = (/** @type {object} */ host) =>
  hostLines({ ...facts(), cores: 4, quotaCores: null, ...host }, hiccups).at(-1)?.[1]

describe('what a machine is like', () => {
  it('is what its system tells', () => {
    const { cores, ...others } = facts()
    assert.ok(cores >= 1)
    assert.deepEqual(others, {
      ...{ quotaCores: 1.5, pressurePercent: 3.5, stealPercent: 1, clockSource: 'tsc', openFiles: 1048576 },
      ...{ namespaces: 63704, congestionControl: 'bbr' },
      ...{ docker: false, nft: true, postgres: false, nats: false }
    })
  })

  it('is not known where its system tells nothing', () => {
    const {
      cores: _,
      docker,
      nft,
      postgres,
      nats,
      ...others
    } = hostFacts({ read: () => '', find: () => false })
    assert.deepEqual([docker, nft, postgres, nats], Array(4).fill(false))
    assert.deepEqual([...new Set(Object.values(others))], [null])
  })
})

describe('what a machine can be believed for', () => {
  it('is said in ten lines at most, each with its name', () => {
    const lines = hostLines(facts(), hiccups)
    assert.ok(lines.length <= 10)
    assert.deepEqual(
      lines.map(([what]) => what),
      [
        'cores',
        'waiting for a core',
        'taken by other guests',
        'late timers',
        'clock',
        'open files',
        'namespaces',
        'TCP',
        'programs',
        'believed for'
      ]
    )
  })

  it('are times that late timers move by less than a tenth', () => {
    assert.match(String(believed({})), /^p99 from about 2\.00 ms on/)
  })

  for (const [what, host] of /** @type {[string, object][]} */ ([
    ['something waits', { pressurePercent: 12 }],
    ['other guests', { stealPercent: 1.2 }],
    ['share a core', { cores: 1 }],
    ['share a core', { quotaCores: 1.5 }]
  ]))
    it(`are no percentiles while ${what}: ${JSON.stringify(host)}`, () => {
      assert.match(String(believed(host)), new RegExp(`^no percentile just now, for .*${what}`))
    })
})
