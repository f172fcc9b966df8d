import '../../src/kit/runtime.js'
import assert from 'node:assert/strict'
import { readFile } from 'node:fs/promises'
import { relative, sep } from 'node:path'
import { test } from 'node:test'
import { fileURLToPath } from 'node:url'
import { sourcesIn } from '../named-files.js'
import { ALL } from '../scenarios.js'

const SRC = fileURLToPath(new URL('../../src', import.meta.url))

/** Folders that show, compare or judge figures of any scenario. */
const GENERIC = ['cli', 'kit', 'report', 'run', 'studies'].map(folder => `${folder}${sep}`)

/** Words that mean something else, too, where no scenario is meant. */
const COMMON = new Set(['REGISTER', 'DISCOVER', 'UNREGISTER', 'CONNECT', 'longestTurn', 'withoutDuplicates'])

/** Names that are figures of a scenario and nothing else. */
const NAMES = [
  ...new Set(ALL.flatMap(({ figures }) => figures.flatMap(({ name }) => name.split('.')))),
  ...['dissemination', 'staleness', 'goodput']
].filter(name => /[a-z][A-Z]|^(dissemination|staleness|goodput)$/.test(name) && !COMMON.has(name))

/** @param {string} text */
const withoutComments = text => text.replace(/\/\*\*[\s\S]*?\*\/|^\s*\/\/.*$/gm, '')

test('what shows figures names none of a scenario: its describe.js and its figures.js do', async () => {
  assert.ok(NAMES.length > 20, NAMES.join(', '))
  const files = (await sourcesIn(SRC)).filter(file => {
    const path = relative(SRC, file)
    return GENERIC.some(folder => path.startsWith(folder)) && !/describe[\w-]*\.js$/.test(path)
  })
  assert.ok(files.length > 50)
  /** @type {string[]} */
  const found = []
  for (const file of files) {
    const text = withoutComments(await readFile(file, 'utf8'))
    for (const name of NAMES)
      if (new RegExp(`\\b${name}\\b`).test(text)) found.push(`${relative(SRC, file)}: ${name}`)
  }
  assert.deepEqual(found, [])
})
