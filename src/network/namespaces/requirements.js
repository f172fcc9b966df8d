import { spawnSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { triedOnce } from '../../kit/tried-once.js'
import { muxCommand } from './namespaces.js'

const INSTEAD =
  'or take --network loopback with --linkLatency, which loses nothing, or --network simulated, which has every impairment'
/** Nothing here takes longer. */
const WITHIN_MS = 10_000

/** What is said when something goes wrong, and what to do. @type {readonly (readonly [RegExp, string])[]} */
const CAUSES = [
  [/execute perl/, 'install perl-base'],
  [
    /\/dev\/net\/tun/,
    'run "chmod 666 /dev/net/tun" as root once, or give a container "--device /dev/net/tun"'
  ],
  [
    /unshare/,
    'allow user namespaces ("sysctl kernel.unprivileged_userns_clone=1"; on Ubuntu 24.04 "sysctl kernel.apparmor_restrict_unprivileged_userns=0"; for a container "--security-opt seccomp=unconfined")'
  ]
]

/** tried runs a command. @param {readonly string[]} command @returns {string | null} what went wrong */
export function tried([command, ...args]) {
  const { error, status, stderr } = spawnSync(command, args, {
    stdio: ['ignore', 'ignore', 'pipe'],
    timeout: WITHIN_MS,
    encoding: 'utf8'
  })
  if (error !== undefined) return `${command}: ${/** @type {NodeJS.ErrnoException} */ (error).code}`
  return status === 0 ? null : stderr.trim().split('\n')[0]
}

/** commandsPath is where commands are looked for. */
const commandsPath = () => process.env.PATH

/** What it takes to make a namespace with a TUN device, by making one. */
const namespacesTried = triedOnce(() => {
  if (process.platform !== 'linux') return 'needs Linux'
  const missing = ['setpriv', 'unshare', 'nsenter'].find(name => tried([name, '--version']) !== null)
  if (missing !== undefined) return `needs ${missing}: install util-linux`
  try {
    const wrong = tried(muxCommand(1, 'host'))
    if (wrong === null) return null
    const [, cure] = CAUSES.find(([cause]) => cause.test(wrong)) ?? []
    return `cannot be made here (${wrong})${cure === undefined ? '' : `: ${cure}`}`
  } catch (error) {
    return `cannot be made here: ${/** @type {Error} */ (error).message}`
  }
}, commandsPath)

/**
 * namespacesLack tries whether namespaces with TUN devices can be made here.
 *
 * @param {string} [instead] - what can be run
 * @returns {string | null} what is missing, how to get it, and what can be run instead; null: nothing
 */
export function namespacesLack(instead = INSTEAD) {
  const lack = namespacesTried()
  return lack === null ? null : `${lack}; ${instead}`
}

/**
 * containersLack tries whether the namespaces of containers can be joined through a router, by bringing a device into one of its own.
 *
 * @returns {string | null} what is missing, how to get it, and what can be run instead; null: nothing
 */
export const containersLack = triedOnce(() => {
  try {
    const wrong = tried(['unshare', '-n', ...muxCommand(1, 'host', ['/proc/self/ns/net'])])
    if (wrong === null) return null
    const [, cure] = CAUSES.find(([cause]) => cause.test(wrong)) ?? []
    const how = /not permitted/i.test(wrong) ? 'run it as root, for only root can' : cure
    return `has no router that could do it here (${wrong})${how === undefined ? '' : `: ${how}`}; or take --linkLatency 0, where nothing else is asked of links, or --network namespaces, which has every impairment without root`
  } catch (error) {
    return `has no router that could do it here: ${/** @type {Error} */ (error).message}`
  }
}, commandsPath)

/** congestionControls are those that a namespace may take. @returns {string[]} */
export function congestionControls() {
  try {
    return readFileSync('/proc/sys/net/ipv4/tcp_allowed_congestion_control', 'utf8').trim().split(/\s+/)
  } catch {
    return []
  }
}
