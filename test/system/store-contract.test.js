import { describe } from 'node:test'
import { holdsContract } from '../server/store/contract.js'
import { NO_POSTGRES, sharedPostgres } from './postgres.js'

const postgres = NO_POSTGRES ? undefined : await sharedPostgres()

const EMPTY = [
  'TRUNCATE rendezvous_registrations, rendezvous_peers, rendezvous_groups, rendezvous_namespaces',
  'UPDATE rendezvous_tallies SET n = 0'
]

/** Of each fence a database for all tests, which is emptied. @param {string} rowOrder @returns {import('../server/store/contract.js').Kind['make']} */
function onPostgres(rowOrder) {
  /** @type {string | undefined} */
  let url
  return async (t, caps) => {
    if (postgres === undefined) throw new Error('skipped')
    url ??= await postgres.database()
    const store = await postgres.open(t, url, { ...caps, rowOrder })
    const client = await postgres.connect(t, url)
    for (const text of EMPTY) await client.query(text)
    return store
  }
}

describe('on PostgreSQL', { skip: NO_POSTGRES }, () => {
  holdsContract({ name: 'fence by transaction', make: onPostgres('xid') })
  holdsContract({ name: 'fence by counter', make: onPostgres('counter'), oneNamespace: true })
})
