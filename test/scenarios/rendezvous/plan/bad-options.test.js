import '../../../../src/kit/runtime.js'
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { makePlan } from '../../../scenarios.js'

const PEER = '12D3KooWGjMCwDWeCzgZ1tAFuUbBLRqHgtdVMZxqYsD9GPXMzSzd'
const LOCAL = `/ip4/127.0.0.1/tcp/8000/p2p/${PEER}`
const PAIR = `${LOCAL},${LOCAL.replace('8000', '8001')}`
const AWAY = `${LOCAL},/ip4/192.168.1.5/tcp/8000/p2p/${PEER}`

/** @param {Record<string, unknown>} options */
const problemsOf = options => makePlan(options, { cores: 4 }).problems ?? []

/** @type {[Record<string, unknown>, string, string, string | RegExp][]} options, flag, value, allowed */
const REFUSED = [
  [{ nClients: '0' }, '--nClients', '0', 'must be a whole number from 1 to 100,000'],
  [{ nClients: '100001' }, '--nClients', '100001', 'must be a whole number from 1 to 100,000'],
  [{ nClients: '-3' }, '--nClients', '-3', 'must be a whole number from 1 to 100,000'],
  [{ nClients: '1.5' }, '--nClients', '1.5', 'must be a whole number from 1 to 100,000'],
  [{ nClients: 'many' }, '--nClients', 'many', 'must be a whole number from 1 to 100,000'],
  [{ nClients: '' }, '--nClients', '', 'must be a whole number from 1 to 100,000'],
  [{ nClients: true }, '--nClients', '', 'must be a whole number from 1 to 100,000'],
  [{ 'n-clients': '0' }, '--n-clients', '0', 'must be a whole number from 1 to 100,000'],
  [{ nClients: ['5', '6'] }, '--nClients', '5, 6', 'must be given only once'],
  [{ nNamespaces: '0' }, '--nNamespaces', '0', 'must be a whole number from 1 to 1,000,000'],
  [
    { initialRegistrations: '1e3' },
    '--initialRegistrations',
    '1e3',
    'must be a whole number from 0 to 10,000,000'
  ],
  [{ benchmarkRuns: '0' }, '--benchmarkRuns', '0', 'must be a whole number from 1 to 100,000,000'],
  [
    { benchmarkType: 'delete' },
    '--benchmarkType',
    'delete',
    'must be REGISTER, DISCOVER, UNREGISTER or MIXED'
  ],
  [
    { store: 'mysql' },
    '--store',
    'mysql',
    'must be memory, postgres or postgres://user@host/database without a password, which PGPASSWORD can hold'
  ],
  [{ store: 'postgres://me:secret@host/db' }, '--store', 'postgres://me:***@host/db', /without a password/],
  [{ store: 'postgres://me@a:secret@host/db' }, '--store', 'postgres://***@host/db', /without a password/],
  [
    { store: 'postgres://me@host/db?password=secret' },
    '--store',
    'postgres://me@host/db?password=***',
    /without a password/
  ],
  [
    { stoer: 'postgres://me:sec/ret@host/db' },
    '--stoer',
    'postgres://me:***@host/db',
    'is no option; did you mean --store?'
  ],
  [{ bus: 'nats://:secret@host' }, '--bus', 'nats://***@host', /must be the URL of a NATS server/],
  [{ bus: 'nats://me:secret@host:99999' }, '--bus', 'nats://me:***@host:99999', /must be the URL/],
  [{ bus: 'nats://me:%zz@host' }, '--bus', 'nats://me:***@host', /must be the URL/],
  [{ servers: '0' }, '--servers', '0', 'must be a whole number from 1 to 64'],
  [{ servers: '3' }, '--servers', '3', 'needs a store that they share, not memory: use --store postgres'],
  [{ store: 'pglite' }, '--store', 'pglite', /^must be memory, postgres or postgres:/],
  [{ balance: 'random' }, '--balance', 'random', 'is gone: clients are dealt to servers like cards'],
  [{ failover: true }, '--failover', '', 'needs --servers above 1, or --targets'],
  [{ targets: LOCAL }, '--targets', LOCAL, /addresses of two peers or more/],
  [{ targets: `${LOCAL},${LOCAL}` }, '--targets', `${LOCAL},${LOCAL}`, /each once/],
  [{ targets: PAIR, target: LOCAL }, '--targets', PAIR, /cannot be given together with --target/],
  [{ targets: PAIR, store: 'postgres' }, '--store', 'postgres', /cannot be given with --target or --targets/],
  [{ targets: PAIR, targetPid: '5' }, '--targetPid', '5', 'needs --target'],
  [{ targets: AWAY }, '--targets', AWAY, /leads to another host: .*--iOwnTheTarget/],
  [{ store: 'postgres', server: 'docker' }, '--server', 'docker', /ours run in processes/],
  [{ store: 'postgres', cpus: '0.5' }, '--cpus', '0.5', /ours run in processes/],
  [
    { store: 'postgres', servers: '2', duration: '10s', benchmarkType: 'DISCOVER', fault: 'at=2s kill' },
    '--fault',
    'at=2s kill',
    'must say which of 2 servers it is done to, such as "server=2 at=20s kill"'
  ],
  [{ target: LOCAL, store: 'postgres' }, '--store', 'postgres', /cannot be given with --target/],
  [{ discoverLimit: '0' }, '--discoverLimit', '0', /whole number/],
  [
    { discoverInexistentNamespaces: 'maybe' },
    '--discoverInexistentNamespaces',
    'maybe',
    'must be true or false'
  ],
  [{ duration: '10' }, '--duration', '10', /time with its unit .* such as 500ms, 10s or 2h/],
  [{ duration: '-1s' }, '--duration', '-1s', /time with its unit/],
  [{ duration: '30d' }, '--duration', '30d', /to 24d/],
  [{ timeout: '0' }, '--timeout', '0', /from 1ms to 1h/],
  [{ timeout: '10 parsecs' }, '--timeout', '10 parsecs', /time with its unit/],
  [{ ttl: '7200' }, '--ttl', '7200', /whole seconds with its unit/],
  [{ ttl: '1500ms' }, '--ttl', '1500ms', /whole seconds/],
  [{ ttl: '4d' }, '--ttl', '4d', /to 72h/],
  [{ warmup: 'long' }, '--warmup', 'long', /time with its unit from 0 to 1h/],
  [{ minDuration: '25h' }, '--minDuration', '25h', /to 24h/],
  [{ rate: '0' }, '--rate', '0', /rate above 0 and up to 1,000,000\/s/],
  [{ rate: '500/fortnight' }, '--rate', '500/fortnight', /500\/s or 30000\/min/],
  [{ rate: '2000000' }, '--rate', '2000000', /up to 1,000,000\/s/],
  [{ rate: '5', arrivals: 'bursty' }, '--arrivals', 'bursty', /^must be constant, poisson, ramp:to=/],
  [{ registerMode: 'again' }, '--registerMode', 'again', 'must be new or refresh'],
  [{ recordDomain: 'x' }, '--recordDomain', 'x', 'must be libp2p-peer-record or libp2p-routing-state'],
  [{ seed: '-1' }, '--seed', '-1', /from 0 to 4,294,967,295/],
  [{ workers: '0' }, '--workers', '0', /from 1 to 1,024/],
  [{ outputFile: '' }, '--outputFile', '', 'must name a path'],
  [
    { benchmarkType: 'mixed', mix: 'register=-1,discover=2' },
    '--mix',
    'register=-1,discover=2',
    /at least 0/
  ],
  [{ benchmarkType: 'mixed', mix: 'register=0' }, '--mix', 'register=0', /not all 0/],
  [{ benchmarkType: 'mixed', mix: 'lookup=1' }, '--mix', 'lookup=1', /such as register=1/],
  [{ benchmarkType: 'mixed', mix: 'discover=1,discover=2' }, '--mix', 'discover=1,discover=2', /such as/],
  [{ benchmarkType: 'mixed', mix: 'discover' }, '--mix', 'discover', /such as/],
  [{ target: 'localhost:8000' }, '--target', 'localhost:8000', /TCP address of one peer with its id/],
  [{ target: '/ip4/127.0.0.1/tcp/8000' }, '--target', '/ip4/127.0.0.1/tcp/8000', /with its id/],
  [{ target: `/ip4/127.0.0.1/udp/8000/p2p/${PEER}` }, '--target', /** @type {any} */ (null), /TCP address/],
  [{ target: `/ip4/127.0.0.1/tcp/0/p2p/${PEER}` }, '--target', /** @type {any} */ (null), /TCP address/],
  [
    { target: '/ip4/127.0.0.1/tcp/80/p2p/nobody' },
    '--target',
    '/ip4/127.0.0.1/tcp/80/p2p/nobody',
    /with its id/
  ],
  [{ target: `${LOCAL}/p2p-circuit/p2p/${PEER}` }, '--target', /** @type {any} */ (null), /TCP address/],
  [{ server: 'podman' }, '--server', 'podman', 'must be auto, process or docker'],
  [{ cpus: '0' }, '--cpus', '0', 'must be a number of cores from 0.01 to 1,024, such as 0.5 or 2'],
  [{ cpus: 'half' }, '--cpus', 'half', /number of cores/],
  [
    { memory: '512' },
    '--memory',
    '512',
    /^must be a size from 6MiB to 64TiB, in bytes or with its unit: kB, MB, /
  ],
  [{ memory: '512x' }, '--memory', '512x', /with its unit/],
  [{ memory: '1mb' }, '--memory', '1mb', /from 6MiB/],
  [
    { target: LOCAL, targetContainer: 'a b' },
    '--targetContainer',
    'a b',
    'must be the name or the id of a container'
  ],
  // unknown options
  [{ nClient: '3' }, '--nClient', '3', 'is no option; did you mean --nClients?'],
  [{ 'out-put-file': 'x' }, '--out-put-file', 'x', 'is no option; did you mean --outputFile?'],
  [{ sneeze: 'x' }, '--sneeze', 'x', 'is no option'],
  [{ n: '3' }, '-n', '3', 'is no option'],
  [{ constructor: 'x' }, '--constructor', 'x', 'is no option'],
  // combinations
  [{ server: 'process', cpus: '0.5' }, '--cpus', '0.5', 'needs --server docker: nothing limits a process'],
  [{ server: 'process', memory: '1gb' }, '--memory', '1gb', /needs --server docker/],
  [{ target: LOCAL, server: 'docker' }, '--server', 'docker', /cannot be given with --target/],
  [{ target: LOCAL, cpus: '2' }, '--cpus', '2', /limits our own server and cannot be given with --target/],
  [{ target: LOCAL, memory: '1gb' }, '--memory', '1gb', /cannot be given with --target/],
  [{ targetContainer: 'rendezvous' }, '--targetContainer', 'rendezvous', 'needs --target'],
  [
    { target: LOCAL, targetPid: '7', targetContainer: 'c' },
    '--targetContainer',
    'c',
    'cannot be given together with --targetPid: choose one'
  ],
  [
    { discoverLimit: '1001' },
    '--discoverLimit',
    '1001',
    "is above the server's cap of 1,000: lower it, or give a server with another cap as --target"
  ],
  [
    { discoverInexistentNamespaces: true },
    '--discoverInexistentNamespaces',
    '',
    'needs --benchmarkType DISCOVER or MIXED: REGISTER discovers nothing'
  ],
  [
    { discoverInexistentNamespaces: true, benchmarkType: 'unregister' },
    '--discoverInexistentNamespaces',
    '',
    /UNREGISTER discovers nothing/
  ],
  [
    { nClients: '3', benchmarkRuns: '3001', registerMode: 'new' },
    '--benchmarkRuns',
    '3001',
    /makes 1,001 registrations by each client, above the server's cap of 1,000 .* use --nClients 4, --registerMode refresh, or --maxPeerRegistrations 1001/
  ],
  [
    { benchmarkType: 'UNREGISTER', benchmarkRuns: '9000' },
    '--benchmarkRuns',
    '9000',
    /use --nClients 9, or --maxPeerRegistrations 2250/
  ],
  [
    { benchmarkType: 'MIXED', mix: 'register=1,discover=1', benchmarkRuns: '8004', registerMode: 'new' },
    '--benchmarkRuns',
    '8004',
    /makes 1,001 registrations/
  ],
  [
    { maxPeerRegistrations: '100', benchmarkRuns: '500', registerMode: 'new' },
    '--benchmarkRuns',
    '500',
    /makes 125 registrations .* cap of 100/
  ],
  [
    { rate: '500', duration: '1m', registerMode: 'new' },
    '--rate',
    '500',
    /makes 7,500 registrations by each client/
  ],
  [{ minDuration: '5s' }, '--minDuration', '5s', /goes with --benchmarkRuns: without it use --duration/],
  [
    { duration: '10s', minDuration: '5s', benchmarkRuns: '500' },
    '--minDuration',
    '5s',
    /goes with --benchmarkRuns alone/
  ],
  [
    { minDuration: '5s', benchmarkRuns: '500', registerMode: 'new' },
    '--minDuration',
    '5s',
    /use --registerMode refresh/
  ],
  [
    { benchmarkType: 'MIXED', mix: 'register=1,unregister=2' },
    '--mix',
    'register=1,unregister=2',
    /only what was registered can be removed/
  ],
  [
    { latencyRate: '100' },
    '--latencyRate',
    '100',
    'is gone: a run measures one load: give --rate to see latency at a rate'
  ],
  [
    { benchmarkType: 'REGISTER', mix: 'register=1' },
    '--mix',
    'register=1',
    'needs --benchmarkType MIXED, not REGISTER'
  ],
  [{ messageBytes: '64kB' }, '--messageBytes', '64kB', /^needs publish in --mix, as in --mix register=1/],
  [
    { mix: 'publish=1', nClients: '1' },
    '--nClients',
    '1',
    'must be from 2 to 60000 with publish in --mix: clients publish to one another'
  ],
  [
    { mix: 'publish=1', topics: '6' },
    '--topics',
    '6',
    'are 6, but there are only --nNamespaces 5: a topic is one of them'
  ],
  [{ arrivals: 'poisson' }, '--arrivals', 'poisson', /needs --rate/],
  [{ maxInFlight: '10' }, '--maxInFlight', '10', /needs --rate/],
  [
    { inFlight: '4', streamPerOperation: true },
    '--inFlight',
    '4',
    /needs one long-lived stream: .*--no-streamPerOperation/
  ],
  [{ inFlight: '4', connectionPerOperation: true }, '--inFlight', '4', /leave out --connectionPerOperation/],
  [{ inFlight: '4', rate: '10' }, '--inFlight', '4', /no use with --rate/],
  [
    { streamPerOperation: false, connectionPerOperation: true },
    '--streamPerOperation',
    'false',
    /cannot be false with --connectionPerOperation/
  ],
  [{ targetPid: '1' }, '--targetPid', '1', 'needs --target'],
  [{ iOwnTheTarget: true }, '--iOwnTheTarget', '', 'needs --target or --targets'],
  [
    { target: LOCAL, maxPeerRegistrations: '5' },
    '--maxPeerRegistrations',
    '5',
    /cannot be given with --target/
  ],
  [{ workers: '5' }, '--workers', '5', 'must be at most --nClients 4: each worker needs a client']
]

describe('a bad option is refused with its flag, its value and what is allowed', () => {
  for (const [options, flag, value, allowed] of REFUSED) {
    test(`${JSON.stringify(options)}`, () => {
      const problems = problemsOf(options)
      assert.equal(problems.length, 1, JSON.stringify(problems))
      assert.equal(problems[0].flag, flag)
      if (value !== null) assert.equal(problems[0].value, value)
      if (typeof allowed === 'string') assert.equal(problems[0].allowed, allowed)
      else assert.match(problems[0].allowed, allowed)
    })
  }
})

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
