import { cp, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after } from 'node:test'
import { openPglite } from '../../../src/server/store/pglite/open-pglite.js'

/** @type {Promise<string> | undefined} */
let made
after(async () => {
  if (made !== undefined) await rm(await made, { recursive: true })
})

async function makeOne() {
  const root = await mkdtemp(join(tmpdir(), 'loadtest-pglite-'))
  const database = await openPglite(join(root, 'store'))
  await database.close()
  return root
}

/**
 * pgliteFolder is a folder with a new database, in which nothing was made yet. A database takes seconds to make: there is one for all tests of
 * a process, and each gets a copy.
 *
 * @returns {Promise<string>} whoever asked for it removes it
 */
export async function pgliteFolder() {
  made ??= makeOne()
  const folder = await mkdtemp(join(tmpdir(), 'loadtest-pglite-'))
  await cp(join(await made, 'store'), folder, { recursive: true })
  return folder
}
