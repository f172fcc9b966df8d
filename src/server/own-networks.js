import { existsSync, readFileSync } from 'node:fs'
import { networkInterfaces } from 'node:os'
import { LOOPBACK_NETWORKS, networkOfOne } from '../kit/ip-address.js'

const IN_DOCKER = '/.dockerenv'
const LINKS = '/sys/class/net'

/** What is read of the machine. @typedef {{ read: (file: string) => string, inDocker: () => boolean, interfaces: () => NodeJS.Dict<{ address: string, internal: boolean }[]> }} Machine */

/** @type {Machine} */
const THIS_MACHINE = {
  read: file => readFileSync(file, 'utf8'),
  inDocker: () => existsSync(IN_DOCKER),
  interfaces: networkInterfaces
}

/**
 * ownNetworks are the networks, as multiaddrs, that only this machine connects from: loopback, and each address of its interfaces alone. In a
 * Docker container the gateway of its network belongs to them, where connections of the machine with the engine come from.
 *
 * @param {Machine} [machine]
 * @returns {string[]}
 */
export function ownNetworks(machine = THIS_MACHINE) {
  const own = Object.values(machine.interfaces())
    .flatMap(addresses => addresses ?? [])
    .filter(({ internal }) => !internal)
    .map(({ address }) => address)
  return [...LOOPBACK_NETWORKS, ...new Set([...own, ...gateways(machine)].map(networkOfOne))]
}

/**
 * The gateway is trusted only behind a pair of interfaces that an engine made: in the host's own network, and on one of its cards (macvlan), it is
 * a router, through which strangers may come.
 *
 * @param {Machine} machine
 */
function gateways({ read, inDocker }) {
  if (!inDocker()) return []
  return [...ipv4Gateways(text('/proc/net/route')), ...ipv6Gateways(text('/proc/net/ipv6_route'))]
    .filter(({ link }) => isPair(link))
    .map(({ gateway }) => gateway)

  /** @param {string} file */
  function text(file) {
    try {
      return read(file)
    } catch {
      return ''
    }
  }

  /** @param {string} link */
  function isPair(link) {
    const [index, peer] = ['ifindex', 'iflink'].map(name => text(`${LINKS}/${link}/${name}`))
    return peer !== '' && index !== peer && !text(`${LINKS}/${link}/uevent`).includes('DEVTYPE=')
  }
}

/** @param {string} table */
const rowsOf = table => table.split('\n').map(line => line.trim().split(/\s+/))

/** Default routes of /proc/net/route, where an address is a number in the machine's order of bytes: the last one first. @param {string} table */
const ipv4Gateways = table =>
  rowsOf(table)
    .filter(([, destination, gateway]) => destination === '00000000' && /^[\dA-F]{8}$/.test(gateway))
    .filter(([, , gateway]) => gateway !== '00000000')
    .map(([link, , gateway]) => ({ link, gateway: [...Buffer.from(gateway, 'hex')].reverse().join('.') }))

const ANY_IPV6 = '0'.repeat(32)

/** Default routes of /proc/net/ipv6_route. @param {string} table */
const ipv6Gateways = table =>
  rowsOf(table)
    .filter(([destination, bits, , , gateway]) => destination === ANY_IPV6 && bits === '00' && gateway)
    .filter(([, , , , gateway]) => gateway !== ANY_IPV6)
    .map(([, , , , gateway, , , , , link]) => ({ link, gateway: gateway.match(/.{4}/g)?.join(':') ?? '' }))
