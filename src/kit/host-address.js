// Addresses of hosts, as in URLs or multiaddrs; hides the passwords in them.
import { BlockList, isIP } from 'node:net'
import { networkInterfaces } from 'node:os'

const IPV4_IN_IPV6 = /^::ffff:(?:(\d+\.\d+\.\d+\.\d+)|([\da-f]{1,4}):([\da-f]{1,4}))$/i

/** unmapAddress is an IPv4 address as such where it is written as one of IPv6, `::ffff:10.0.0.1` or `::ffff:a00:1`. @param {string} host */
export function unmapAddress(host) {
  const [mapped, dotted, high, low] = IPV4_IN_IPV6.exec(host) ?? []
  if (mapped === undefined) return host
  const bytes = [high, low].flatMap(group => [
    Number.parseInt(group, 16) >> 8,
    Number.parseInt(group, 16) & 0xff
  ])
  return dotted ?? bytes.join('.')
}

/** LOOPBACK_NETWORKS are the networks of this machine alone, as multiaddrs. */
export const LOOPBACK_NETWORKS = ['/ip4/127.0.0.0/ipcidr/8', '/ip6/::1/ipcidr/128']

/** isLoopbackHost says whether a name or an address is this machine's. @param {string} host - an IPv6 address with or without brackets */
export function isLoopbackHost(host) {
  const bare = host.replace(/^\[|\]$/g, '').toLowerCase()
  return bare === 'localhost' || bare === '::1' || /^127(\.\d+){3}$/.test(bare)
}

/**
 * findLoopbackHost is the address under which this machine reaches itself: 127.0.0.1, or ::1 where it has only that.
 *
 * @param {ReturnType<typeof networkInterfaces>} [interfaces]
 */
export function findLoopbackHost(interfaces = networkInterfaces()) {
  const has = (/** @type {string} */ host) =>
    Object.values(interfaces).some(all => all?.some(({ address }) => address === host))
  return has('::1') && !has('127.0.0.1') ? '::1' : '127.0.0.1'
}

/** @param {string} address */
const familyOf = address => (isIP(address) === 4 ? 'ipv4' : 'ipv6')

/**
 * makeNetworkTest gives a function that says whether an IP address is in one of some networks.
 *
 * @param {readonly string[]} networks - such as `10.0.0.0/8`, or single addresses; names of hosts are passed over
 * @returns {(address: string) => boolean} false for what is no IP address
 */
export function makeNetworkTest(networks) {
  const list = new BlockList()
  for (const network of networks) {
    const [address, prefix] = network.split('/')
    if (isIP(address) === 0) continue
    if (prefix === undefined) list.addAddress(address, familyOf(address))
    else list.addSubnet(address, Number(prefix), familyOf(address))
  }
  return address => isIP(address) !== 0 && list.check(address, familyOf(address))
}

/** formatUrlHost is a host as it stands in a URL: an IPv6 address in brackets. @param {string} host */
export const formatUrlHost = host => (host.includes(':') ? `[${host}]` : host)

/** formatMultiaddrHost is how a multiaddr begins. @param {string} address - of IPv4 or IPv6 */
export const formatMultiaddrHost = address => `/${address.includes(':') ? 'ip6' : 'ip4'}/${address}`

/** formatSingleAddressNetwork is a network with one address, as a multiaddr. @param {string} address */
export const formatSingleAddressNetwork = address =>
  `${formatMultiaddrHost(address)}/ipcidr/${address.includes(':') ? 128 : 32}`

/** A word up to its last `@`: a password may have any other one in it, and `/`, where it was not encoded. */
const BEFORE_HOST = /([a-z][a-z\d+.-]*:\/\/)(\S*)@|([^\s:/@]+):\S*@/gi
/** Of a database, whose user is nothing secret; elsewhere a name alone may be a token. */
const USER_ALONE = /^postgres(ql)?:\/\/[^\s:/?#@]*@$/i
/** A name that is encoded may be this one. */
const IN_QUERY = /([?&](?:password|[^=&\s]*%[^=&\s]*)=)[^&\s]*/gi

/**
 * hidePasswords is a text that may be shown, whatever addresses are in it: of databases, of a bus, or what was meant as one. Rather more is
 * hidden than less.
 *
 * @param {string} text
 */
export const hidePasswords = text =>
  text
    .replace(BEFORE_HOST, (all, scheme = '', who = '', name = '') => {
      if (USER_ALONE.test(all)) return all
      const [, user] = /^([^:/?#@]+):/.exec(who) ?? []
      if (scheme === '') return `${name}:***@`
      return user === undefined ? `${scheme}***@` : `${scheme}${user}:***@`
    })
    .replace(IN_QUERY, '$1***')
