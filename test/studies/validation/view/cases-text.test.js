import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { CASES_STUDY } from '../../../../src/studies/validation/cases-study.js'
import { judgeFigures } from '../../../../src/studies/validation/result/judge-measures.js'

/** @param {'p50' | 'hops'} name @param {number} ratio @param {number} runs */
const measure = (name, ratio, runs) => {
  const real = Array.from({ length: runs }, (_, i) => 2 + i / 1000)
  return judgeFigures({ name, real, simulated: real.map((x, i) => x * ratio * (1 + (i % 3) / 1000)) }, 0.05)
}

/** @param {ReturnType<typeof measure>[]} measures */
const verdict = measures => ({
  passed: measures.every(({ verdict }) => verdict === 'agrees'),
  measures,
  conditions: [{ name: /** @type {const} */ ('machine'), figure: 2, limit: 0, met: false }],
  counter: [{ what: /** @type {const} */ ('latency'), verdict: /** @type {const} */ ('differs') }]
})

/** @param {string} name @param {ReturnType<typeof verdict> | null} own @returns {import('../../../../src/studies/validation/result/cases-document.js').CaseRecord} */
const aCase = (name, own) => ({
  name,
  status: own === null ? 'pending' : 'complete',
  reason: null,
  runs: own === null ? 0 : 10,
  seeds: 10,
  tookMs: null,
  verdict: own
})

const CASES = [
  aCase('alike', verdict([measure('p50', 1, 10), measure('hops', 1.01, 10)])),
  aCase('apart', verdict([measure('p50', 1.3, 10), measure('hops', 1, 10)])),
  aCase('open', verdict([measure('p50', 1, 4), measure('hops', 1, 10)])),
  aCase('later', null)
]

/** @type {import('../../../../src/studies/validation/result/cases-document.js').CasesDocument} */
const DOCUMENT = {
  schemaVersion: 1,
  id: 'x',
  status: 'partial',
  reason: null,
  startedAt: '',
  finishedAt: null,
  list: 'list.yaml',
  cases: CASES
}

describe('a list of cases', () => {
  const text = CASES_STUDY.text(DOCUMENT, DOCUMENT, 'results/x')
  const rows = text
    .split('\n')
    .filter(line => line.startsWith('|'))
    .slice(2)
    .map(line => line.split('|').map(cell => cell.trim()))

  test('says of each whether it agrees, differs, or what would decide it', () => {
    assert.deepEqual(
      rows.map(([, name, runs, verdict]) => [name, runs, verdict]),
      [
        ['alike', '10 of 10', 'agrees'],
        ['apart', '10 of 10', 'differs'],
        ['open', '10 of 10', 'undecided']
      ]
    )
    assert.match(rows[1][4], /^p50 of latency, in L 1\.30$/)
    assert.match(rows[2][5], /^p50 of latency, in L: 6 more runs needed$/)
  })

  test('says of how many nothing was run, and how to go on', () => {
    assert.match(text, /^- Not run: 1 of 4; node index\.js gossip --validate --resume goes on/m)
    const document = { ...DOCUMENT, cases: CASES.slice(3) }
    const ofNone = CASES_STUDY.text(document, document, 'results/x')
    assert.match(ofNone, /^- Not run: 1 of 1;/m)
    assert.doesNotMatch(ofNone, /^\|/m)
  })

  test('says of one that was broken off that it was', () => {
    const document = { ...DOCUMENT, cases: [{ ...CASES[3], runs: 3 }] }
    assert.match(CASES_STUDY.text(document, document, 'results/x'), /^\| later +\| +3 of 10 \| broken off/m)
  })

  test('says what else it was that the figures are of', () => {
    assert.deepEqual(rows[0].slice(6, 8), ['noticed', 'Doubtful runs'])
  })

  test('passes only where every case does', () => {
    /** @param {number[]} places */
    const verdictOf = places =>
      CASES_STUDY.verdict({ ...DOCUMENT, cases: places.map(i => CASES[i]) }, DOCUMENT)
    for (const place of [1, 2]) assert.equal(verdictOf([0, place]).notMet, true)
    assert.deepEqual(verdictOf([0]), { notMet: false, undecided: false })
    assert.deepEqual(verdictOf([0, 3]), { notMet: false, undecided: true })
    assert.match(CASES_STUDY.inLine(DOCUMENT)[1], /1 agrees, 1 differs, 1 undecided, 1 without a verdict/)
  })
})
