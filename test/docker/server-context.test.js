import assert from 'node:assert/strict'
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { notInstalled, STACKS, stackNamed } from '../../src/libp2p/stacks.js'
import { NODE_FLAGS } from '../../src/server/server-process.js'
import { SERVER_DOCKERFILE, serverContext } from '../../src/target/images.js'

const { root, app, paths, hash } = await serverContext()

test('the image holds what the server imports, and nothing else of ours', () => {
  for (const path of ['package.json', SERVER_DOCKERFILE, 'src/server/main.js', 'src/server/health-check.js'])
    assert.ok(paths.includes(path), path)
  assert.ok(paths.includes('src/protocol/rendezvous.js'), 'imported from another folder')
  for (const folder of ['src/cli', 'src/client', 'src/docker', 'src/workers', 'test'])
    assert.ok(!paths.some(path => path.startsWith(`${folder}/`)), folder)
})

test('the image holds the packages that those need, and none that only others need', () => {
  const has = (/** @type {string} */ name) => paths.includes(join('node_modules', name))
  for (const name of ['libp2p', '@libp2p/tcp', 'pino', 'thread-stream']) assert.ok(has(name), name)
  for (const name of ['dockerode', 'pidusage', 'typescript', '@biomejs/biome']) assert.ok(!has(name), name)
})

test('the image holds every stack whose packages are installed, for the server to be started on', () => {
  for (const name of STACKS.keys()) {
    const installed = notInstalled(name) === null
    assert.ok(paths.includes(`src/libp2p/generation-${name.at(-1)}/${name}.js`), name)
    for (const each of stackNamed(name).packages)
      assert.equal(paths.includes(join('node_modules', each)), installed, each)
  }
})

test('everything named is there, once', () => {
  assert.equal(app, '.')
  for (const path of paths) assert.ok(existsSync(join(root, path)), path)
  for (const path of paths) assert.ok(!paths.some(other => path.startsWith(`${other}/`)), `${path} twice`)
})

test('it starts the server with the flags of Node that a process of it has', () => {
  const [, entry] = /^ENTRYPOINT (.*)$/m.exec(readFileSync(join(root, SERVER_DOCKERFILE), 'utf8')) ?? []
  assert.deepEqual(JSON.parse(entry), ['node', ...NODE_FLAGS, 'src/server/main.js'])
})

test('its hash stays the same while nothing changes', async () => {
  assert.match(hash, /^[0-9a-f]{12}$/)
  assert.equal((await serverContext()).hash, hash)
})
