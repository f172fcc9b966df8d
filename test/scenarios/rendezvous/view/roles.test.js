import '../../../../src/node-shim.js'
import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { operationsLead } from '../../../../src/scenarios/rendezvous/view/page/rendezvous-lead.js'
import { RENDEZVOUS_WORDS } from '../../../../src/scenarios/rendezvous/view/rendezvous-words.js'
import { operation, sampleResult } from '../../../report/sample-result.js'
import { resultNotes, resultTable } from '../../../report/shown.js'

const RATES = { providerRate: '10/s', discovererRate: '300/s' }
const operations = { REGISTER: operation(), DISCOVER: operation({ count: 9000 }) }

/** @param {object} [options] @param {object} [outcome] */
const shown = (options, outcome) =>
  sampleResult({
    options: { providers: 1, discoverers: 4, duration: '30s', ...options },
    outcome: { operations, ...outcome }
  })

describe('a run with roles', () => {
  it('has a row for each, with its clients and its rate', () => {
    const rows = resultTable(shown(RATES))
      .split('\n')
      .slice(2)
      .map(row => row.split('|').map(cell => cell.trim()))
    assert.deepEqual(
      rows.map(([, type, mode, clients, , count, , due]) => [type, mode, clients, count, due]),
      [
        ['REGISTER', 'refresh', '1', '500', '10.0'],
        ['DISCOVER', '–', '4', '9,000', '300']
      ]
    )
  })

  it('says who sends what, and when it is due', () => {
    const { plan } = shown(RATES)
    assert.equal(RENDEZVOUS_WORDS.work(plan), '30.0 s of REGISTER at 10.0/s and DISCOVER at 300/s')
    assert.equal(RENDEZVOUS_WORDS.setting(plan)[0], '1 provider and 4 discoverers in 1 process')
    assert.match(
      resultNotes(shown(RATES))[0],
      /open model: operations are due, REGISTER of 1 provider at 10\.0\/s \(constant arrivals\) and DISCOVER of 4 discoverers at 300\/s \(constant arrivals\), whatever the replies do/
    )
    const [first, second] = operationsLead(shown(RATES))
    assert.match(first, /500 REGISTER at .* with 1 provider, due at 10\.0\/s;/)
    assert.match(second, /9,000 DISCOVER at .* with 4 discoverers, due at 300\/s;/)
  })

  it('of closed loops says so', () => {
    assert.equal(RENDEZVOUS_WORDS.work(shown().plan), '30.0 s of REGISTER and DISCOVER')
    assert.match(resultNotes(shown())[0], /closed model: each client waits for its reply/)
    assert.match(operationsLead(shown())[1], / with 4 discoverers; /)
  })

  it('says how fair it was within each role, and between types', () => {
    const fairness = { clients: 0.9, types: 0.98765, providers: null, discoverers: 0.9 }
    const note =
      "Fairness (Jain's index, 1: all had as much): 0.9 between discoverers, 0.988 between types of operations."
    assert.ok(resultNotes(shown(RATES, { fairness })).includes(note))
  })
})

describe('fairness of a run without roles', () => {
  /** @param {{ clients: number | null, types: number | null }} fairness */
  const noteOf = fairness =>
    resultNotes(sampleResult({ outcome: { fairness } })).find(text => text.startsWith('Fairness'))

  it('is said where there was none', () =>
    assert.equal(
      noteOf({ clients: 0.912, types: null }),
      "Fairness (Jain's index, 1: all had as much): 0.912 between clients."
    ))

  it('is not said where all had as much, or one is alone', () => {
    assert.equal(noteOf({ clients: 1, types: 1 }), undefined)
    assert.equal(noteOf({ clients: null, types: null }), undefined)
  })
})
