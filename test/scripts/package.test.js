import assert from 'node:assert/strict'
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, test } from 'node:test'
import { commandLinesIn, packagesOf, programsIn } from '../../scripts/package/examples.js'
import { reachedBy } from '../../scripts/package/reached-declarations.js'
import { shrinkwrapOf } from '../../scripts/package/shrinkwrap.js'

/** @type {any} */
const LOCK = JSON.parse(readFileSync('package-lock.json', 'utf8'))

/** Packages whose word on Node is not met by Node 20. @param {string} range */
const wantsNode22 = range => /^>=\s*2[1-9]/.test(range)

describe('the shrinkwrap of the package', () => {
  const { packages, ...head } = shrinkwrapOf(LOCK)

  test('holds what runs, and nothing of what only development needs', () => {
    assert.equal(head.name, 'libp2p-loadtest')
    assert.ok('node_modules/libp2p' in packages && !('node_modules/typescript' in packages))
    assert.equal(packages[''].devDependencies, undefined)
    for (const [path, { dev }] of Object.entries(packages)) assert.ok(!dev, path)
  })

  test('has no package that wants a newer Node than 20, or a script at install that does nothing for us', () => {
    const newer = Object.entries(packages).filter(([, locked]) =>
      wantsNode22(/** @type {any} */ (locked).engines?.node ?? '')
    )
    assert.deepEqual(newer, [])
    const scripts = Object.entries(packages).filter(([, { hasInstallScript }]) => hasInstallScript)
    assert.deepEqual(scripts, [])
    assert.ok(!('node_modules/cpu-features' in packages))
  })

  test('names no registry', () => {
    assert.doesNotMatch(JSON.stringify(packages), /"resolved":"http/)
  })
})

test('declarations of the package are those that the first one leads to', t => {
  const folder = mkdtempSync(join(tmpdir(), 'loadtest-types-'))
  t.after(() => rmSync(folder, { recursive: true }))
  mkdirSync(join(folder, 'in'))
  const files = {
    'index.d.ts': "export { a } from './in/a.js'\n",
    'in/a.d.ts': "/** {@link b} */\nexport type A = import('../b.js').B\n",
    'b.d.ts': "import './in/c.js'\nimport type { X } from 'other'\n",
    'in/c.d.ts': '',
    'unused.d.ts': ''
  }
  for (const [name, text] of Object.entries(files)) writeFileSync(join(folder, name), text)
  const names = [...reachedBy(join(folder, 'index.d.ts'))].map(path => path.slice(folder.length + 1))
  assert.deepEqual(names, ['index.d.ts', 'in/a.d.ts', 'b.d.ts', 'in/c.d.ts'])
  rmSync(join(folder, 'b.d.ts'))
  assert.throws(() => reachedBy(join(folder, 'index.d.ts')), /names \.\.\/b\.js, which does not exist/)
})

test('programs and command lines of a document are taken as they are written', () => {
  const text =
    '# A\n\n```js\nlet a = 1\n```\n\n```\nnode index.js list \\\n  --json   # all\nnpm ci && node index.js\n```\n'
  assert.deepEqual(programsIn(text), ['let a = 1\n'])
  assert.deepEqual(commandLinesIn(text), ['node index.js list --json'])
  const program =
    "import { tcp } from '@libp2p/tcp'\nimport { a } from 'b/c'\nimport './d.js'\nimport { e } from './e.js'\n"
  assert.deepEqual(packagesOf([program, program]), ['@libp2p/tcp', 'b'])
})
