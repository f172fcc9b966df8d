import { appendFileSync } from 'node:fs'
import { after } from 'node:test'
import pg from 'pg'
import { openPostgres } from '../../src/server/postgres.js'
import { SqlStore } from '../../src/server/sql-store.js'
import { findPostgres } from '../../src/target/postgres/installation.js'
import { startOwnPostgres } from '../../src/target/run-store.js'

const found = findPostgres()

/** NO_POSTGRES is why tests are skipped that need one; false: they are not. Where CI is set they fail instead. */
export const NO_POSTGRES = typeof found === 'string' && !process.env.CI ? found : false

if (NO_POSTGRES && process.env.SKIPPED_LOG)
  appendFileSync(process.env.SKIPPED_LOG, `servers on PostgreSQL: ${NO_POSTGRES}\n`)

/** @type {ReturnType<typeof started> | undefined} */
let shared
after(async () => {
  if (shared === undefined) return
  const { own, admin } = await shared
  await admin.end()
  await own.stop()
})

/** sharedPostgres is a PostgreSQL for all tests of a process, in which each gets a database of its own. */
export const sharedPostgres = () => (shared ??= started())

async function started() {
  const own = await startOwnPostgres()
  const admin = new pg.Pool({ connectionString: own.url, max: 1 })
  admin.on('error', () => {})
  let databases = 0
  return {
    own,
    admin,
    /** @returns {Promise<string>} URL of a database with nothing in it */
    async database() {
      const name = `test${++databases}`
      await admin.query(`CREATE DATABASE ${name}`)
      return own.url.replace('/postgres?', `/${name}?`)
    },
    /**
     * @param {import('node:test').TestContext} t
     * @param {string} url
     * @param {import('../../src/server/sql-store.js').SqlStoreInit & { connections?: number }} [init]
     */
    async open(t, url, { connections = 4, ...init } = {}) {
      const store = await SqlStore.open(await openPostgres(url, { connections }), init)
      t.after(() => store.stop())
      return store
    },
    /** @param {import('node:test').TestContext} t @param {string} url */
    async connect(t, url) {
      const client = new pg.Client({ connectionString: url })
      client.on('error', () => {})
      await client.connect()
      t.after(() => client.end())
      return client
    }
  }
}
