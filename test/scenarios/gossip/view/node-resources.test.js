import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { NODE_FIGURES } from '../../../../src/scenarios/gossip/node-figures.js'
import {
  resourceCells,
  resourceLines,
  resourcesCsv
} from '../../../../src/scenarios/gossip/view/node-resources.js'

/** @param {number} cpu @param {number} kilobytes */
const used = (cpu, kilobytes) => ({
  cpu: { averagePercent: cpu, maxPercent: 2 * cpu, heldBackPercent: cpu / 2 },
  memory: { averageBytes: 50e6, maxBytes: 60e6 },
  traffic: { receivedBytes: kilobytes * 1e3, sentBytes: 2 * kilobytes * 1e3 }
})

/** @param {number[][]} nodes - by worker @param {string} [network] */
const resultOf = (nodes, network = 'docker') =>
  /** @type {any} */ ({
    plan: { network },
    outcome: {
      messages: { published: 100, skipped: 0, failed: 0 },
      resources: nodes.map((own, worker) => ({
        ...{ worker, nodes: own },
        phases: { warmup: used(2, 1), publish: used(10 * (worker + 1), 100), cooldown: null }
      }))
    }
  })

/** @param {ReturnType<typeof resultOf>} result */
const figuresOf = ({ outcome }) =>
  Object.fromEntries(NODE_FIGURES.map(({ name, read }) => [name, read(outcome)]))

describe('where each node has a container of its own', () => {
  const result = resultOf([[0], [1]])

  test('a row and a figure is of a node', () => {
    const { headings, rows } = resourceCells(result)
    assert.deepEqual(
      rows.map(([of]) => of),
      ['node 0', 'node 1']
    )
    const publish = headings.indexOf('CPU avg/max %, publish')
    assert.equal(rows[1][publish], '20 / 40')
    assert.ok(headings.includes('In/out kB, cool-down') && headings.includes('Held back %, publish'))
    const figures = figuresOf(result)
    assert.equal(figures['node.cpu'].value, 15)
    assert.equal(figures['node.memory.max'].value, 60)
    assert.deepEqual([figures['node.received'].value, figures['node.sent'].value], [100, 200])
  })

  test('lines go from the least to the most of them, and leave out a phase that nothing is known of', () => {
    const lines = resourceLines(result)
    assert.equal(lines.length, 2)
    assert.equal(
      lines[1],
      'Each node in the publish phase: CPU 10 to 20 %, 20 to 40 % at most, held back 5 to 10 % of the time, memory 50 MB, 60 MB at most, in 100 kB, out 200 kB.'
    )
  })
})

describe('what nodes share is told as theirs together, and never divided', () => {
  const result = resultOf([
    [0, 2],
    [1, 3]
  ])

  test('in rows, lines and CSV', () => {
    assert.equal(resourceCells(result).rows[1][0], 'container 1 (nodes 1, 3 together)')
    assert.match(
      resourceLines(result)[1],
      /^Each container, its nodes together, in the publish phase: CPU 10 to 20 %/
    )
    assert.match(resourcesCsv(result), /container 0 \(nodes 0, 2 together\)"?,0 2,publish,10,20,5,/)
    assert.equal(
      resourceCells(resultOf([[0, 1, 2, 3, 4, 5]], 'loopback')).rows[0][0],
      'process 0 (6 nodes together)'
    )
  })

  test('there is no figure of a node', () => {
    for (const { value, missing } of Object.values(figuresOf(result)))
      assert.deepEqual([value, missing], [null, 'nodes shared processes or containers'])
  })
})
