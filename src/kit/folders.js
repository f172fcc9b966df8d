import { mkdir, mkdtemp, stat } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'

/**
 * makeFolder makes a folder and those around it, where they are missing. Node's own recursive mkdir never ends where a file system has no
 * room for folders (/proc/x; Node 20).
 *
 * @param {string} path
 */
export async function makeFolder(path) {
  const error = await mkdir(path).catch(error => error)
  if (error === undefined || (error.code === 'EEXIST' && (await stat(path)).isDirectory())) return
  const parent = dirname(path)
  if (error.code !== 'ENOENT' || parent === path) throw error
  await makeFolder(parent)
  // another run may have been faster
  await mkdir(path).catch(error => {
    if (error.code !== 'EEXIST') throw error
  })
}

/**
 * temporaryFolder makes a folder of its own where this system keeps what is not to last.
 *
 * @param {string} name - it begins with
 * @param {string} [where]
 * @returns {Promise<string>} its path
 */
export async function temporaryFolder(name, where = tmpdir()) {
  try {
    return await mkdtemp(join(where, name))
  } catch (error) {
    const { code } = /** @type {NodeJS.ErrnoException} */ (error)
    throw new Error(`no folder can be made in ${where}, which TMPDIR may change (${code})`)
  }
}
