import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { agentLines } from '../../src/report/agent-lines.js'

/** @type {import('../../src/result/types.js').AgentRow} */
const AGENT = {
  id: 'a1',
  host: 'north',
  tags: [],
  cores: 8,
  memoryBytes: 8e9,
  node: 'v20.0.0',
  workers: [0, 2],
  clock: { offsetMs: 5, errorMs: 0.25, driftPpm: 30 },
  lateMs: 1.5,
  lost: null,
  operations: 12_345,
  busiest: 0.876,
  addedMs: 3
}

/** @param {import('../../src/result/types.js').AgentRow[]} rows @returns {string[][]} */
function cellsOf(rows) {
  /** @type {string[][]} */
  let cells = []
  agentLines(rows, table => {
    cells = table.rows
    return 'a table'
  })
  return cells
}

describe('the machines that held the workers of a run', () => {
  test('have a row each, with what they did', () =>
    assert.deepEqual(cellsOf([AGENT]), [
      ['a1 (north)', '8', '0, 2', '12,345', '88', '3.00', '1.50', '0.250', '30.0', 'no']
    ]))

  test('have a dash where nothing is known, and say when they were lost', () => {
    const { operations: _, busiest: __, addedMs: ___, ...bare } = AGENT
    const lost = { ...bare, clock: null, lateMs: null, lost: { atMs: 4500, why: 'it was unplugged' } }
    const undrifted = { ...AGENT, clock: { offsetMs: 0, errorMs: 2, driftPpm: null } }
    const [first, second] = cellsOf([lost, undrifted])
    assert.deepEqual(first.slice(3), ['–', '–', '–', '–', '–', '–', 'after 4.50 s'])
    assert.deepEqual(second.slice(7, 9), ['2.00', '–'])
  })

  test('are a table in markdown, unless it is written otherwise', () => {
    const [head, , row] = agentLines([AGENT]).split('\n')
    assert.match(head, /^\| Agent +\| +Cores \| +Workers/)
    assert.match(row, /^\| a1 \(north\)/)
    assert.equal(
      agentLines([AGENT], () => 'a table'),
      'a table'
    )
  })

  test('are not there where workers were on this machine', () => {
    assert.equal(agentLines(), '')
    assert.equal(
      agentLines([], () => 'a table'),
      ''
    )
  })
})
