import assert from 'node:assert/strict'
import { execFile, spawnSync } from 'node:child_process'
import { existsSync, openSync } from 'node:fs'
import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { before, describe, test } from 'node:test'
import { pathToFileURL } from 'node:url'
import { promisify } from 'node:util'
import { temporaryFolder } from '../temporary-folder.js'

const run = promisify(execFile)

/** Writes the address of each module that is loaded, but for Node's own, into a file. */
const HOOKS = `import { appendFileSync } from 'node:fs'
export async function load(url, context, next) {
  if (!url.startsWith('node:')) appendFileSync(process.env.LOADED_LOG, url + '\\n')
  return next(url, context)
}
`

const REGISTER = `import { register } from 'node:module'
register('./hooks.mjs', import.meta.url)
`

const folder = temporaryFolder()
before(async () => {
  await writeFile(join(folder, 'hooks.mjs'), HOOKS)
  await writeFile(join(folder, 'register.mjs'), REGISTER)
})

/** @param {string} flag @returns {Promise<string[]>} the modules that are loaded to answer it */
async function loadedBy(flag) {
  const log = join(folder, `log${flag}`)
  const register = pathToFileURL(join(folder, 'register.mjs')).href
  await run(process.execPath, ['--import', register, 'index.js', flag], {
    env: { ...process.env, LOADED_LOG: log }
  })
  const modules = (await readFile(log, 'utf8')).trim().split('\n')
  return modules.filter(url => url !== register)
}

test('--version loads no more than it needs', async () => {
  const modules = await loadedBy('--version')
  assert.ok(modules.length <= 4, modules.join('\n'))
})

test('--help loads options and what prints them: nothing of libp2p, Vega or zod', async () => {
  const modules = await loadedBy('--help')
  assert.ok(modules.length <= 112, `${modules.length} modules:\n${modules.join('\n')}`)
  for (const heavy of [/node_modules\/(@[\w-]*libp2p[\w-]*|libp2p)\//, /vega/, /node_modules\/zod\//])
    assert.deepEqual(
      modules.filter(url => heavy.test(url)),
      []
    )
})

describe('what cannot be written', {
  skip: existsSync('/dev/full') ? false : 'there is no /dev/full'
}, () => {
  const full = openSync('/dev/full', 'w')
  const command = (/** @type {(number | 'pipe')[]} */ ...outputs) => {
    const stdio = /** @type {import('node:child_process').StdioOptions} */ (['ignore', ...outputs])
    return spawnSync(process.execPath, ['index.js', 'schema'], { stdio, encoding: 'utf8' })
  }

  test('is a line, and exit code 1, where it was asked for', () => {
    const { status, stderr } = command(full, 'pipe')
    assert.deepEqual([status, stderr], [1, 'stdout cannot be written: ENOSPC\n'])
  })

  test('takes nothing from the rest where it was only told', () => {
    const { status, stdout } = command('pipe', full)
    assert.equal(status, 0)
    assert.match(stdout, /schema result/)
  })
})
