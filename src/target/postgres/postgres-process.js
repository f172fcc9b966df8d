// Entry of the process that runs a temporary PostgreSQL for a run, and deletes its data at the end.
import { execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import { chown, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { promisify } from 'node:util'
import { makeTemporaryFolder } from '../../kit/files.js'
import { INITDB_FLAGS, isReadyLine, makePostgresFlags, readSyncedFiles } from './installation.js'

/**
 * It runs a PostgreSQL for its parent process, and removes it with its data when the parent disconnects or ends.
 *
 * Its argument is `{ bin, uid, gid }`. It sends `{ folder, pid }` when the database answers, and `{ failed }` when the start failed. On the
 * message `restart` it starts a killed database again. `{ synced }` is the number of files that checkpoints have flushed so far, sent after
 * each.
 */
const { bin, uid, gid } = JSON.parse(process.argv[2])
const account = uid === null ? {} : { uid, gid }

/** A start fails as long as a killed server has not released the folder. */
const STARTS = 60
const PAUSE_MS = 250
const END_MS = 10_000

const folder = await makeTemporaryFolder('libp2p-loadtest-postgres-')
const data = join(folder, 'data')
/** @type {import('node:child_process').ChildProcess | undefined} */
let postgres
let ended = false
let synced = 0

for (const name of ['SIGINT', 'SIGTERM', 'SIGHUP', 'SIGQUIT']) process.on(name, () => {})
process.once('disconnect', end)
process.on('message', message => {
  if (message === 'restart') startAndReport()
})

try {
  if (uid !== null) await chown(folder, uid, gid)
  await promisify(execFile)(join(bin, 'initdb'), ['-D', data, ...INITDB_FLAGS], { cwd: folder, ...account })
  await startAndReport()
} catch (error) {
  send({ failed: /** @type {Error} */ (error).message })
}

/** @param {object} message */
function send(message) {
  if (process.connected) process.send?.(message)
}

async function startAndReport() {
  await start().then(
    pid => send({ folder, pid }),
    ({ message }) => send({ failed: message })
  )
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
  const flags = makePostgresFlags({ data, socket: folder, permissions: '0700' })
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
      if (isReadyLine(line)) resolve(child.pid)
      const files = readSyncedFiles(line)
      if (files === 0) return
      synced += files
      send({ synced })
    })
  })
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
