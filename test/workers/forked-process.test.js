import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { test } from 'node:test'
import { promisify } from 'node:util'

const GUARD = 'LOADTEST_TEST_PROGRAM_RAN'

/** A user's program without a file. Where a worker runs it, too, it ends before it starts others. */
const PROGRAM = `
if (process.env.${GUARD}) process.exit(3)
process.env.${GUARD} = '1'
const { makePlan, runPlan } = await import(${JSON.stringify(new URL('../../src/index.js', import.meta.url).href)})
const { plan } = await makePlan('gossip', { network: 'simulated', nodes: 5, topology: 'full', messages: 5, rate: '50/s' })
for await (const record of runPlan(plan, { id: 'run' }))
  if (record.type === 'result') console.log(record.result.status, record.result.reason?.message)
`

test('a run that is asked for on the command line of Node has workers, which do not run that program again', async () => {
  const { stdout } = await promisify(execFile)(process.execPath, ['--input-type=module', '-e', PROGRAM], {
    timeout: 300_000
  })
  assert.match(stdout, /^complete/)
})
