import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { serversTable } from '../../../bench/parts/servers/table.js'

/** @param {number} registerMicros */
const load = registerMicros => ({ registerMicros, discoverMicros: 200, p99Ms: 1.5 })
const RUST = Array(6).fill(load(100))

/** @param {import('../../../bench/parts/servers/table.js').Measured} values @param {string} title */
function cell(values, title) {
  const { rows } = serversTable({ ours: values }, ['slow'])
  return rows.find(([first]) => first.startsWith(title))?.[1]
}

describe('the table of servers', () => {
  it('counts the checks that were made', () => {
    const conformance = { pass: 50, differs: 3, 'not tested': 2 }
    assert.equal(cell({ conformance }, 'Conformance: checks passed'), '50 of 53')
    assert.equal(cell({ conformance }, 'Conformance: differs'), '3')
    assert.equal(cell({ conformance }, 'Conformance: fail'), '0')
  })

  it('has medians, and their ratio to Rust with an interval where there are enough pairs', () => {
    const own = [150, 160, 170, 180, 190, 200].map(load)
    assert.equal(cell({ load: { own, rust: RUST } }, 'Server CPU of a REGISTER'), '170')
    assert.match(
      String(cell({ load: { own, rust: RUST } }, '… times Rust, tuned')),
      /^1\.7\d \(1\.50 … 2\.00\)$/
    )
    assert.equal(cell({ load: { own: [load(150)], rust: [load(100)] } }, '… times Rust, tuned'), '1.50')
  })

  it('says what hostile peers do to honest clients, and what could not be measured', () => {
    const calm = { quietMs: 2, hostileMs: 3, atLeast: false, notAnswered: 0, recoveryMs: 500 }
    const lost = { quietMs: 2, hostileMs: 5000, atLeast: true, notAnswered: 0.25, recoveryMs: null }
    assert.equal(cell({ hostile: { slow: calm } }, 'Hostile slow'), '2.00 → 3.00; 0.5 s')
    assert.equal(
      cell({ hostile: { slow: lost } }, 'Hostile slow'),
      '2.00 → > 5,000, 25.0 % not answered; not recovered'
    )
    assert.equal(
      cell({ hostile: { slow: { failure: 'it ended' } } }, 'Hostile slow'),
      'not possible: it ended'
    )
    assert.equal(cell({}, 'Hostile slow'), undefined)
  })
})
