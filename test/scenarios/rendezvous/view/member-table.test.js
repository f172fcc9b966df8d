import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { memberCells, memberParts } from '../../../../src/scenarios/rendezvous/view/member-table.js'
import { sampleResult } from '../../../report/sample-result.js'

const cpu = { averagePercent: 12, medianPercent: 12, maxPercent: 12, samples: 10 }
const memory = { averageBytes: 80e6, medianBytes: 80e6, maxBytes: 80e6, samples: 10 }

describe('the table of each server', () => {
  it('has what each served of each type, and the database', () => {
    const result = sampleResult()
    const { REGISTER, DISCOVER } = result.outcome.operations
    const own = /** @type {any} */ ((REGISTER ?? DISCOVER)?.rt.all)
    const durations = { REGISTER: { ...own, count: 20 }, DISCOVER: { ...own, count: 10 } }
    Object.assign(result.outcome, {
      measuredMs: 10_000,
      members: [
        { name: 'server 1', cpu, memory, durations },
        { name: 'server 2', cpu, memory },
        { name: 'database', cpu, memory }
      ]
    })
    const { rows } = memberCells(result)
    assert.deepEqual(
      rows.map(([name, type, served]) => [name, type, served]),
      [
        ['server 1', 'REGISTER', '2.00'],
        ['', 'DISCOVER', '1.00'],
        ['server 2', '–', '–'],
        ['database', '–', '–']
      ]
    )
    assert.deepEqual(rows[0].slice(-2), ['12', '80'])
    assert.deepEqual(rows[1].slice(-2), ['', ''])
    assert.match(memberParts(result).join('\n'), /^## Each server\n\| Of each /)
  })

  it('is not there for one server with its registrations in memory', () => {
    assert.deepEqual(memberParts(sampleResult()), [])
  })
})
