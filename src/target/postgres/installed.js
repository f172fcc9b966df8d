import { accessSync, constants, readdirSync, readFileSync } from 'node:fs'
import { delimiter, join } from 'node:path'

/** INSTALL_LINE is how to get what `--store postgres` needs, on Debian and its kin. */
export const INSTALL_LINE = 'apt-get install postgresql'

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
