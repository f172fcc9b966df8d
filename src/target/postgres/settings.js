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
