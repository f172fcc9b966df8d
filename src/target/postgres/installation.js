// PostgreSQL as installed on this machine, with the settings that a run gives it.
import { accessSync, constants, readdirSync, readFileSync } from 'node:fs'
import { delimiter, join } from 'node:path'

/** INSTALL_LINE is how to get what `--store postgres` needs, on Debian and its kin. */
const INSTALL_LINE = 'apt-get install postgresql'

/** Where distributions keep what is not on the path. */
const VERSIONS = '/usr/lib/postgresql'
const PROGRAMS = ['initdb', 'postgres']

/** @typedef {{ bin: string, uid: number | null, gid: number | null }} Installed - `uid`: account to run it under; null: who runs this */

/**
 * findPostgres finds the machine's own PostgreSQL, and an account that may run it, which root may not.
 *
 * @returns {Installed | string} or why there is none, in words
 */
export function findPostgres() {
  const bin = [...pathFolders(), ...versionFolders()].find(hasPrograms)
  if (bin === undefined) return `PostgreSQL is not installed: ${INSTALL_LINE}`
  if (process.getuid?.() !== 0) return { bin, uid: null, gid: null }
  const account = accountNamed('postgres') ?? accountNamed('nobody')
  if (account === undefined)
    return 'PostgreSQL does not run as root, and there is no account postgres or nobody'
  return { bin, ...account }
}

const pathFolders = () => (process.env.PATH ?? '').split(delimiter).filter(Boolean)

function versionFolders() {
  try {
    const newestFirst = readdirSync(VERSIONS).sort((a, b) => Number(b) - Number(a))
    return newestFirst.map(version => join(VERSIONS, version, 'bin'))
  } catch {
    return []
  }
}

/** @param {string} folder */
const hasPrograms = folder =>
  PROGRAMS.every(name => {
    try {
      accessSync(join(folder, name), constants.X_OK)
      return true
    } catch {
      return false
    }
  })

/** @param {string} name */
function accountNamed(name) {
  const line = readFileSync('/etc/passwd', 'utf8')
    .split('\n')
    .find(line => line.startsWith(`${name}:`))
  if (line === undefined) return
  const [, , uid, gid] = line.split(':')
  return { uid: Number(uid), gid: Number(gid) }
}

/** INITDB_FLAGS are how a run's own PostgreSQL is made. `trust`: its socket is in a folder that is the run's alone. */
export const INITDB_FLAGS = ['-U', 'loadtest', '-A', 'trust', '-E', 'UTF8', '--locale=C']

/** What it is started with: a socket and no port; `fsync` and `synchronous_commit` stay on, as they are by themselves. */
const SETTINGS = ['listen_addresses=', 'max_connections=300', 'log_checkpoints=on']

/**
 * serverFlags are what a run's own PostgreSQL is started with.
 *
 * @param {{ data: string, socket: string, permissions: string }} where - folders; who may connect
 */
export const serverFlags = ({ data, socket, permissions }) => [
  ...['-D', data, '-k', socket],
  ...[...SETTINGS, `unix_socket_permissions=${permissions}`].flatMap(setting => ['-c', setting])
]

/** urlAt is where it is found. @param {string} socket - folder */
export const urlAt = socket => `postgresql://loadtest@/postgres?host=${encodeURIComponent(socket)}`

/** isReady says whether a line of its log is the one that ends its start. @param {string} line */
export const isReady = line => line.includes('ready to accept connections')

/** What the log says of a checkpoint that has ended, from PostgreSQL 9.1 on: no view counts these. */
const SYNCED = /checkpoint complete: .*sync files=(\d+)/

/** syncedIn is how many files the checkpoint flushed that a line of the log tells of. @param {string} line */
export const syncedIn = line => Number(SYNCED.exec(line)?.[1] ?? 0)
