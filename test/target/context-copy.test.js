import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { cp, mkdir, mkdtemp, readFile, rm, symlink } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { test } from 'node:test'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { collectServerContext } from '../../src/target/images.js'
import { NAMED_BESIDE, sourcesIn } from '../named-files.js'

const run = promisify(execFile)

/** What does its work when it is loaded: programs, threads. */
const ENTRY = /(^|[-/])(main|health-check|thread|entry)\.js$/

/** Loads what it is told, all in one process, and says what could not be. */
const LOAD = `
  for (const file of process.argv.slice(1))
    await import('file://' + file).catch(error => console.log(file, error.message))`

/** Packages of the copy are found where they would be in the image, and nowhere else. */
const node = (/** @type {string[]} */ args, cwd = '/') =>
  run(process.execPath, ['--preserve-symlinks', '--preserve-symlinks-main', ...args], { cwd })

const CONTAINER_ENTRY = 'src/scenarios/gossip/run/container-entry.js'

/** @type {[string, string[] | undefined, string[]][]} */
const IMAGES = [
  ['the server', undefined, ['src/server/main.js', '--help']],
  [
    'nodes in containers',
    [fileURLToPath(new URL(`../../${CONTAINER_ENTRY}`, import.meta.url))],
    ['--check', CONTAINER_ENTRY]
  ]
]

for (const [what, entries, started] of IMAGES)
  test(`what the image of ${what} is made of is all that its files load, without Docker`, async t => {
    const { root, app, paths } = await collectServerContext(entries)
    const copy = await mkdtemp(join(tmpdir(), 'loadtest-context-'))
    t.after(() => rm(copy, { recursive: true, force: true }))
    for (const path of paths) {
      await mkdir(dirname(join(copy, path)), { recursive: true })
      if (path.includes('node_modules')) await symlink(join(root, path), join(copy, path))
      else await cp(join(root, path), join(copy, path))
    }
    const there = await sourcesIn(join(copy, app, 'src'))
    assert.ok(there.length > 20, String(there.length))

    const loaded = there.filter(file => !ENTRY.test(file))
    assert.equal((await node(['--input-type=module', '--eval', LOAD, ...loaded])).stdout, '')
    for (const file of there)
      for (const [, named] of (await readFile(file, 'utf8')).matchAll(NAMED_BESIDE))
        if (named.endsWith('.js'))
          assert.ok(there.includes(join(dirname(file), named)), `${file} names ${named}`)
    await node(started, join(copy, app))
  })
