import assert from 'node:assert/strict'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, describe, test } from 'node:test'
import { openPglite } from '../../../../src/server/store/pglite/open-pglite.js'
import { StoreOpenError } from '../../../../src/server/store/store-error.js'
import { pgliteFolder } from '../pglite-folder.js'

/** @param {string} text */
const sql = text => /** @type {any} */ ({ text })

describe('a database in a folder', () => {
  /** @type {string} */
  let root
  /** @type {import('../../../../src/server/store/sql/database.js').Database} */
  let database
  before(async () => {
    root = await pgliteFolder()
    database = await openPglite(root)
    await database.query(sql('CREATE TABLE things (n int)'), [])
  })
  after(async () => {
    await database.close()
    await rm(root, { recursive: true })
  })

  const count = async () => (await database.query(sql('SELECT count(*)::int AS n FROM things'), []))[0].n

  test('says what is wrong with a statement, and takes the next', async () => {
    await assert.rejects(database.query(sql('SELECT nothing FROM nowhere'), []), { code: '42P01' })
    assert.equal(await count(), 0)
  })

  test('keeps all of a transaction', async () => {
    const done = await database.transaction(async query => {
      await query(sql('INSERT INTO things VALUES ($1)'), [1])
      await query(sql('INSERT INTO things VALUES ($1)'), [2])
      return 'done'
    })
    assert.deepEqual([done, await count()], ['done', 2])
  })

  test('keeps nothing of a transaction that failed, and gives its error', async () => {
    const before = await count()
    const failing = database.transaction(async query => {
      await query(sql('INSERT INTO things VALUES ($1)'), [3])
      await query(sql('SELECT nothing FROM nowhere'), [])
    })
    await assert.rejects(failing, { code: '42P01' })
    assert.equal(await count(), before)
    await assert.rejects(
      database.transaction(async () => {
        throw new Error('of our own')
      }),
      /of our own/
    )
    assert.equal(await count(), before)
  })

  test('is had by one server at a time', async () => {
    await assert.rejects(openPglite(root), /is in use: another server has it/)
  })

  test('says how many statements wait for the one that runs', async () => {
    assert.equal(database.waiting(), 0)
    const asked = [count(), count(), count()]
    assert.equal(database.waiting(), 2)
    await Promise.all(asked)
    assert.equal(database.waiting(), 0)
  })
})

test('a folder that cannot be one of a store is named, with the reason', async t => {
  const root = await mkdtemp(join(tmpdir(), 'loadtest-pglite-'))
  t.after(() => rm(root, { recursive: true }))
  const file = join(root, 'file')
  await writeFile(file, '')
  await assert.rejects(openPglite(file), error => {
    assert.ok(error instanceof StoreOpenError)
    assert.match(error.message, new RegExp(`^--store pglite:${file} cannot be opened: .*EEXIST`))
    return true
  })
})
