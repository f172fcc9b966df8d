import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { saturatedInWords } from '../../../../src/scenarios/rendezvous/view/busiest.js'

/** @param {{ generator?: number, server?: number, used?: number, database?: number }} [busy] percent */
const wordsOf = ({ generator = 10, server = 20, used = 5, database = 30 } = {}) => {
  const pool = { connections: 16, statements: 100, waitedMs: 1.5, usedPercent: used }
  return saturatedInWords(
    /** @type {any} */ ({
      outcome: {
        members: [
          { name: 'server 1', cpu: { averagePercent: 1 }, pool: { ...pool, usedPercent: 1 } },
          { name: 'server 2', cpu: { averagePercent: server }, pool },
          { name: 'database', cpu: { averagePercent: database } }
        ]
      },
      run: { health: [{ utilization: generator / 100, cpuPercent: generator }], machine: { cores: 4 } }
    })
  )
}

describe('what was saturated', () => {
  it('is nothing where all have more to give, with how busy each was', () => {
    const [words] = wordsOf()
    assert.match(
      words,
      /^Nothing was saturated\. The load generator was 10 % busy, server 2 20 % of a core, /
    )
    assert.match(
      words,
      /server 2 had 5\.00 % of its 16 connections in use \(a statement waited 1\.50 ms for one\)/
    )
    assert.match(words, /the database 8 % of 4 cores, all of these together 15 % of the machine/)
  })

  /** @type {[Parameters<typeof wordsOf>[0], string][]} */
  const cases = [
    [{ generator: 95 }, 'load generator'],
    [{ server: 97 }, 'server 2'],
    [{ used: 99 }, 'pool of server 2'],
    [{ database: 390 }, 'database, machine']
  ]
  for (const [busy, who] of cases)
    it(`is the ${who}`, () => assert.ok(wordsOf(busy)[0].startsWith(`Saturated: ${who}. `), wordsOf(busy)[0]))

  it('is not asked where all is in one server', () =>
    assert.deepEqual(saturatedInWords(/** @type {any} */ ({ outcome: {}, run: {} })), []))
})

describe('servers of which not all is known', () => {
  /** @param {any[]} members */
  const words = members =>
    saturatedInWords(
      /** @type {any} */ ({
        outcome: { members },
        run: { health: [{ utilization: 0.1, cpuPercent: 10 }], machine: { cores: 4 } }
      })
    )[0]
  const server = (/** @type {string} */ name, /** @type {object} */ known) => ({
    ...{ name, cpu: { averagePercent: null } },
    ...known
  })

  it('have used nothing as far as is known, and no pool is named where there is none', () => {
    const said = words([server('server 1', {}), server('server 2', { cpu: { averagePercent: 7 } })])
    assert.match(said, /server 2 7 % of a core/)
    assert.doesNotMatch(said, /connections in use/)
  })

  it('are told without how long statements waited where that is not known', () => {
    const pool = { connections: 8, statements: 0, waitedMs: null, usedPercent: 12 }
    const said = words([
      server('server 1', { pool }),
      server('server 2', { pool: { ...pool, usedPercent: 3 } })
    ])
    assert.match(said, /server 1 had 12\.0 % of its 8 connections in use,/)
    assert.doesNotMatch(said, /waited/)
  })
})
