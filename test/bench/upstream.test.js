import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, it } from 'node:test'
import { patched, readPatch } from '../../bench/parts/replaced-modules.js'

const DOCS = new URL('../../docs/', import.meta.url)
const NAMES = readdirSync(new URL('upstream/', DOCS)).map(file => file.replace(/\.patch$/, ''))

describe('a patch of docs/upstream', () => {
  for (const name of NAMES)
    it(`${name} applies to the package that is installed, of the version that it names`, () => {
      const { file, folder, version } = readPatch(name)
      assert.equal(JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8')).version, version)
      const options = ['--strip=1', '--dry-run', '--force', `--directory=${folder}`, `--input=${file}`]
      assert.match(execFileSync('patch', options, { encoding: 'utf8' }), /^checking file /)
    })

  it('stands in docs/upstream.md', () => {
    const text = readFileSync(new URL('upstream.md', DOCS), 'utf8')
    assert.deepEqual(
      NAMES.filter(name => !text.includes(`(upstream/${name}.patch)`)),
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
})
