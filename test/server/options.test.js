import assert from 'node:assert/strict'
import { networkInterfaces } from 'node:os'
import { describe, it, test } from 'node:test'
import { isInNetworks, makeNetworkList } from '../../src/server/admission/address-groups.js'
import { LIMITS } from '../../src/server/limits.js'
import {
  findOwnNetworks,
  ListenError,
  makeEnvironmentName,
  makeListenError,
  readServerOptions,
  SERVER_OPTIONS,
  ServerOptionsError
} from '../../src/server/options.js'
import { makeServerHelp, parseServerFlags } from '../../src/server/process/command.js'

/** @param {Record<string, unknown>} flags @param {Record<string, string>} [env] */
function problemsOf(flags, env) {
  try {
    readServerOptions(flags, env)
  } catch (error) {
    assert.ok(error instanceof ServerOptionsError)
    return error.problems.map(({ flag, value }) => `${flag} ${value}`)
  }
  return []
}

describe('the options of the server', () => {
  it('default to the recommendations of the specification', () => {
    const options = readServerOptions()
    for (const [name, value] of Object.entries(LIMITS)) {
      assert.equal(options[/** @type {keyof typeof LIMITS} */ (name)], value, name)
    }
    assert.deepEqual(options.listen, ['/ip4/127.0.0.1/tcp/8000'])
    assert.deepEqual(options.announce, [])
    assert.equal(options.httpPort, 8003)
    assert.equal(options.control, false)
    assert.ok(Object.isFrozen(options))
  })

  it('are of one kind of server, or of both', () => {
    assert.deepEqual(problemsOf({ perf: true, control: true, listen: '/ip4/127.0.0.1/tcp/1' }), [
      '--control true'
    ])
    assert.deepEqual(problemsOf({ perfTimeout: '1m', minTtl: '10s' }), ['--limits perfTimeout 1m'])
    const { perf, maxPerfBytes, perfTimeoutMs } = readServerOptions({ perf: true, perfTimeout: '1m' })
    assert.deepEqual([perf, maxPerfBytes, perfTimeoutMs], [true, 64 * 2 ** 30, 60_000])
  })

  it('come from flags, then from the environment', () => {
    const env = { RENDEZVOUS_HTTP_PORT: '9000', RENDEZVOUS_MIN_TTL: '5s', RENDEZVOUS_CONTROL: 'true' }
    const options = readServerOptions({ minTtl: '10s' }, env)
    assert.equal(options.httpPort, 9000)
    assert.equal(options.minTtlSeconds, 10)
    assert.equal(options.control, true)
  })

  it('say which addresses nothing here listens on', () => {
    for (const [listen, said] of [
      ['/ip4/127.0.0.1/tcp/1,/ip4/127.0.0.1/tcp/0/ws', 'WebSocket'],
      ['/ip4/127.0.0.1/udp/0/quic-v1', 'QUIC']
    ])
      assert.throws(
        () => readServerOptions({ listen }),
        ({ problems: [{ allowed }] }) =>
          allowed === `${said} is not supported: name TCP addresses, such as /ip4/0.0.0.0/tcp/8000`
      )
  })

  it('take lists with commas or one by one', () => {
    const [a, b, c] = ['/ip4/127.0.0.1/tcp/1', '/ip6/::1/tcp/2', '/ip4/127.0.0.1/tcp/3']
    assert.deepEqual(readServerOptions({ listen: [`${a},${b}`, c] }).listen, [a, b, c])
    assert.deepEqual(readServerOptions({ unlimitedFrom: '' }).unlimitedFrom, [])
  })

  it('lift limits of this machine alone, unless told otherwise', () => {
    const lifted = (/** @type {string} */ host, /** @type {Record<string, unknown>} */ flags = {}) =>
      isInNetworks(makeNetworkList(readServerOptions(flags).unlimitedFrom), host)
    const own = Object.values(networkInterfaces()).flatMap(all => all ?? [])
    for (const host of [
      '127.0.0.1',
      '127.9.9.9',
      '::1',
      '::ffff:127.0.0.1',
      ...own.map(({ address }) => address)
    ]) {
      assert.ok(lifted(host), host)
      assert.ok(!lifted(host, { unlimitedFrom: '' }), host)
      assert.ok(lifted(host, { unlimitedFrom: 'own,/ip4/192.0.2.99' }), host)
    }
    assert.ok(!lifted('192.0.2.99'))
    assert.ok(lifted('192.0.2.99', { unlimitedFrom: ['/ip4/192.0.2.99', 'own'] }))
    assert.deepEqual(problemsOf({ unlimitedFrom: 'owner' }), ['--unlimitedFrom owner'])
  })

  it('each have a description and an environment variable', () => {
    for (const [name, { describe }] of Object.entries(SERVER_OPTIONS)) {
      assert.ok(describe.length > 10 && !describe.includes('\n'))
      assert.match(makeEnvironmentName(name), /^RENDEZVOUS_[A-Z_]+$/)
    }
  })

  it('are refused all at once', () => {
    const flags = {
      listen: '/ip4/1.2.3.4/udp/1',
      announce: 'nonsense',
      httpPort: '70000',
      minTtl: '7200',
      maxMessageBytes: '1e9',
      logLevel: 'loud',
      foo: 1,
      maxPeerRegistrations: ['1', '2']
    }
    assert.deepEqual(problemsOf(flags, { RENDEZVOUS_MAX_STREAMS: 'many' }).sort(), [
      '--announce nonsense',
      '--foo ',
      '--httpPort 70000',
      '--limits maxMessageBytes 1e9',
      '--limits maxPeerRegistrations 1,2',
      '--limits minTtl 7200',
      '--listen /ip4/1.2.3.4/udp/1',
      '--logLevel loud',
      'RENDEZVOUS_MAX_STREAMS many'
    ])
  })

  it('are limits by their names, too', () => {
    const flags = parseServerFlags(['--limits', 'minTtl=1s,maxTtl=2h', '--limits=maxStreams=7'])
    const { minTtlSeconds, maxTtlSeconds, maxStreams } = readServerOptions(flags)
    assert.deepEqual([minTtlSeconds, maxTtlSeconds, maxStreams], [1, 7200, 7])
    assert.deepEqual(problemsOf({ limits: 'minTtl=1s,minTtl=2s,most=3' }), [
      '--limits minTtl 1s,2s',
      '--limits most '
    ])
  })

  it('that contradict each other are refused', () => {
    assert.deepEqual(problemsOf({ minTtl: '2h', maxTtl: '1h' }), ['--limits minTtl 7200s'])
    assert.deepEqual(problemsOf({ keyFile: 'key', keySeed: 0 }), ['--keySeed 0'])
  })

  it('are read from a command line in either spelling', () => {
    const flags = parseServerFlags([
      '--http-port',
      '0',
      '--control',
      '--listen',
      'a',
      '--listen=b',
      '--minTtl=1s'
    ])
    assert.deepEqual(flags, { httpPort: '0', control: true, listen: ['a', 'b'], minTtl: '1s' })
    assert.deepEqual(problemsOf(parseServerFlags(['--http-port', 'x', '--nonsense'])).sort(), [
      '--httpPort x',
      '--nonsense '
    ])
    assert.deepEqual(problemsOf(parseServerFlags(['word'])), ['--word '])
    assert.deepEqual(parseServerFlags(['--control=true', '--maxStreams']), {
      control: 'true',
      maxStreams: ''
    })
    assert.deepEqual(problemsOf({ maxStreams: '' }), ['--limits maxStreams '])
  })

  it('are all in the help', () => {
    for (const name of Object.keys(SERVER_OPTIONS)) assert.match(makeServerHelp(), new RegExp(`--${name} `))
    assert.deepEqual(parseServerFlags(['--help']), { help: true })
  })
})

const LOOPBACK = ['/ip4/127.0.0.0/ipcidr/8', '/ip6/::1/ipcidr/128']

const PAIR = {
  '/sys/class/net/eth0/ifindex': '2\n',
  '/sys/class/net/eth0/iflink': '7\n',
  '/sys/class/net/eth0/uevent': 'INTERFACE=eth0\nIFINDEX=2\n'
}
const ROUTES = {
  '/proc/net/route':
    'Iface\tDestination\tGateway \tFlags\tRefCnt\tUse\tMetric\tMask\neth0\t00000000\t010012AC\t0003\t0\t0\t0\t00000000\neth0\t000012AC\t00000000\t0001\t0\t0\t0\t0000FFFF\n',
  '/proc/net/ipv6_route':
    'fd0000000000000000000000000000ab 40 00000000000000000000000000000000 00 00000000000000000000000000000000 00000100 00000001 00000000 00000001     eth0\n00000000000000000000000000000000 00 00000000000000000000000000000000 00 fd000000000000000000000000000001 00000400 00000002 00000000 00000003     eth0\n'
}

/** @param {Record<string, string>} files @param {boolean} [inDocker] */
const machine = (files, inDocker = true) => ({
  read(/** @type {string} */ file) {
    if (files[file] === undefined) throw new Error(`ENOENT: ${file}`)
    return files[file]
  },
  inDocker: () => inDocker,
  interfaces: () => ({
    lo: [{ address: '127.0.0.1', internal: true }],
    eth0: [
      { address: '172.18.0.5', internal: false },
      { address: 'fe80::5', internal: false }
    ]
  })
})

const ADDRESSES = [...LOOPBACK, '/ip4/172.18.0.5/ipcidr/32', '/ip6/fe80::5/ipcidr/128']

describe('the networks that are this machine', () => {
  it('are loopback and each of its addresses, never what is beside it', () =>
    assert.deepEqual(findOwnNetworks(machine({ ...PAIR, ...ROUTES }, false)), ADDRESSES))

  it('are in a container the gateway too, from which the machine with the engine comes', () =>
    assert.deepEqual(findOwnNetworks(machine({ ...PAIR, ...ROUTES })), [
      ...ADDRESSES,
      '/ip4/172.18.0.1/ipcidr/32',
      '/ip6/fd00:0000:0000:0000:0000:0000:0000:0001/ipcidr/128'
    ]))

  for (const [where, link] of Object.entries({
    "the host's own network": { '/sys/class/net/eth0/iflink': '2\n' },
    'a network of a card (macvlan)': { '/sys/class/net/eth0/uevent': 'DEVTYPE=macvlan\nINTERFACE=eth0\n' }
  }))
    it(`are in a container in ${where} not the gateway, which is a router`, () =>
      assert.deepEqual(findOwnNetworks(machine({ ...PAIR, ...ROUTES, ...link })), ADDRESSES))

  it('are known without what a system does not tell', () =>
    assert.deepEqual(findOwnNetworks(machine({})), ADDRESSES))
})

const inUse = (/** @type {number} */ port) => `listen EADDRINUSE: address already in use 127.0.0.1:${port}`

test('an address that cannot be listened on is named, with the flag to change', () => {
  const error = makeListenError(new Error(inUse(8003)), '--httpPort')
  assert.ok(error instanceof ListenError)
  assert.equal(
    error.message,
    'cannot listen: EADDRINUSE: address already in use 127.0.0.1:8003. Choose another address with --httpPort'
  )
})

test('all of them, without the stack traces of libp2p', () => {
  const thrown = new Error(
    `Some configured addresses failed to be listened on:\n\n  /ip4/127.0.0.1/tcp/80: Error: ${inUse(80)}\n      at Server.setupListenHandle\n\n  /ip4/127.0.0.1/tcp/81: Error: ${inUse(81)}\n      at doListen\n`
  )
  const { message } = /** @type {Error} */ (makeListenError(thrown, '--listen'))
  assert.equal(
    message,
    'cannot listen: EADDRINUSE: address already in use 127.0.0.1:80; EADDRINUSE: address already in use 127.0.0.1:81. Choose another address with --listen'
  )
})

test('what is about something else stays as it is', () => {
  const thrown = new Error('no transport')
  assert.equal(makeListenError(thrown, '--listen'), thrown)
  assert.equal(makeListenError('text', '--listen'), 'text')
})
