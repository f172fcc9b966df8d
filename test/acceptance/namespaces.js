import { chmodSync, existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { networkInterfaces, tmpdir } from 'node:os'
import { join } from 'node:path'
import { after } from 'node:test'
import { describeNamespaceProblem } from '../../src/network/namespaces.js'
import { startGossip } from './gossip-network.js'

/** WHERE_POSSIBLE are the options of tests that need namespaces. */
export const WHERE_POSSIBLE = Object.freeze({ skip: describeNamespaceProblem() ?? false })

/** Of what nobody's processes write. */
const open = mkdtempSync(join(tmpdir(), 'loadtest-namespaces-'))
chmodSync(open, 0o777)
after(() => rmSync(open, { recursive: true, force: true }))

/** As nobody, who has no rights at all, with the TUN device as udev makes it; in a mount namespace, so that nothing is changed for others. */
const AS_NOBODY = [
  ...['unshare', '-m', 'sh', '-c'],
  `mknod -m 666 ${open}/tun c 10 200 2>/dev/null
   mount --bind ${open}/tun /dev/net/tun &&
   exec setpriv --reuid=65534 --regid=65534 --clear-groups --inh-caps=-all "$@"`,
  'sh'
]

/** AS_USER are the options of a run as a user without rights. */
export const AS_USER = Object.freeze({
  through: process.getuid?.() === 0 ? AS_NOBODY : [],
  env: { XDG_CACHE_HOME: join(open, 'cache'), HOME: open }
})

/** startBetweenNamespaces starts a run of three nodes. @param {readonly string[]} args @param {Parameters<typeof startGossip>[1]} [options] */
export const startBetweenNamespaces = (args, options) =>
  startGossip([...['--network', 'namespaces', '--nodes', '3', '--topology', 'ring'], ...args], {
    ...AS_USER,
    outputDir: openFolder(),
    ...options
  })

/** openFolder makes one that a user without rights can write. */
export function openFolder() {
  const folder = mkdtempSync(join(open, 'results-'))
  chmodSync(folder, 0o777)
  return folder
}

const SETTINGS = [
  'ipv4/tcp_congestion_control',
  'ipv4/tcp_no_metrics_save',
  'ipv4/ip_forward',
  'core/rmem_max'
]

/** Routes and addresses, as files of the kernel: nothing has to be installed to read them. */
const TABLES = ['route', 'ipv6_route', 'if_inet6']

/** Files that are not there are empty. @param {string} path */
const textOf = path => (existsSync(path) ? readFileSync(path, 'utf8') : '')

/** Without counters of use, and without what a Docker engine changes for tests that run beside. @param {string} text */
const settled = text =>
  text
    .replace(/( [0-9a-f]{8}){4}( +\S+)$/gm, '$2')
    .split('\n')
    .filter(line => !/\b(docker|veth|br-)/.test(line))

/** outside is what must be the same after a run as it was before. */
export const outside = () => ({
  devices: settled(textOf('/proc/net/dev')).map(line => line.split(':')[0].trim()),
  addresses: settled(
    Object.entries(networkInterfaces())
      .flatMap(([device, all = []]) => all.map(({ cidr }) => `${device} ${cidr}`))
      .join('\n')
  ),
  tables: TABLES.map(name => settled(textOf(`/proc/net/${name}`))),
  named: existsSync('/run/netns') ? readdirSync('/run/netns') : [],
  settings: SETTINGS.map(name => textOf(`/proc/sys/net/${name}`))
})
