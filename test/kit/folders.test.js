import assert from 'node:assert/strict'
import { existsSync } from 'node:fs'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { test } from 'node:test'
import { makeFolder, makeTemporaryFolder } from '../../src/kit/files.js'
import { temporaryFolder } from '../temporary-folder.js'

const base = temporaryFolder()

test('a folder is made with those around it, once', async () => {
  const path = join(base, 'a', 'b')
  await makeFolder(path)
  await makeFolder(path)
  assert.ok(existsSync(path))
})

test('where there is no room for folders, it fails, and ends', { skip: !existsSync('/proc/self') }, () =>
  assert.rejects(makeFolder('/proc/x/y'), { code: 'ENOENT' })
)

test('in the place of a file it fails', async () => {
  await writeFile(join(base, 'file'), '')
  await assert.rejects(makeFolder(join(base, 'file')), { code: 'EEXIST' })
  await assert.rejects(makeFolder(join(base, 'file', 'below')), { code: 'ENOTDIR' })
})

test('a temporary folder that cannot be made says where, and how to choose another place', async () => {
  const where = join(base, 'none')
  await assert.rejects(makeTemporaryFolder('x-', where), {
    message: `no folder can be made in ${where}, which TMPDIR may change (ENOENT)`
  })
})
