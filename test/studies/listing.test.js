import assert from 'node:assert/strict'
import test from 'node:test'
import { makeListItem, makeListTable } from '../../src/cli/commands/results.js'
import { measuredResult } from '../report/measured-result.js'

/** @type {() => Promise<import('../../src/report/schema.js').Description>} */
const describe = async () => ({
  ...{ title: 'REGISTER', headline: 'Done.', tables: [], plots: [], warnings: [] },
  tiles: [
    ['Throughput', 2948.4, 'perSecond'],
    ['p50', 0.951, 'ms'],
    ['p99', { atLeast: 12 }, 'ms'],
    ['CPU', null, 'percent']
  ]
})

/** @type {import('../../src/cli/commands/results.js').ResultEntry} */
const RUN = {
  name: '20261128-0825-rendezvous-1',
  kind: 'run',
  result: { ...measuredResult(), status: 'complete', reason: null }
}

test('a run is listed by its title and the figures of its tiles', async () => {
  const listed = await makeListItem(RUN, describe)
  assert.equal(listed.what, 'REGISTER')
  assert.deepEqual(listed.figures, [
    { name: 'Throughput', value: 2948.4, text: 'Throughput 2,948/s' },
    { name: 'p50', value: 0.951, text: 'p50 0.951 ms' },
    { name: 'p99', value: 12, text: 'p99 > 12.0 ms' }
  ])
})

test('a study says why it is not complete', async () => {
  const document = {
    startedAt: '2026-11-28T08:25:00.000Z',
    status: 'partial',
    reason: { code: 'ROWS_FAILED' }
  }
  const listed = await makeListItem({ name: 'matrix-1', kind: 'matrix', document }, describe)
  assert.deepEqual([listed.what, listed.status], ['REGISTER', 'partial: ROWS_FAILED'])
})

test('a folder that cannot be read says why, and is not described', async () => {
  const listed = await makeListItem({ name: 'x', kind: 'unreadable', why: 'no JSON' }, () =>
    assert.fail('described')
  )
  assert.deepEqual(listed, {
    folder: 'x',
    startedAt: null,
    what: 'no JSON',
    status: 'unreadable',
    figures: []
  })
})

test('figures stand before folders, whose names are not cut', async () => {
  const row = await makeListItem(RUN, describe)
  const { columns, rows } = makeListTable([row, { ...row, figures: Array(9).fill(row.figures[0]) }], 80)
  assert.equal(columns.map(([heading]) => heading).join(' '), 'Figures Folder')
  assert.deepEqual(rows[0], ['Throughput 2,948/s, p50 0.951 ms, p99 > 12.0 ms', RUN.name])
  assert.equal(rows[1][1], RUN.name)
  assert.match(String(rows[1][0]), /…$/)
  for (const cells of rows) assert.ok(cells.join('  ').length <= 80)
})

test('what is wide, and what is no terminal, has the time and what was run', async () => {
  const row = await makeListItem(RUN, describe)
  for (const columns of [undefined, 120]) {
    const [cells] = makeListTable([row], columns).rows
    assert.match(String(cells[0]), /^\d{4}-\d\d-\d\d \d\d:\d\d$/)
    assert.equal(cells[1], 'REGISTER')
  }
})

test('what is not complete says so before its figures', async () => {
  const row = await makeListItem(RUN, describe)
  const unreadable = { folder: 'x', startedAt: null, what: 'no JSON', status: 'unreadable', figures: [] }
  const { rows } = makeListTable([{ ...row, status: 'partial' }, unreadable])
  assert.match(String(rows[0][2]), /^partial, Throughput /)
  assert.equal(rows[1][2], 'unreadable: no JSON')
})
