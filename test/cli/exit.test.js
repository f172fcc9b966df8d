import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { refuse } from '../../src/cli/exit.js'
import { collector } from '../report/sample-result.js'

const PROBLEMS = [
  {
    flag: '--threshold',
    value: 'nope.p99=3',
    allowed:
      'has no such figure; there are errorRate, throughput, p50, p90, p95, p99 and max of each operation'
  }
]

/** @param {{ isTTY?: boolean, columns?: number }} terminal */
function refusal(terminal) {
  const stderr = { ...collector(), ...terminal }
  assert.equal(refuse('compare', PROBLEMS, /** @type {any} */ ({ stderr })), 2)
  return stderr.text()
}

describe('what keeps a command from starting', () => {
  test('is broken between words on a terminal, indented below its flag', () => {
    const lines = refusal({ isTTY: true, columns: 80 }).trimEnd().split('\n')
    for (const line of lines) assert.ok(line.length <= 80, line)
    assert.ok(lines.length > 3)
    assert.match(lines[1], /^ {2}--threshold nope\.p99=3 {2}has no such/)
    assert.match(lines[2], /^ {4}\S/)
    assert.match(lines.join(' ').replace(/\s+/g, ' '), /errorRate, throughput, p50, p90, p95, p99 and max/)
  })

  test('is a line a problem in a file or a pipe', () => {
    assert.equal(refusal({}).trimEnd().split('\n').length, 3)
  })
})
