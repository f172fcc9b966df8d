import assert from 'node:assert/strict'
import { it } from 'node:test'
import pg from 'pg'
import { startRunStore } from '../../src/target/run-store.js'
import { NO_POSTGRES } from '../server/store/postgres.js'
import { until } from '../until.js'

it('a PostgreSQL of the run tells what it has written, and flushed, in checkpoints too', {
  skip: NO_POSTGRES
}, async t => {
  const { address, work, stop } = await startRunStore('postgres', 'of this test')
  const client = new pg.Client({ connectionString: address })
  t.after(() => client.end().finally(stop))
  await client.connect()
  const told = async () =>
    /** @type {import('../../src/target/postgres/database-work.js').DatabaseWork} */ (await work?.())
  const before = await told()
  await client.query('CREATE TABLE one AS SELECT generate_series(1, 10000) AS i')
  await client.query('CHECKPOINT')
  await until(async () => (await told()).checkpointFsyncs > before.checkpointFsyncs)
  await until(async () => (await told()).fsyncs > before.fsyncs)
  const after = await told()
  assert.ok(after.walBytes > before.walBytes && after.writtenBytes > before.writtenBytes)
})
