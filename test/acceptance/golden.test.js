import '../../src/kit/runtime.js'
import assert from 'node:assert/strict'
import { readdirSync, readFileSync } from 'node:fs'
import { mkdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { chdir, cwd } from 'node:process'
import { describe, test } from 'node:test'
import { LINES } from '../../scripts/golden/lines.js'
import { heldText, ROOT, runLine } from '../../scripts/golden/run-line.js'
import { callIn } from './in-process.js'
import { newFolder, TIMEOUT } from './loadtest.js'

const SET = join(ROOT, 'fixtures/golden')
const HERE = '/proc/self/task'

/** A command line in this process, where it would be in one of its own. @type {import('../../scripts/golden/run-line.js').Call} */
async function call(args, place) {
  const { PATH, TZ } = process.env
  const before = cwd()
  chdir(place.cwd)
  process.env.TZ = 'UTC'
  try {
    return await callIn(args, place.cache, { env: { PATH, HOME: place.cwd, NO_COLOR: '1' } })
  } finally {
    chdir(before)
    if (TZ === undefined) delete process.env.TZ
    else process.env.TZ = TZ
  }
}

/** Ids of the processes that this one has started. */
const children = () =>
  process.platform === 'linux'
    ? readdirSync(HERE).flatMap(thread =>
        readFileSync(join(HERE, thread, 'children'), 'utf8')
          .trim()
          .split(' ')
      )
    : []

describe('what command lines say is as fixtures/golden has it', () => {
  for (const line of LINES.filter(({ live }) => live === undefined))
    test(line.name, TIMEOUT, async () => {
      const folder = await newFolder()
      const place = { cwd: join(folder, 'cwd'), cache: join(folder, 'cache'), call }
      await mkdir(place.cwd)
      const before = new Set(children())
      const outcomes = await runLine(line, place)
      assert.equal(heldText(outcomes), await readFile(join(SET, `${line.name}.txt`), 'utf8'))
      if (!line.refused) return
      for (const { args, code, stdout, files } of outcomes)
        assert.deepEqual([code, stdout, files], [2, '', []], args.join(' '))
      assert.deepEqual(
        children().filter(pid => !before.has(pid)),
        [],
        'nothing was started'
      )
    })

  test('and nothing else is there', () =>
    assert.deepEqual(readdirSync(SET).sort(), LINES.map(({ name }) => `${name}.txt`).sort()))
})
