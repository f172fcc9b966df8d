import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { ownNetworks } from '../../src/server/options.js'

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
    assert.deepEqual(ownNetworks(machine({ ...PAIR, ...ROUTES }, false)), ADDRESSES))

  it('are in a container the gateway too, from which the machine with the engine comes', () =>
    assert.deepEqual(ownNetworks(machine({ ...PAIR, ...ROUTES })), [
      ...ADDRESSES,
      '/ip4/172.18.0.1/ipcidr/32',
      '/ip6/fd00:0000:0000:0000:0000:0000:0000:0001/ipcidr/128'
    ]))

  for (const [where, link] of Object.entries({
    "the host's own network": { '/sys/class/net/eth0/iflink': '2\n' },
    'a network of a card (macvlan)': { '/sys/class/net/eth0/uevent': 'DEVTYPE=macvlan\nINTERFACE=eth0\n' }
  }))
    it(`are in a container in ${where} not the gateway, which is a router`, () =>
      assert.deepEqual(ownNetworks(machine({ ...PAIR, ...ROUTES, ...link })), ADDRESSES))

  it('are known without what a system does not tell', () =>
    assert.deepEqual(ownNetworks(machine({})), ADDRESSES))
})
