import assert from 'node:assert/strict'
import { existsSync } from 'node:fs'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, beforeEach, describe, test } from 'node:test'
import { lockFolder } from '../../../../src/server/store/pglite/folder-lock.js'
import { StoreOpenError } from '../../../../src/server/store/store-error.js'

/** @type {string} */
let root
/** @type {string} */
let folder
before(async () => {
  root = await mkdtemp(join(tmpdir(), 'loadtest-lock-'))
})
beforeEach(async () => {
  folder = await mkdtemp(join(root, 'store-'))
})
after(() => rm(root, { recursive: true }))

/** @param {import('node:test').TestContext} t @param {string} platform */
function pretendToBe(t, platform) {
  const real = /** @type {PropertyDescriptor} */ (Object.getOwnPropertyDescriptor(process, 'platform'))
  Object.defineProperty(process, 'platform', { ...real, value: platform })
  t.after(() => Object.defineProperty(process, 'platform', real))
}

const NAMELESS = { skip: process.platform !== 'linux' }
const POSIX = { skip: process.platform === 'win32' && 'sockets have other names' }

for (const platform of ['linux', 'darwin'])
  describe(`the folder of a store on ${platform}`, platform === process.platform ? {} : POSIX, () => {
    test('is one server at a time that has it', async t => {
      if (platform === 'linux' && process.platform !== 'linux') return t.skip('no such names here')
      pretendToBe(t, platform)
      const first = await lockFolder(folder)
      await assert.rejects(lockFolder(folder), error => {
        assert.ok(error instanceof StoreOpenError)
        assert.match(error.message, /is in use: another server has it/)
        return true
      })
      await first.release()
      const second = await lockFolder(folder)
      await second.release()
    })
  })

describe('a lock whose name is in the file system', POSIX, () => {
  test('is taken over from a server that left its name behind', async t => {
    pretendToBe(t, 'darwin')
    await writeFile(join(folder, 'server.lock'), '')
    const lock = await lockFolder(folder)
    await assert.rejects(lockFolder(folder), StoreOpenError)
    await lock.release()
  })

  test('leaves nothing behind when it is released', async t => {
    pretendToBe(t, 'darwin')
    const lock = await lockFolder(folder)
    assert.ok(existsSync(join(folder, 'server.lock')))
    await lock.release()
    assert.ok(!existsSync(join(folder, 'server.lock')))
  })

  test('says what is wrong where it can have no such name', NAMELESS, async t => {
    pretendToBe(t, 'darwin')
    await assert.rejects(lockFolder('/proc/self'), error => {
      assert.ok(!(error instanceof StoreOpenError))
      assert.match(String(error), /listen E[A-Z]+.* \/proc\/self\/server\.lock/)
      return true
    })
  })
})
