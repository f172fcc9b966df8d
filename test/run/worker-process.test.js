import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { readdir } from 'node:fs/promises'
import { test } from 'node:test'
import { fileURLToPath } from 'node:url'
import { endAll, goneWithin, MARK, ON_LINUX, processesWith } from '../acceptance/processes.js'

const PARENT = fileURLToPath(new URL('parent-of-busy-workers.js', import.meta.url))
const SCENARIOS = fileURLToPath(new URL('../../src/scenarios', import.meta.url))
// that of a container ends with its pipe, and is no child of anybody here
const ENTRIES = (await readdir(SCENARIOS, { recursive: true })).filter(path =>
  /\/(?:run|worker)\/(?!container-)[^/]*entry\.js$/.test(path)
)

test(
  'workers of every kind end when their parent is killed, while their event loops do not turn',
  ON_LINUX,
  async () => {
    const mark = `parent-watch-${process.pid}`
    const parent = spawn(process.execPath, [PARENT, ...ENTRIES], {
      env: { ...process.env, [MARK]: mark },
      stdio: ['ignore', 'pipe', 'inherit']
    })
    try {
      assert.ok(ENTRIES.length >= 3, 'the programs of workers were not found')
      const said = await Promise.race([once(parent.stdout, 'data'), once(parent, 'exit')])
      assert.match(String(said[0]), /busy/, 'a worker has not started')
      const before = processesWith(mark).map(({ command }) => command)
      for (const entry of ENTRIES)
        assert.ok(
          before.some(command => command.includes(`/src/scenarios/${entry}`)),
          `${entry} runs`
        )
      parent.kill('SIGKILL')
      assert.deepEqual(await goneWithin(mark), [])
    } finally {
      endAll(mark)
    }
  }
)
