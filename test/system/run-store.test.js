import '../../src/kit/runtime.js'
import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { it } from 'node:test'
import pg from 'pg'
import { reachEngine } from '../../src/target/docker-engine.js'
import { findPostgresImage } from '../../src/target/postgres/docker-postgres.js'
import { startRunStore } from '../../src/target/run-store.js'
import { until } from '../until.js'
import { NO_POSTGRES } from './postgres.js'

/** @typedef {import('../../src/target/run-store.js').RunStore} RunStore */

const NOT_INSTALLED = 'PostgreSQL is not installed'

const engine = await reachEngine().catch(() => null)
const lack =
  engine === null ? 'no Docker engine' : await findPostgresImage(engine.docker).then(() => false, String)
const IN_DOCKER = {
  skip: process.env.CI ? false : lack && `${lack}; scripts/postgres-image.sh makes the image`
}

it('a PostgreSQL of the run tells what it has written, and flushed, in checkpoints too', {
  skip: NO_POSTGRES
}, async t => {
  await writes(t, await startRunStore('postgres', 'of this test'))
})

it(
  'one in Docker, where the machine has none, tells it too, its CPU and memory as well, is durable, and is gone when it is stopped',
  IN_DOCKER,
  async t => {
    const store = await startRunStore('postgres', 'of this test', () => NOT_INSTALLED)
    /** @type {Promise<void> | null} */
    let stopping = null
    const stop = () => (stopping ??= store.stop())
    const client = await writes(t, { ...store, stop })
    const reading = await store.reading?.()
    assert.ok(Number(reading?.cpuMs) > 0 && Number(reading?.rssBytes) > 1e6, JSON.stringify(reading))
    assert.match(String(store.versions?.['PostgreSQL image']), /postgres/)
    for (const setting of ['fsync', 'synchronous_commit', 'full_page_writes'])
      assert.deepEqual((await client.query(`SHOW ${setting}`)).rows, [{ [setting]: 'on' }])
    assert.ok(await isLeft(store.address))
    await client.end()
    await stop()
    assert.ok(!(await isLeft(store.address)))
  }
)

it('one in Docker is gone when who started it is killed', IN_DOCKER, async () => {
  const module = new URL('../../src/target/run-store.js', import.meta.url)
  const code = `import '${new URL('../../src/kit/runtime.js', import.meta.url)}'
    const { startRunStore } = await import('${module}')
    console.log((await startRunStore('postgres', 'of this test', () => 'none')).address)`
  const starter = spawn(process.execPath, ['--input-type=module', '-e', code], {
    stdio: ['ignore', 'pipe', 'inherit']
  })
  const [line] = await once(starter.stdout, 'data')
  const killed = String(line).trim()
  assert.ok(await isLeft(killed))
  starter.kill('SIGKILL')
  await until(async () => !(await isLeft(killed)))
})

it('where there is neither, both ways to have one are said', async t => {
  const before = process.env.DOCKER_HOST
  process.env.DOCKER_HOST = 'unix:///nowhere/docker.sock'
  t.after(() => {
    if (before === undefined) delete process.env.DOCKER_HOST
    else process.env.DOCKER_HOST = before
  })
  await assert.rejects(
    startRunStore('postgres', 'of this test', () => NOT_INSTALLED),
    {
      code: 'STORE_NOT_STARTED',
      message:
        /^--store postgres: PostgreSQL is not installed, or take it from Docker: no Docker engine answers/
    }
  )
})

/** Whether there is a folder or a container of a PostgreSQL in Docker. @param {string} address */
async function isLeft(address) {
  const folder = String(new URL(address.replace('@/', '@x/')).searchParams.get('host'))
  const containers = await engine?.docker.listContainers({ all: true, filters: { volume: [folder] } })
  return existsSync(folder) || containers?.length !== 0
}

/** @param {import('node:test').TestContext} t @param {RunStore} store */
async function writes(t, { address, work, stop }) {
  const client = new pg.Client({ connectionString: address })
  t.after(() => client.end().finally(stop))
  await client.connect()
  const told = async () =>
    /** @type {import('../../src/target/run-store.js').DatabaseWork} */ (await work?.())
  const before = await told()
  await client.query('CREATE TABLE one AS SELECT generate_series(1, 10000) AS i')
  await client.query('CHECKPOINT')
  await until(async () => (await told()).checkpointFsyncs > before.checkpointFsyncs)
  await until(async () => (await told()).fsyncs > before.fsyncs)
  const after = await told()
  assert.ok(after.walBytes > before.walBytes && after.writtenBytes > before.writtenBytes)
  return client
}
