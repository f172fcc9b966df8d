// Makes every committed result again, as docs/reference.md lists them:
//   npm run reference -- [--list] [--only <part of a name>]
// A row that came to its end has a file `done` in its folder and is not run again; a study that was broken off goes on.
import { spawnSync } from 'node:child_process'
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import { argvOf, referenceRows } from './parts/reference-rows.js'

const ROOT = fileURLToPath(new URL('..', import.meta.url))
const NEW = join('results', 'reference-new')

const { values } = parseArgs({
  options: { list: { type: 'boolean' }, only: { type: 'string', default: '' } }
})
const rows = referenceRows(readFileSync(join(ROOT, 'docs/reference.md'), 'utf8')).filter(({ name }) =>
  name.includes(values.only)
)

/** @param {string} name */
const doneFile = name => join(ROOT, NEW, name, 'done')

let failed = 0
for (const row of rows) {
  const isDone = existsSync(doneFile(row.name))
  if (values.list || isDone) {
    console.log(`${isDone ? '✔' : ' '} ${row.name.padEnd(26)} node ${row.argv.join(' ')}`)
    continue
  }
  const folder = join(NEW, row.name)
  mkdirSync(join(ROOT, folder), { recursive: true })
  const argv = argvOf(row, { folder, begun: readdirSync(join(ROOT, folder)).length > 0 })
  console.log(`  ${row.name}: node ${argv.join(' ')}`)
  const { status, signal } = spawnSync(process.execPath, argv, { cwd: ROOT, stdio: 'inherit' })
  if (status === 0) writeFileSync(doneFile(row.name), `${new Date().toISOString()}\n`)
  else {
    failed++
    console.error(`${row.name} ended with ${status === null ? signal : `exit code ${status}`}`)
    // who breaks it off wants no more of it
    if (status === 130 || signal !== null) break
  }
}
process.exitCode = failed === 0 ? 0 : 1
