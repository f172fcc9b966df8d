import assert from 'node:assert/strict'
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { TOOL, TOOL_DOCKERFILE } from '../../src/target/images.js'

const { root, app, dockerfile, paths, hash } = await TOOL.context()
const [{ dependencies, devDependencies }, { packages }] = ['package.json', 'package-lock.json'].map(name =>
  JSON.parse(readFileSync(name, 'utf8'))
)

test('the image of the tool holds all of its code and its matrices, and neither tests nor what develops it', () => {
  for (const path of [
    ...[
      'index.js',
      'package.json',
      TOOL_DOCKERFILE,
      'benchmarks/smoke.yaml',
      'src/network/namespaces/mux.pl'
    ],
    'src/scenarios/rendezvous/worker/entry.js'
  ])
    assert.ok(paths.includes(path), path)
  const ofOurs = paths.filter(path => !path.startsWith('node_modules/'))
  assert.deepEqual(
    new Set(ofOurs.map(path => path.split('/')[0])),
    new Set(['index.js', 'package.json', 'package-lock.json', 'src', 'benchmarks'])
  )
})

test('the image of the tool holds the packages it needs, and none that are there for development alone', () => {
  const has = (/** @type {string} */ name) => paths.includes(join('node_modules', name))
  for (const name of Object.keys(dependencies)) assert.ok(has(name), name)
  // some are needed by what this needs, too
  const forDevelopment = Object.keys(devDependencies).filter(name => packages[`node_modules/${name}`].dev)
  assert.ok(forDevelopment.includes('typescript'))
  for (const name of forDevelopment) assert.ok(!has(name), name)
})

test('everything named is there, once, and the hash stays the same while nothing changes', async () => {
  assert.deepEqual([app, dockerfile], ['.', TOOL_DOCKERFILE])
  for (const path of paths) assert.ok(existsSync(join(root, path)), path)
  const all = new Set(paths)
  assert.equal(all.size, paths.length)
  for (const path of paths)
    for (let at = path.lastIndexOf('/'); at > 0; at = path.lastIndexOf('/', at - 1))
      assert.ok(!all.has(path.slice(0, at)), `${path} twice`)
  assert.equal((await TOOL.context()).hash, hash)
})
