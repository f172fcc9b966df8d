import assert from 'node:assert/strict'
import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, test } from 'node:test'
import { findPackageFolder, findPackagesWithDependencies, readManifest } from '../../src/kit/files.js'
import { collectImageContext, findInstalledPackage, PROJECT } from '../../src/target/images.js'
import { temporaryFolder } from '../temporary-folder.js'

const root = temporaryFolder()

/** @param {string} path - of a package in the root @param {object} [needs] */
async function made(path, needs = {}) {
  const folder = join(root, path)
  await mkdir(folder, { recursive: true })
  await writeFile(join(folder, 'package.json'), JSON.stringify({ name: path, version: '1.0.0', ...needs }))
  return folder
}

describe('packages that are installed', () => {
  test('are found as Node would: the nearest first, then those of folders around', async () => {
    const a = await made('node_modules/a')
    const outer = await made('node_modules/b')
    const inner = await made('node_modules/a/node_modules/b')
    assert.deepEqual([findPackageFolder('b', a), findPackageFolder('b', root)], [inner, outer])
    assert.equal(findPackageFolder('a', inner), a)
    assert.equal(findPackageFolder('no-such-package', inner), null)
    assert.equal(readManifest(a).version, '1.0.0')
  })

  test('bring all that they need, and what of the optional is there', async () => {
    const c = await made('node_modules/c', {
      dependencies: { d: '1', missing: '1' },
      optionalDependencies: { e: '1', missing: '1' }
    })
    const d = await made('node_modules/d', { dependencies: { c: '1' } })
    const e = await made('node_modules/e')
    assert.deepEqual([...findPackagesWithDependencies([c])].sort(), [c, d, e].sort())
  })

  test('are refused where something that they need is not there', async () => {
    const f = await made('node_modules/f', { dependencies: { missing: '1' } })
    assert.throws(
      () => findPackagesWithDependencies([f]),
      new Error(`missing, which ${f} needs, is not installed`)
    )
  })

  test('that are needed themselves are named when they are missing', async () => {
    const a = await made('node_modules/a')
    assert.equal(findInstalledPackage('a', root), a)
    assert.throws(
      () => findInstalledPackage('no-such-package', root),
      /no-such-package is not installed: run npm ci/
    )
  })
})

test('an image has the packages that are outside of the project, from the folder that holds all', async () => {
  const g = await made('node_modules/g')
  const files = [join(PROJECT, 'package.json')]
  const context = collectImageContext({ dockerfile: 'package.json', files, packages: [g] })
  assert.equal(join(context.root, context.app), PROJECT)
  assert.ok(context.paths.map(path => join(context.root, path)).includes(g))
  assert.equal(join(context.root, context.dockerfile), join(PROJECT, 'package.json'))
  const without = collectImageContext({ dockerfile: 'package.json', files, packages: [] })
  assert.deepEqual([without.root, without.app], [PROJECT, '.'])
  assert.notEqual(without.hash, context.hash)
})
