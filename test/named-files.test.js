import assert from 'node:assert/strict'
import { existsSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { test } from 'node:test'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { AGENT_ENTRIES } from '../src/agents/messages.js'
import { NAMED_BESIDE, sourcesIn } from './named-files.js'

test('every file that a source names beside itself is there', async () => {
  const missing = []
  let named = 0
  for (const file of await sourcesIn(fileURLToPath(new URL('../src', import.meta.url))))
    for (const [, name] of (await readFile(file, 'utf8')).matchAll(NAMED_BESIDE)) {
      named++
      if (!existsSync(new URL(name, pathToFileURL(file)))) missing.push(`${file}: ${name}`)
    }
  for (const [name, url] of Object.entries(AGENT_ENTRIES))
    if (!existsSync(url)) missing.push(`of agents: ${name}`)
  assert.deepEqual(missing, [])
  assert.ok(named > 20, `only ${named} were found`)
})
