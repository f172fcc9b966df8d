import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { test } from 'node:test'
import { fileURLToPath } from 'node:url'
import { endAll, goneWithin, MARK, ON_LINUX, processesWith } from '../acceptance/processes.js'

const PARENT = fileURLToPath(new URL('parent-of-busy-workers.js', import.meta.url))
const SCENARIOS = fileURLToPath(new URL('../../src/scenarios', import.meta.url))
// that of a container ends with its pipe, and is no child of anybody here
const ENTRIES = (await readdir(SCENARIOS, { recursive: true })).filter(path =>
  /\/run\/(?!container-)[^/]*entry\.js$/.test(path)
)
/** One on the clocks of the machine, and one that replaces them. */
const BUSY = ['rendezvous/run/entry.js', 'gossip/run/simulated-entry.js']

test('workers of every kind watch their parent before anything that takes time', async () => {
  assert.ok(ENTRIES.length >= 3, 'the programs of workers were not found')
  for (const entry of ENTRIES)
    assert.match(
      await readFile(join(SCENARIOS, entry), 'utf8'),
      /^(?:import [^\n]+\n)*import \{ endWithParent \} from '[^\n]+\n(?:import [^\n]+\n)*\nendWithParent\(\)\n/,
      entry
    )
})

test('workers end when their parent is killed, while their event loops do not turn', ON_LINUX, async () => {
  const mark = `parent-watch-${process.pid}`
  const parent = spawn(process.execPath, [PARENT, ...BUSY], {
    env: { ...process.env, [MARK]: mark },
    stdio: ['ignore', 'pipe', 'inherit']
  })
  try {
    const said = await Promise.race([once(parent.stdout, 'data'), once(parent, 'exit')])
    assert.match(String(said[0]), /busy/, 'a worker has not started')
    const before = processesWith(mark).map(({ command }) => command)
    for (const entry of BUSY)
      assert.ok(
        before.some(command => command.includes(`/src/scenarios/${entry}`)),
        `${entry} runs`
      )
    parent.kill('SIGKILL')
    assert.deepEqual(await goneWithin(mark), [])
  } finally {
    endAll(mark)
  }
})
