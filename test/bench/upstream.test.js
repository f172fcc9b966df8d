import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { existsSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, it } from 'node:test'
import { patched, readPatch, replacing } from '../../bench/parts/replaced-modules.js'

const PATCHES = new URL('../../bench/upstream/', import.meta.url)
const NAMES = readdirSync(PATCHES).flatMap(file => /^(.*)\.patch$/.exec(file)?.[1] ?? [])

describe('a patch of bench/upstream', () => {
  for (const name of NAMES)
    it(`${name} applies to the package that is installed, of the version that it names`, () => {
      const { file, folder, version } = readPatch(name)
      assert.equal(JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8')).version, version)
      const options = ['--strip=1', '--dry-run', '--force', `--directory=${folder}`, `--input=${file}`]
      assert.match(execFileSync('patch', options, { encoding: 'utf8' }), /^checking file /)
    })

  it('is listed in bench/upstream/README.md', () => {
    const text = readFileSync(new URL('README.md', PATCHES), 'utf8')
    assert.deepEqual(
      NAMES.filter(name => !text.includes(`(${name}.patch)`)),
      []
    )
  })

  it('gives sources that can be loaded in the place of the published ones', () => {
    const sources = Object.entries(patched(NAMES))
    assert.ok(sources.length >= NAMES.length)
    for (const [published, changed] of sources) {
      assert.ok(existsSync(published))
      assert.notEqual(readFileSync(changed, 'utf8'), readFileSync(published, 'utf8'))
      execFileSync(process.execPath, ['--check', '--input-type=module'], { input: readFileSync(changed) })
    }
  })

  it('is measured where node_modules is a link, too', async t => {
    const folder = await mkdtemp(join(tmpdir(), 'loadtest-linked-'))
    t.after(() => rm(folder, { recursive: true }))
    const file = (/** @type {string} */ name) => join(folder, name)
    writeFileSync(file('published.mjs'), "console.log('published')")
    writeFileSync(file('patched.mjs'), "console.log('patched')")
    symlinkSync(folder, file('linked'))
    const flags = replacing({ [file('linked/published.mjs')]: file('patched.mjs') })
    const loaded = execFileSync(process.execPath, [...flags, file('linked/published.mjs')])
    assert.equal(String(loaded), 'patched\n')
  })
})
