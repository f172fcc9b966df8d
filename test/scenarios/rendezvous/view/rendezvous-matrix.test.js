import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { RENDEZVOUS_MATRIX } from '../../../../src/scenarios/rendezvous/view/rendezvous-matrix.js'
import { planned } from '../../../plan/planned.js'
import { measuredResult } from '../../../report/measured-result.js'

const usage = /** @type {any} */ ({ cpu: { averagePercent: 31 }, memory: { averageBytes: 154e6 } })

/** @param {Record<string, unknown>} options */
function rowOf(options) {
  const plan = planned(options)
  const result = { ...measuredResult(), plan }
  if (plan.store === 'postgres') result.outcome.members = [{ name: 'database', ...usage }]
  const row = /** @type {any} */ ({ id: 'row', plan, unscaled: {}, reference: null })
  return { row, result }
}

/** @param {...ReturnType<typeof rowOf>} made */
function shown(...made) {
  const columns = RENDEZVOUS_MATRIX.columns(made.map(({ row }) => row))
  const cells = made.map(({ row, result }) => {
    const [line] = RENDEZVOUS_MATRIX.lines(row, result)
    return Object.fromEntries(columns.map(({ heading, cell }) => [heading, cell(line)]))
  })
  return { headings: columns.map(({ heading }) => heading), cells }
}

describe('the table of a matrix of rendezvous', () => {
  it('says how many servers there were, and what their database took', () => {
    const { cells } = shown(rowOf({ store: 'postgres' }), rowOf({ store: 'postgres', servers: 3 }))
    assert.deepEqual(
      cells.map(({ Servers }) => Servers),
      ['1', '3']
    )
    assert.equal(cells[1]['Database CPU %'], '31')
    assert.equal(cells[1]['Database Mem MB'], '154')
  })

  it('says nothing of either where one server has its registrations in memory', () => {
    const { headings } = shown(rowOf({ nClients: 4 }), rowOf({ nClients: 8 }))
    assert.deepEqual(
      headings.filter(heading => /Servers|Database/.test(heading)),
      []
    )
  })

  it('says whether a REGISTER is new or a refresh, behind the columns of the source', () => {
    const { headings, cells } = shown(rowOf({}), rowOf({ registerMode: 'new', benchmarkRuns: 20 }))
    assert.deepEqual(
      cells.map(({ Mode }) => Mode),
      ['refresh', 'new']
    )
    assert.equal(headings.indexOf('Mode'), headings.indexOf('Max Mem MB') + 1)
    assert.ok(!shown(rowOf({ benchmarkType: 'DISCOVER' })).headings.includes('Mode'))
  })

  it('says where the servers have their registrations', () => {
    const said = [rowOf({}), rowOf({ store: 'postgres' }), rowOf({ store: 'postgres', servers: 3 })].map(
      ({ result }) => RENDEZVOUS_MATRIX.setting([result])[0]
    )
    assert.deepEqual(said, [
      '- Server: ours, in memory, as a process of its own',
      '- Server: ours, on postgres, as a process of its own',
      '- Server: 3 of ours that share postgres, each a process of its own'
    ])
  })
})
