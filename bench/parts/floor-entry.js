import { randomBytes } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import { encodeRegisterBody } from '../../src/protocol/rendezvous.js'
import { openPostgres } from '../../src/server/postgres.js'
import { makeStatements } from '../../src/server/sql-store.js'
import { namespaceOf } from './registrations.js'

/**
 * @typedef {object} FloorLoad
 * @property {'REGISTER' | 'DISCOVER'} type
 * @property {number} ratePerSecond
 * @property {number} seconds
 * @property {number} warmUpSeconds - as long as clients: what a peer has registered is counted with each REGISTER
 */

const CONNECTIONS = 16
const PEERS = 30
const RECORD_BYTES = 190
const TTL_SECONDS = 7200
const LIMIT = 20
const MAX_REPLY_BYTES = 1_000_000
const PEER_CAP = 1000
const TOTAL_CAP = 2_000_000

const [, , url] = process.argv
const database = await openPostgres(url, { connections: CONNECTIONS })
const statements = makeStatements()
const newPeers = () => Array.from({ length: PEERS }, () => randomBytes(38))
/** @type {Buffer[]} */
let peers
const record = randomBytes(RECORD_BYTES)

/** What a server asks the database for one operation. @type {Record<FloorLoad['type'], (index: number) => Promise<unknown>>} */
const ask = {
  REGISTER(index) {
    // one that is not there yet, as clients send them: the cap is counted
    const ns = `floor-${Math.floor(index / PEERS)}`
    const values = [
      Buffer.from(ns),
      peers[index % PEERS],
      encodeRegisterBody({ ns, signedPeerRecord: record }),
      TTL_SECONDS
    ]
    return database.query(statements.register, [...values, PEER_CAP, TOTAL_CAP])
  },
  DISCOVER: index =>
    database.query(statements.page, ['0', '0', LIMIT, MAX_REPLY_BYTES, Buffer.from(namespaceOf(index))])
}

/** Open model, due at a constant interval; times count from when a statement was due. @param {FloorLoad} load @returns {Promise<number[]>} ms, without the warm-up */
async function times({ type, ratePerSecond, seconds, warmUpSeconds }) {
  peers = newPeers()
  const began = performance.now()
  const operations = Array.from({ length: ratePerSecond * (warmUpSeconds + seconds) }, async (_, index) => {
    const dueMs = began + (1000 * index) / ratePerSecond
    await sleep(Math.max(0, dueMs - performance.now()))
    await ask[type](index)
    return performance.now() - dueMs
  })
  return (await Promise.all(operations)).slice(ratePerSecond * warmUpSeconds)
}

process.on('message', async (/** @type {FloorLoad} */ load) => {
  process.send?.((await times(load)).sort((a, b) => a - b))
})
process.on('disconnect', () => process.exit(0))
process.send?.('ready')
