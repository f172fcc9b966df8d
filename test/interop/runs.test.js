import assert from 'node:assert/strict'
import { test } from 'node:test'
import { assertComplete, operation, warningCodes } from '../acceptance/consistent.js'
import { QUICK, run, TIMEOUT } from '../acceptance/loadtest.js'
import { assertNeverBegan } from '../acceptance/never-began.js'
import { commandOf } from './build.js'
import { IMPLEMENTATIONS } from './implementations.js'
import { ourClient } from './ours.js'
import { startServer } from './peer.js'
import { needs } from './toolchains.js'

const OPERATIONS = 60

const TYPES = /** @type {const} */ (['DISCOVER', 'REGISTER', 'UNREGISTER', 'MIXED'])

/** Those at whose servers something can be registered; python says why not in the checks of pairs. */
const TARGETS = IMPLEMENTATIONS.filter(({ serves, name }) => serves && name !== 'python')

/** How many are still registered anywhere. @param {string} address @param {string} [recordDomain] */
async function leftAt(address, recordDomain) {
  const { peers } = await ourClient(address, recordDomain).ask({ as: 0, op: 'discover' })
  return peers?.length
}

for (const implementation of TARGETS) {
  const { software, name, recordDomain } = implementation

  test(`a load test of the server of ${software}`, { ...TIMEOUT, ...needs(implementation) }, async t => {
    const { address, pid } = await startServer(await commandOf(implementation))
    const target = ['--target', address, '--targetPid', String(pid), '--nClients', '2', ...QUICK]
    const load = ['--initialRegistrations', '20', '--benchmarkRuns', String(OPERATIONS)]
    const domain = recordDomain === undefined ? [] : ['--recordDomain', recordDomain]

    for (const type of TYPES)
      await t.test(`${type} is complete, without an error, and everything is taken back`, async () => {
        const ended = await run([...target, ...load, ...domain, '--benchmarkType', type])
        assertComplete(ended)
        if (type !== 'MIXED') assert.deepEqual(operation(ended.result, type).outcomes, { OK: OPERATIONS })
        assert.equal(await leftAt(address, recordDomain), 0)
        assert.equal(warningCodes(ended.result).includes('ONE_REQUEST_PER_STREAM'), name === 'rust')
      })

    if (name === 'rust') {
      await t.test('records of a domain it does not take: the flag to use', async () => {
        const ended = await run([...target, ...load])
        assertNeverBegan(ended, 'OTHER_RECORD_DOMAIN', /use --recordDomain libp2p-routing-state /)
      })

      await t.test('a long-lived stream: the flags to leave out', async () => {
        const ended = await run([...target, ...load, ...domain, '--inFlight', '4'])
        assertNeverBegan(ended, 'ONE_REQUEST_PER_STREAM', /leave out --inFlight/)
      })
    }
  })
}
