import assert from 'node:assert/strict'
import { test } from 'node:test'
import { findPostgresImage } from '../../../src/target/postgres/docker-postgres.js'

/** @param {Record<string, { Id: string, Created: number }[]>} images - by repository */
const engine = images =>
  /** @type {any} */ ({
    listImages: async (/** @type {{ filters: { reference: string[] } }} */ { filters }) =>
      images[filters.reference[0]] ?? []
  })

const [old, young] = [
  { Id: 'old', Created: 1 },
  { Id: 'young', Created: 2 }
]

test('the newest image is taken, and one made of this machine before the official one', async () => {
  assert.equal(await findPostgresImage(engine({ postgres: [old, young] })), young)
  assert.equal(await findPostgresImage(engine({ postgres: [young], 'libp2p-loadtest-postgres': [old] })), old)
})

test('an engine without an image is told so, with how to get one', async () => {
  await assert.rejects(findPostgresImage(engine({})), { code: 'NO_IMAGE', message: /docker pull postgres/ })
})
