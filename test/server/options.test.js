import assert from 'node:assert/strict'
import { networkInterfaces } from 'node:os'
import { describe, it } from 'node:test'
import { isOneOf, networks } from '../../src/server/admission/address-groups.js'
import { parseServerFlags, serverHelp } from '../../src/server/command.js'
import { LIMITS } from '../../src/server/limits.js'
import {
  environmentName,
  readServerOptions,
  SERVER_OPTIONS,
  ServerOptionsError
} from '../../src/server/options.js'

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
    assert.deepEqual(problemsOf({ perfTimeout: '1m', minTtl: '10s' }), ['--perfTimeout 1m'])
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
          allowed === `${said} is not spoken: name TCP addresses, such as /ip4/0.0.0.0/tcp/8000`
      )
  })

  it('take lists with commas or one by one', () => {
    const [a, b, c] = ['/ip4/127.0.0.1/tcp/1', '/ip6/::1/tcp/2', '/ip4/127.0.0.1/tcp/3']
    assert.deepEqual(readServerOptions({ listen: [`${a},${b}`, c] }).listen, [a, b, c])
    assert.deepEqual(readServerOptions({ unlimitedFrom: '' }).unlimitedFrom, [])
  })

  it('lift limits of this machine alone, unless told otherwise', () => {
    const lifted = (/** @type {string} */ host, /** @type {Record<string, unknown>} */ flags = {}) =>
      isOneOf(networks(readServerOptions(flags).unlimitedFrom), host)
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
      assert.match(environmentName(name), /^RENDEZVOUS_[A-Z_]+$/)
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
      '--listen /ip4/1.2.3.4/udp/1',
      '--logLevel loud',
      '--maxMessageBytes 1e9',
      '--maxPeerRegistrations 1,2',
      '--minTtl 7200',
      'RENDEZVOUS_MAX_STREAMS many'
    ])
  })

  it('that contradict each other are refused', () => {
    assert.deepEqual(problemsOf({ minTtl: '2h', maxTtl: '1h' }), ['--minTtl 7200s'])
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
    assert.deepEqual(problemsOf({ maxStreams: '' }), ['--maxStreams '])
  })

  it('are all in the help', () => {
    for (const name of Object.keys(SERVER_OPTIONS)) assert.match(serverHelp(), new RegExp(`--${name} `))
    assert.deepEqual(parseServerFlags(['--help']), { help: true })
  })
})
