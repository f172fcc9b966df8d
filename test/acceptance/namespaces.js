import { execFileSync } from 'node:child_process'
import { chmodSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after } from 'node:test'
import { namespacesLack } from '../../src/network/namespaces/requirements.js'
import { startGossip } from './gossip-network.js'

/** WHERE_POSSIBLE are the options of tests that need namespaces. */
export const WHERE_POSSIBLE = Object.freeze({ skip: namespacesLack() ?? false })

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
    outputDir: mkdtempSyncOpen(),
    ...options
  })

function mkdtempSyncOpen() {
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

/** outside is what must be the same after a run as it was before. */
export const outside = () => ({
  devices: readFileSync('/proc/net/dev', 'utf8')
    .split('\n')
    .map(line => line.split(':')[0].trim()),
  addresses: execFileSync('ip', ['-o', 'addr'], { encoding: 'utf8' }),
  routes: execFileSync('ip', ['route'], { encoding: 'utf8' }),
  named: execFileSync('ip', ['netns', 'list'], { encoding: 'utf8' }),
  settings: SETTINGS.map(name => readFileSync(`/proc/sys/net/${name}`, 'utf8'))
})
