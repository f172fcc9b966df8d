import '../../../src/kit/runtime.js'
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { isFailureBeyondLimit, makeQaCommandLine } from '../../../src/studies/qa/qa-document.js'
import { aQaDocument, aTrial } from './a-qa-document.js'

describe('the command that makes a quality report again', () => {
  test('has its rates where they were given, its sizes and its lengths', () =>
    assert.equal(
      makeQaCommandLine(aQaDocument()),
      'node index.js qa rendezvous --rates 50,100 --connections 1 --duration 6s --runs 3 --steady 60s --rotation 60s'
    ))

  test('has no rates where they were raised until some were not carried', () =>
    assert.doesNotMatch(makeQaCommandLine(aQaDocument({ growth: { factor: 4, rows: 2 } })), /--rates/))

  test('has options of the runs, of those in which some come and go, and the baseline', () => {
    const line = makeQaCommandLine(
      aQaDocument({
        ...{ quick: true, options: { streamPerOperation: false, server: 'docker' }, baseline: 'results/old' },
        rotation: { options: { duration: '60s', churn: '5,every=2s' } }
      })
    )
    assert.match(line, /^node index\.js qa rendezvous --quick --rates /)
    assert.match(
      line,
      / --no-streamPerOperation --server docker .*--churn 5,every=2s --baseline results\/old$/
    )
    assert.equal(
      line.match(/--duration|60s/g)?.length,
      3,
      'the duration of the rotation stands once, as --rotation'
    )
  })

  test('has the objective where it is not the default', () =>
    assert.match(
      makeQaCommandLine(aQaDocument({ objective: ['p99 < 20ms', 'errorRate < 0.1%'] })),
      / --slo "p99 < 20ms" --slo "errorRate < 0\.1%"$/
    ))

  test('of gossip has the time within which messages are due', () => {
    const grid = { rates: [5], nodes: [10], connections: undefined }
    const line = makeQaCommandLine(aQaDocument({ scenario: 'gossip', objective: null, inTimeMs: 800, grid }))
    assert.match(line, /qa gossip --rate 5 --nodes 10 .* --inTime 800ms$/)
  })
})

const carried = aTrial(50)
const lost = aTrial(100, null)

test('a cell that failed at more than is carried is an answer', () =>
  assert.equal(isFailureBeyondLimit({ cells: [carried, lost] }, lost), true))

test('a cell that failed at a load that is carried elsewhere is a failure', () => {
  const less = aTrial(25, null)
  assert.equal(isFailureBeyondLimit({ cells: [carried, less] }, less), false)
})

test('where no cell is carried each that failed is a failure', () => {
  const beyond = aTrial(100, { achieved: 100 })
  assert.equal(isFailureBeyondLimit({ cells: [beyond, lost] }, lost), false)
  assert.equal(isFailureBeyondLimit({ cells: [lost] }, lost), false)
})

test('what did not fail, or is no cell, did not fail beyond', () => {
  const more = aTrial(100)
  assert.equal(isFailureBeyondLimit({ cells: [carried, more] }, more), false)
  assert.equal(isFailureBeyondLimit({ cells: [carried] }, lost), false)
})
