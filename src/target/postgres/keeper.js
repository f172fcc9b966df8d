import { execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import { chown, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { promisify } from 'node:util'
import { temporaryFolder } from '../../kit/files.js'
import { INITDB_FLAGS, isReady, serverFlags, syncedIn } from './installation.js'

/**
 * A process that keeps a PostgreSQL for who forked it, and removes it, data and all, when that one says so or is gone.
 *
 * It is told `{ bin, uid, gid }`, and tells `{ folder, pid }` when the database answers, and `{ failed }` when there is none. On
 * `{ restart }` it starts what was killed anew. `{ synced }` are the files that checkpoints have flushed so far, told at the end of each.
 */
const { bin, uid, gid } = JSON.parse(process.argv[2])
const account = uid === null ? {} : { uid, gid }

/** Two starts close together: the one before has not let go of the folder. */
const STARTS = 60
const PAUSE_MS = 250
const END_MS = 10_000

const folder = await temporaryFolder('libp2p-loadtest-postgres-')
const data = join(folder, 'data')
/** @type {import('node:child_process').ChildProcess | undefined} */
let postgres
let ended = false
let synced = 0

for (const name of ['SIGINT', 'SIGTERM', 'SIGHUP', 'SIGQUIT']) process.on(name, () => {})
process.once('disconnect', end)
process.on('message', message => {
  if (message === 'restart') start().then(tell, fail)
})

try {
  if (uid !== null) await chown(folder, uid, gid)
  await promisify(execFile)(join(bin, 'initdb'), ['-D', data, ...INITDB_FLAGS], { cwd: folder, ...account })
  tell(await start())
} catch (error) {
  fail(error)
}

/** @param {unknown} error */
function fail(error) {
  if (process.connected) process.send?.({ failed: /** @type {Error} */ (error).message })
}

/** @param {number} pid */
function tell(pid) {
  if (process.connected) process.send?.({ folder, pid })
}

async function start() {
  for (let left = STARTS; left > 0 && !ended; left--) {
    const pid = await startOnce()
    if (pid !== undefined) return pid
    await new Promise(resolve => setTimeout(resolve, PAUSE_MS))
  }
  throw new Error('postgres did not start')
}

/** @returns {Promise<number | undefined>} undefined: it ended again */
async function startOnce() {
  const flags = serverFlags({ data, socket: folder, permissions: '0700' })
  const child = spawn(join(bin, 'postgres'), flags, {
    cwd: folder,
    stdio: ['ignore', 'ignore', 'pipe'],
    ...account
  })
  postgres = child
  return new Promise(resolve => {
    child.once('error', () => resolve(undefined))
    child.once('exit', () => resolve(undefined))
    createInterface({ input: child.stderr }).on('line', line => {
      if (isReady(line)) resolve(child.pid)
      tellSynced(line)
    })
  })
}

/** @param {string} line */
function tellSynced(line) {
  const files = syncedIn(line)
  if (files === 0) return
  synced += files
  if (process.connected) process.send?.({ synced })
}

async function end() {
  ended = true
  if (postgres?.pid !== undefined && postgres.exitCode === null && postgres.signalCode === null) {
    const exited = once(postgres, 'exit')
    postgres.kill('SIGINT')
    const hard = setTimeout(() => postgres?.kill('SIGQUIT'), END_MS)
    await exited
    clearTimeout(hard)
  }
  await rm(folder, { recursive: true, force: true })
  process.exit()
}
