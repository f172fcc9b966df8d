import '../../../src/node-shim.js'
import assert from 'node:assert/strict'
import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { failedRun, modelledRun } from '../../cli/modelled-server.js'
import { runCommand } from '../../cli/run-command.js'

const base = await mkdtemp(join(tmpdir(), 'run-capacity-'))
after(() => rm(base, { recursive: true }))

test('a capacity whose loads did not all come to their end has its answer, and says which is missing', async () => {
  const argv = [
    'capacity',
    '--duration',
    '1s',
    '--searchDuration',
    '1s',
    '--repeats',
    '0',
    '--outputDir',
    join(base, 'results')
  ]
  let place = 0
  const { exitCode, stdout } = await runCommand(argv, {
    base,
    scenarioOf: () =>
      async function* (plan, { id }) {
        const failed = ++place === 3
        yield {
          type: 'result',
          result: failed ? failedRun(plan, id, 'out of memory') : modelledRun(plan, id, { capacity: 400 })
        }
      }
  })
  const [name] = await readdir(join(base, 'results'))
  const { status, reason, servers, search } = JSON.parse(
    await readFile(join(base, 'results', name, 'capacity.json'), 'utf8')
  )
  assert.deepEqual(
    [status, reason],
    ['partial', { code: 'LOADS_FAILED', message: '3 × peak hour did not come to an end' }]
  )
  assert.equal(exitCode, 1)
  assert.ok(search.found.below.perSecond > 185 && search.found.below.perSecond <= 400)
  assert.equal(servers, 1)
  assert.match(stdout, /1 server for 1,000,000 peers/)
})
