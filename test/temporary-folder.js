import { mkdtempSync } from 'node:fs'
import { mkdir, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, beforeEach } from 'node:test'

/** temporaryFolder makes an empty folder that is removed after the tests of the group, or file, that asks for it. */
export function temporaryFolder() {
  const folder = mkdtempSync(join(tmpdir(), 'loadtest-'))
  after(() => rm(folder, { recursive: true, force: true }))
  return folder
}

/**
 * emptyBeforeEach empties a folder before each test of the group that asks for it: outside of one, hooks run around those of all files of
 * the process.
 *
 * @param {string} folder
 * @param {() => unknown} [then] - what else is done before each test
 */
export function emptyBeforeEach(folder, then = () => {}) {
  beforeEach(async () => {
    await rm(folder, { recursive: true, force: true })
    await mkdir(folder)
    await then()
  })
}
