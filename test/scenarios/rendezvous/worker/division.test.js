import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { dealIndices } from '../../../../src/kit/collections.js'
import { makeSubStream } from '../../../../src/kit/random.js'
import { findClientWork, listGroups } from '../../../../src/load/clients.js'
import {
  makeClientNamespaces,
  makeOperationTypes,
  RegistrationLedger,
  RunNamespaces
} from '../../../../src/load/registrations.js'
import { chooseOperation } from '../../../../src/scenarios/rendezvous/worker/load-client.js'
import { generateLoad, shareOperations } from '../../../../src/scenarios/rendezvous/worker/load-worker.js'
import { planned } from '../../../plan/planned.js'

const OPERATIONS = 97
const MIXED = { benchmarkType: 'MIXED', mix: 'register=2,discover=2,unregister=1', nNamespaces: 7, seed: 5 }
const START = process.hrtime.bigint()

/**
 * What one of several generators sends of a load, each as `client k type namespace due`.
 *
 * @param {Record<string, any>} options - of the plan
 * @param {{ index: number, workers: number }} who
 * @param {{ operations: number | null, durationMs?: number | null, until?: number }} round - `until`: a client ends after so many
 */
async function sentBy(options, { index, workers }, { operations, durationMs = null, until = Infinity }) {
  const plan = planned(options)
  const clients = dealIndices(plan.nClients, index, workers)
  const setup = { plan, index, workers, clients, allClients: plan.nClients }
  const counts = shareOperations(setup, operations)
  const namespaces = new RunNamespaces('run')
  /** @type {string[]} */
  const sent = []
  const types = clients.map((client, i) =>
    makeOperationTypes(
      findClientWork(plan, client),
      counts[i],
      makeSubStream(plan.seed, 'mix', 'measure', client, 0)
    )
  )
  const stopping = new AbortController()
  let going = clients.length
  const fakes = clients.map((client, i) => {
    const ledger = new RegistrationLedger(makeClientNamespaces(namespaces, plan.nNamespaces, client))
    for (let n = 0; n < types[i].removals; n++) ledger.fresh()
    const drawing = { namespaces, plan, random: makeSubStream(plan.seed, 'namespaces', 'measure', client) }
    let k = 0
    return {
      /** @param {Parameters<typeof chooseOperation>[0]} type @param {bigint | null} due */
      async perform(type, due) {
        // each answers at a time of its own
        for (let turn = 0; turn <= client % 2; turn++) await new Promise(setImmediate)
        const { type: sentType, ns } = chooseOperation(type, ledger, drawing)
        sent.push(`${client} ${k++} ${sentType} ${ns} ${due === null ? '' : due - START}`)
        if (k === until && --going === 0) stopping.abort()
      }
    }
  })
  await generateLoad(setup, {
    ...{ operations, durationMs, minDurationMs: 0, startNs: START, phase: 'measure' },
    draws: {
      arrivals: listGroups(plan).map(({ role }) =>
        makeSubStream(plan.seed, 'arrivals', 'measure', String(role))
      ),
      thinkTimes: []
    },
    clients: /** @type {any} */ (fakes),
    types,
    pacer: /** @type {any} */ ({ until: async () => {} }),
    signal: stopping.signal
  })
  return sent
}

/** What several send together. @param {Record<string, any>} options @param {number} workers @param {Parameters<typeof sentBy>[2]} [round] */
const together = (options, workers, round = { operations: OPERATIONS }) =>
  Promise.all(Array.from({ length: workers }, (_, index) => sentBy(options, { index, workers }, round)))

const ROLES = { providers: 3, discoverers: 7, providerRate: '500/s', discovererRate: '2000/s', seed: 5 }
/** As many as are due in this time. */
const ROLES_ROUND = { operations: null, durationMs: 40 }

describe('a plan that is divided among generators', () => {
  for (const [model, options] of /** @type {[string, Record<string, any>][]} */ ([
    ['evenly spaced', { ...MIXED, nClients: 12, rate: '50000/s' }],
    ['Poisson arrivals', { ...MIXED, nClients: 10, rate: '50000/s', arrivals: 'poisson' }],
    ['closed, a number of operations', { ...MIXED, nClients: 10 }]
  ]))
    for (const workers of [2, 3, 4])
      it(`sends the same set of operations with 1 and ${workers}: ${model}`, async () => {
        const [alone] = await together(options, 1)
        const shares = await together(options, workers)
        assert.equal(alone.length, OPERATIONS)
        assert.equal(new Set(alone).size, OPERATIONS)
        assert.deepEqual(shares.flat().sort(), alone.sort())
      })

  for (const arrivals of ['constant', 'poisson', 'sine:amplitude=0.8,period=20ms'])
    for (const workers of [2, 3, 4, 7])
      it(`sends the same set of operations of both roles with 1 and ${workers}: ${arrivals}`, async () => {
        const [alone] = await together({ ...ROLES, arrivals }, 1, ROLES_ROUND)
        const shares = await together({ ...ROLES, arrivals }, workers, ROLES_ROUND)
        assert.ok(alone.length > 60)
        assert.deepEqual([new Set(alone).size, shares.flat().sort()], [alone.length, alone.sort()])
        for (const [index, share] of shares.entries())
          for (const text of share) assert.equal(Number(text.split(' ')[0]) % workers, index)
      })

  it('has the clients of each role take turns at its own rate', async () => {
    const [sent] = await together(ROLES, 1, ROLES_ROUND)
    const parts = sent.map(text => text.split(' '))
    /** @param {string} type */
    const of = type =>
      parts
        .filter(part => part[2] === type)
        .map(part => [Number(part[0]), Number(part.at(-1)) / 1e6])
        .sort((a, b) => a[1] - b[1])
    const actual = of('REGISTER')
    assert.deepEqual(
      actual,
      Array.from({ length: 20 }, (_, i) => [i % 3, i * 2])
    )
    assert.deepEqual(
      of('DISCOVER'),
      Array.from({ length: 80 }, (_, i) => [3 + (i % 7), i * 0.5])
    )
  })

  it('gives arrival i to generator i mod n, where n divides the clients', async () => {
    const options = { ...MIXED, nClients: 12, rate: '50000/s' }
    const due = (await together(options, 1))[0].map(text => Number(text.split(' ').at(-1)))
    const shares = await together(options, 4)
    for (const [index, share] of shares.entries())
      assert.deepEqual(
        share.map(text => Number(text.split(' ').at(-1))).sort((a, b) => a - b),
        due.sort((a, b) => a - b).filter((_, i) => i % 4 === index)
      )
  })

  it('has each client begin with the sequence it always has, where time ends it', async () => {
    const options = { ...MIXED, mix: undefined, benchmarkType: 'DISCOVER', nClients: 6 }
    const alone = await sentBy(options, { index: 0, workers: 1 }, { operations: null, until: 40 })
    for (const index of [0, 1, 2]) {
      const share = await sentBy(options, { index, workers: 3 }, { operations: null, until: 20 })
      for (const client of [index, index + 3]) {
        const of = (/** @type {string[]} */ sent) => sent.filter(text => text.startsWith(`${client} `))
        const mine = of(share)
        assert.ok(mine.length >= 20)
        const shorter = Math.min(mine.length, of(alone).length)
        assert.deepEqual(mine.slice(0, shorter), of(alone).slice(0, shorter))
      }
      assert.ok(share.every(text => Number(text.split(' ')[0]) % 3 === index))
    }
  })
})
