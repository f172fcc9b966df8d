// Makes every committed result again, as results/reference/README.md lists them:
//   npm run reference -- [--list] [--only <name or a part of names, several after commas>] [--anew]
// A row that came to its end takes the place of what was committed of it, and is not run again before the next round (--anew); a study that was
// broken off goes on.
import { execFileSync, spawnSync } from 'node:child_process'
import { mkdirSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import { ReferenceMade } from './parts/reference-made.js'
import { argvOf, chosenRows, isBench, referenceRows } from './parts/reference-rows.js'

const ROOT = fileURLToPath(new URL('..', import.meta.url))
const NEW = join('results', 'reference-new')

const { values } = parseArgs({
  options: { list: { type: 'boolean' }, only: { type: 'string', default: '' }, anew: { type: 'boolean' } }
})
/** @param {string} path */
const read = path => readFileSync(join(ROOT, path), 'utf8')
const rows = chosenRows(referenceRows(read('results/reference/README.md')), values.only)
const made = new ReferenceMade(join(ROOT, 'results/reference'))
if (rows.length === 0) {
  console.error(`--only ${values.only}  matches no row of results/reference/README.md`)
  process.exit(2)
}
if (values.anew && !values.list) made.begin(new Date().toISOString())

/** @param {string} folder - in which a row makes its own */
const foldersIn = folder => {
  mkdirSync(join(ROOT, folder), { recursive: true })
  return readdirSync(join(ROOT, folder)).sort()
}
/** What results depend on: they themselves are changed by every row. */
const CODE = ['--', 'index.js', 'src', 'bench', 'benchmarks', 'package-lock.json']
const git = (/** @type {string[]} */ ...args) =>
  execFileSync('git', args, { cwd: ROOT, encoding: 'utf8' }).trim()
const isChanged = git('status', '--porcelain', ...CODE) !== ''
const commit = `${git('rev-parse', '--short', 'HEAD')}${isChanged ? ' and changes' : ''}`

/** All is there: a threshold that failed is a result, too. */
const CAME_TO_ITS_END = [0, 3]

let failed = 0
for (const row of rows) {
  const isDone = made.isDone(row.name)
  if (values.list || isDone) {
    const at = made.at(row.name)?.slice(0, 10) ?? 'never'
    console.log(`${isDone ? '✔' : ' '} ${at.padEnd(10)} ${row.name.padEnd(42)} node ${row.argv.join(' ')}`)
    continue
  }
  const folder = join(NEW, row.name)
  if (isBench(row) && made.at(row.name) !== null) made.forget(row.name)
  const argv = argvOf(row, { folder, begun: !isBench(row) && foldersIn(folder).length > 0 })
  console.log(`  ${row.name}: node ${argv.join(' ')}`)
  const { status, signal } = spawnSync(process.execPath, argv, { cwd: ROOT, stdio: 'inherit' })
  const cameToItsEnd = status !== null && CAME_TO_ITS_END.includes(status)
  const latest = isBench(row) ? undefined : foldersIn(folder).at(-1)
  const now = { at: new Date().toISOString(), commit }
  if (cameToItsEnd && isBench(row)) made.note(row.name, now)
  else if (cameToItsEnd && latest !== undefined) {
    made.take(row.name, { folder: join(ROOT, folder, latest), ...now })
    // the next round is not to go on from it
    rmSync(join(ROOT, folder), { recursive: true })
  } else {
    failed++
    console.error(`${row.name} ended with ${status === null ? signal : `exit code ${status}`}`)
    // who breaks it off wants no more of it
    if (status === 130 || signal !== null) break
  }
}
process.exitCode = failed === 0 ? 0 : 1
