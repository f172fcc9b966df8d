import assert from 'node:assert/strict'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import test from 'node:test'
import { serveRegistry } from '../../scripts/package/registry.js'

test('a registry of one package does not announce that it closes idle connections', async t => {
  // npm uses its connections again; on a busy machine it may be held up for longer than the five seconds after which Node closes them
  const folder = mkdtempSync(join(tmpdir(), 'loadtest-registry-'))
  t.after(() => rmSync(folder, { recursive: true }))
  const tarball = join(folder, 'one.tgz')
  writeFileSync(tarball, 'not looked at')
  const registry = await serveRegistry({
    tarball,
    manifest: { name: 'one', version: '1.0.0' },
    upstream: 'http://others.example/'
  })
  t.after(() => registry.close())
  const own = await fetch(`${registry.url}one`)
  assert.deepEqual(Object.keys((await own.json()).versions), ['1.0.0'])
  assert.equal(own.headers.get('keep-alive'), null)
  const other = await fetch(`${registry.url}other`, { redirect: 'manual' })
  assert.equal(other.headers.get('location'), 'http://others.example/other')
  assert.equal(other.headers.get('keep-alive'), null)
})
