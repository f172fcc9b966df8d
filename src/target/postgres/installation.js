// Finds the PostgreSQL installed on this machine. Also has the flags, address and log lines of a run's temporary
// database.
import { accessSync, constants, readdirSync, readFileSync } from 'node:fs'
import { delimiter, join } from 'node:path'

/** Installs PostgreSQL on Debian and its derivatives. */
const INSTALL_LINE = 'apt-get install postgresql'

/** Folder of distributions that do not put PostgreSQL on the path. */
const VERSIONS = '/usr/lib/postgresql'
const PROGRAMS = ['initdb', 'postgres']

/** @typedef {{ bin: string, uid: number | null, gid: number | null }} PostgresInstallation - `uid`: account to run it under; null: the present one */

/**
 * findPostgres finds the machine's own PostgreSQL, and an account to run it, which root cannot do.
 *
 * @returns {PostgresInstallation | string} or, in words, why there is none
 */
export function findPostgres() {
  const pathFolders = (process.env.PATH ?? '').split(delimiter).filter(Boolean)
  const bin = [...pathFolders, ...listVersionFolders()].find(hasPrograms)
  if (bin === undefined) return `PostgreSQL is not installed: ${INSTALL_LINE}`
  if (process.getuid?.() !== 0) return { bin, uid: null, gid: null }
  const account = findAccount('postgres') ?? findAccount('nobody')
  if (account === undefined)
    return 'PostgreSQL does not run as root, and there is no account postgres or nobody'
  return { bin, ...account }
}

function listVersionFolders() {
  try {
    const newestFirst = readdirSync(VERSIONS).sort((a, b) => Number(b) - Number(a))
    return newestFirst.map(version => join(VERSIONS, version, 'bin'))
  } catch {
    return []
  }
}

/** @param {string} folder */
function hasPrograms(folder) {
  try {
    for (const name of PROGRAMS) accessSync(join(folder, name), constants.X_OK)
    return true
  } catch {
    return false
  }
}

/** @param {string} name */
function findAccount(name) {
  const accounts = readFileSync('/etc/passwd', 'utf8').split('\n')
  const [, , uid, gid] = accounts.find(line => line.startsWith(`${name}:`))?.split(':') ?? []
  return uid === undefined ? undefined : { uid: Number(uid), gid: Number(gid) }
}

/** INITDB_FLAGS are for the database of a run. `trust`: its socket is in a folder of the run alone. */
export const INITDB_FLAGS = ['-U', 'loadtest', '-A', 'trust', '-E', 'UTF8', '--locale=C']

/** A socket and no port; `fsync` and `synchronous_commit` stay on, which is the default. */
const SETTINGS = ['listen_addresses=', 'max_connections=300', 'log_checkpoints=on']

/**
 * makePostgresFlags makes the flags of the PostgreSQL of a run.
 *
 * @param {{ data: string, socket: string, permissions: string }} where - folders; permissions of the socket
 */
export const makePostgresFlags = ({ data, socket, permissions }) => [
  ...['-D', data, '-k', socket],
  ...[...SETTINGS, `unix_socket_permissions=${permissions}`].flatMap(setting => ['-c', setting])
]

/** makePostgresUrl makes its URL. @param {string} socket - folder */
export const makePostgresUrl = socket => `postgresql://loadtest@/postgres?host=${encodeURIComponent(socket)}`

/** isReadyLine says whether a line of its log is the last one of its start. @param {string} line */
export const isReadyLine = line => line.includes('ready to accept connections')

/** The line of the log about a completed checkpoint, from PostgreSQL 9.1 on: no view counts its files. */
const SYNCED = /checkpoint complete: .*sync files=(\d+)/

/** readSyncedFiles reads the number of files that a checkpoint flushed from a line of the log. @param {string} line */
export const readSyncedFiles = line => Number(SYNCED.exec(line)?.[1] ?? 0)
