import '../../src/kit/runtime.js'
import assert from 'node:assert/strict'
import { once } from 'node:events'
import { mkdir, readFile } from 'node:fs/promises'
import { connect } from 'node:net'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { Handover } from '../../src/run/run.js'
import { runRendezvous } from '../../src/scenarios/rendezvous/run/rendezvous-run.js'
import { newFolder, TIMEOUT } from '../acceptance/loadtest.js'
import { ON_LINUX } from '../acceptance/processes.js'
import { planned } from '../plan/planned.js'

const SMALL = {
  nClients: 2,
  workers: 1,
  initialRegistrations: 10,
  // as many as are due in the longest run
  maxInFlight: 200,
  registerMode: 'new',
  warmup: '100ms',
  duration: '1s',
  samples: true,
  server: 'process'
}

/** @type {Error[]} */
const told = []
const handover = new Handover(error => void told.push(error))
after(() => handover.clear())

/** @param {Record<string, unknown>} options @param {string} [folder] */
async function run(options, folder) {
  const plan = planned({ ...SMALL, ...options })
  let last
  for await (const record of runRendezvous(plan, { id: 'a-run', folder, handover })) last = record
  const { result } = /** @type {import('../../src/report/schema.js').ResultRecord} */ (last)
  const { status, outcome } = /** @type {import('../../src/report/schema.js').Result} */ (result)
  return { plan, status, outcome, server: outcome.target.multiaddr }
}

/** The run that left something up that does for a plan. @param {import('../../src/scenarios/rendezvous/options.js').Plan} plan */
async function leftFor(plan) {
  const left = await handover.take(plan)
  if (left !== null) handover.leave(left)
  return left
}

const isThere = (/** @type {number} */ pid) => {
  try {
    return process.kill(pid, 0)
  } catch {
    return false
  }
}

/** @param {string} multiaddr @returns {Promise<boolean>} whether somebody listens there */
async function listens(multiaddr) {
  const socket = connect({ host: '127.0.0.1', port: Number(multiaddr.split('/')[4]) })
  try {
    return await once(socket, 'connect').then(
      () => true,
      () => false
    )
  } finally {
    socket.destroy()
  }
}

test('runs of a study that differ in their rate go on with one server and its clients', {
  ...TIMEOUT,
  ...ON_LINUX
}, async t => {
  const first = await run({ rate: 100 })

  await t.test('at its own rate, counted from nothing, on the registrations of the first', async () => {
    const folder = await newFolder()
    await mkdir(folder, { recursive: true })
    const { status, server, outcome } = await run({ rate: 200 }, folder)
    assert.deepEqual([status, server], ['complete', first.server])
    assert.deepEqual(
      [first.outcome.operations.REGISTER?.count, outcome.operations.REGISTER?.count],
      [100, 200]
    )
    assert.deepEqual([outcome.registrations.before, outcome.registrations.after], [10, 10])
    const samples = await readFile(join(folder, 'samples-0.csv'), 'utf8')
    assert.equal(samples.trimEnd().split('\n').length, 201)
  })

  await t.test('other clients need another one, and the one before is ended', async () => {
    const { multiaddr } = (await leftFor(first.plan)).target
    assert.equal(await listens(multiaddr), true)
    const { status } = await run({ rate: 100, nClients: 3 })
    assert.deepEqual([status, await listens(multiaddr)], ['complete', false])
  })

  await t.test('one that has ended meanwhile is no hindrance: the next run starts its own', async () => {
    const { pid, multiaddr } = (await leftFor(planned({ ...SMALL, rate: 100, nClients: 3 }))).target
    process.kill(pid, 'SIGKILL')
    while (isThere(pid)) await new Promise(resolve => setTimeout(resolve, 20))
    const { status, server } = await run({ rate: 100, nClients: 3 })
    assert.equal(status, 'complete')
    assert.notEqual(server, multiaddr)
  })

  await t.test('a run with operations that failed leaves nothing up', async () => {
    // far more than can be in flight, all due at once
    const { plan, outcome } = await run({ rate: 10_000, duration: '100ms', nClients: 3 })
    assert.ok(Number(outcome.operations.REGISTER?.outcomes.DROPPED) > 0)
    assert.equal(await leftFor(plan), null)
  })
  assert.deepEqual(told, [])
})
