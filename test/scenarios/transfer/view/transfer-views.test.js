import '../../../../src/node-shim.js'
import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { TRANSFER_COMPARED, TRANSFER_FIGURES, wayKey } from '../../../../src/scenarios/transfer/figures.js'
import { PAGE } from '../../../../src/scenarios/transfer/page.js'
import { caseCells, caseFileRows } from '../../../../src/scenarios/transfer/view/case-table.js'
import { blocksCsv, memoryCsv } from '../../../../src/scenarios/transfer/view/csv.js'
import { transferAnswer } from '../../../../src/scenarios/transfer/view/page/transfer-answer.js'
import { TRANSFER_MATRIX } from '../../../../src/scenarios/transfer/view/transfer-matrix.js'
import { TRANSFER_NOTES } from '../../../../src/scenarios/transfer/view/transfer-notes.js'
import {
  betweenWords,
  fileLines,
  transfersInLine,
  verdictLines,
  workWords
} from '../../../../src/scenarios/transfer/view/transfer-words.js'
import { VIEW } from '../../../../src/scenarios/transfer/view.js'
import { makePlanOf } from '../../../scenarios.js'

const OPTIONS = {
  ...{ ways: 'http,stream', latencies: '50ms', bandwidths: '10mb' },
  ...{ noLatencyCase: false, unlimitedBandwidthCase: false, size: '1mb', repeats: 2 }
}
const ROUND = { latencyMs: 50, bytesPerSecond: 10e6 }
const NONE = { median: null, low: null, high: null }

/** @param {Record<string, unknown>} [options] @returns {any} */
const planned = options => {
  const { plan, problems } = makePlanOf('transfer', { ...OPTIONS, ...options })
  assert.equal(problems, undefined)
  return plan
}

/** @param {string} way @param {object} [more] */
const aCase = (way, more) => ({
  ...ROUND,
  ...{ way, batches: 2, transfers: 2, failed: 0, fairness: null, windowBytes: null },
  seconds: { median: 1234, low: 1200, high: 1300, slowest: 1400 },
  goodput: { median: 5e6, low: null, high: null },
  firstByteMs: { median: 110, slowest: 120 },
  waitMs: { median: null, slowest: null },
  ...{ connectMs: 200, roundTripMs: 100, factorToHttp: null, wirePerByte: 1.01, blocks: 1 },
  cpuSecondsPerGB: { provider: 10, requestors: 20 },
  peakBytes: { provider: 5e7, requestor: 2.5e9 },
  model: { bytesPerSecond: 10e6, limit: 'line' },
  verdict: { limit: 'line', text: 'the line: 50 % of it' },
  ...more
})

/** What is not known of a way, of which nothing arrived. */
const FAILED = {
  seconds: { ...NONE, slowest: null },
  ...{ goodput: NONE, wirePerByte: null, firstByteMs: { median: null, slowest: null } },
  cpuSecondsPerGB: { provider: null, requestors: 7 },
  peakBytes: { provider: null, requestor: null },
  model: { bytesPerSecond: null, limit: null },
  verdict: { limit: 'nothing', text: 'nothing arrived whole' }
}
const CASES = [aCase('http'), aCase('stream', { factorToHttp: { median: 2, low: 1.5, high: 3 } })]

/** @param {object} [outcome] @param {any} [plan] @returns {any} */
const resultOf = (outcome, plan = planned()) => ({
  ...{ id: 'run', status: 'complete', plan },
  outcome: {
    ...{ cases: CASES, transfers: [], files: [], leftOut: [], limits: null, blockTimes: null, memory: null },
    ...outcome
  }
})

/** @param {object} [more] */
const aTransfer = more => ({
  ...{ way: 'http', ...ROUND, repeat: 0, requestor: 0, file: 0, outcome: 'OK', error: null },
  ...more
})

describe('rows of a matrix of transfers', () => {
  const row = /** @type {any} */ ({ plan: planned() })
  const cells = (/** @type {any} */ line) => TRANSFER_MATRIX.columns([]).map(({ cell }) => cell(line))

  it('are one for each way in each round', () => {
    const lines = TRANSFER_MATRIX.lines(row, resultOf({ cases: [...CASES, aCase('blocks', FAILED)] }))
    assert.deepEqual(lines.map(cells), [
      ['1MB', '50 ms, 10MB/s', 'http', '1,234', '1,400', '5.00', '–', 'the line: 50 % of it'],
      ['1MB', '50 ms, 10MB/s', 'stream', '1,234', '1,400', '5.00', '2.00', 'the line: 50 % of it'],
      ['1MB', '50 ms, 10MB/s', 'blocks', '–', '–', '–', '–', 'nothing arrived whole']
    ])
  })

  it('are dashes of a run that has no result, or nothing in it', () => {
    for (const result of [undefined, resultOf({ cases: [] })])
      assert.deepEqual(TRANSFER_MATRIX.lines(row, result).map(cells), [['1MB', ...Array(7).fill('–')]])
  })

  it('are told how many there are, and of how many repeats', () => {
    const results = [resultOf(), resultOf()]
    assert.equal(TRANSFER_MATRIX.lead(results), '2 rows of transfers were measured.')
    assert.match(TRANSFER_MATRIX.setting(results)[0], /^- Each row: 2 repeats of each way/)
    assert.match(TRANSFER_MATRIX.setting([])[0], /^- Each row: 0 repeats/)
  })
})

describe('the table of ways', () => {
  const cellsOf = (/** @type {any} */ table, /** @type {number} */ at) =>
    Object.fromEntries(
      table.headings.map((/** @type {string} */ heading, /** @type {number} */ i) => [
        heading,
        table.rows[at][i]
      ])
    )

  it('has intervals where they are known, and dashes for what is not', () => {
    const table = caseCells(resultOf({ cases: [...CASES, aCase('blocks', FAILED)] }))
    const [, stream, failed] = [0, 1, 2].map(at => cellsOf(table, at))
    assert.equal(stream.Seconds, '1,234 (1,200 to 1,300)')
    assert.equal(stream['MB/s'], '5.00')
    assert.equal(stream['× http'], '2.00 (1.50 to 3.00)')
    assert.equal(stream['Peak MB'], '50 / 2,500')
    for (const heading of ['Seconds', 'Slowest', 'MB/s', 'Model MB/s', 'Wire/byte', 'Peak MB'])
      assert.equal(failed[heading], '–', heading)
    assert.equal(failed['CPU s/GB'], '– / 7.00')
  })

  it('has no times where collections of memory came between', () => {
    const cells = cellsOf(caseCells(resultOf({}, planned({ memorySnapshots: 'detailed' }))), 1)
    for (const heading of ['Seconds', 'MB/s', '× http', 'CPU s/GB', 'Limited by'])
      assert.equal(cells[heading], '–', heading)
    assert.equal(cells['Wire/byte'], '1.010')
  })

  it('writes numbers of files without commas, and says of which run they are', () => {
    const cells = cellsOf(VIEW.fileRows(resultOf(), ''), 0)
    assert.deepEqual(VIEW.fileRows(resultOf(), ''), caseFileRows(resultOf()))
    assert.equal(cells.Seconds, '1234 (1200 to 1300)')
    assert.deepEqual([cells.Size, cells.Status, cells.Run], ['1000000', 'complete', 'run'])
  })
})

describe('a plan of transfers in words', () => {
  it('says what is moved', () => {
    assert.equal(workWords(planned()), '1 file of 1MB by http, stream, in 1 round, 2 repeats each')
  })

  it('says between whom, over what, and what was left out', () => {
    assert.deepEqual(betweenWords(planned()), [
      'one provider, 1 requestor, a process each',
      'libp2p over tcp with noise',
      'blocks in memory'
    ])
    const other = {
      ...{ store: 'car', transport: 'quic' },
      leftOut: [{ way: 'blocks', why: 'it needs more' }]
    }
    assert.deepEqual(betweenWords({ ...planned(), ...other }).slice(1), [
      'libp2p over quic',
      'blocks in a CAR file',
      'left out: it needs more'
    ])
    assert.equal(betweenWords({ ...planned(), store: 'disk' })[2], 'blocks on disk')
  })

  it('says what came of the hardest round, also of a way that never ended', () => {
    const easy = aCase('http', { latencyMs: 0 })
    const result = resultOf({ cases: [easy, aCase('http'), aCase('stream', FAILED)] })
    assert.equal(transfersInLine(result), '50 ms, 10MB/s: http 1,234 s, stream –')
    assert.deepEqual(transferAnswer(result).figures, [
      ['Median, http', '1,234 s'],
      ['Median, stream', '–']
    ])
    assert.equal(transfersInLine(resultOf({ cases: [] })), 'nothing was transferred')
  })

  it('says what limited each way, unless times say nothing', () => {
    assert.deepEqual(verdictLines(resultOf({ cases: CASES.slice(0, 1) })), [
      '50 ms, 10MB/s, http: the line: 50 % of it.'
    ])
    assert.deepEqual(verdictLines(resultOf({}, planned({ memorySnapshots: 'detailed' }))), [])
  })

  it('names the root of what was moved', () => {
    const file = { root: 'bafy1', blocks: 3 }
    assert.deepEqual(fileLines(resultOf({ files: [file] })), ['1 file of 3 blocks; root bafy1.'])
    assert.deepEqual(fileLines(resultOf({ files: [file, { root: 'bafy2', blocks: 3 }] })), [
      '2 files of 3 blocks; root of the first bafy1.'
    ])
    assert.deepEqual(fileLines(resultOf()), [])
  })
})

describe('lines about transfers', () => {
  const reading = (/** @type {any} */ result) => TRANSFER_NOTES.reading(result).join('\n')

  it('say how many repeats would give intervals, or what stands in brackets', () => {
    assert.match(reading(resultOf()), /No intervals with 2 repeats: --repeats 6 gives them\./)
    assert.match(reading(resultOf()), /The line is at the socket/)
    assert.match(reading(resultOf({}, planned({ repeats: 6 }))), /In brackets: the 95 % interval/)
    assert.match(reading(resultOf({}, planned({ memorySnapshots: 'detailed' }))), /No times: collections/)
    assert.equal(reading(resultOf({ cases: [] })), '')
  })

  it('say what was left out, and what lay between the sides', () => {
    const namespaces = [
      {
        ...{ ...ROUND, links: [], router: null, dropped: 0, step: 'netem', ladder: [] },
        congestionControl: { found: 'cubic' }
      }
    ]
    const lines = reading(resultOf({ namespaces, leftOut: [{ way: 'blocks', why: 'it needs more' }] }))
    assert.match(lines, /^50 ms, 10MB\/s: TCP of the kernel \(cubic\) between network namespaces/m)
    assert.match(lines, /^Left out: it needs more\.$/m)
    assert.doesNotMatch(lines, /The line is at the socket/)
  })

  it('count transfers that failed, and name the first, on the page too', () => {
    const failed = aTransfer({ way: 'stream', requestor: 2, outcome: 'CORRUPT', error: 'a byte differs' })
    const result = resultOf({ transfers: [aTransfer(), failed] })
    assert.deepEqual(TRANSFER_NOTES.failures(result), [
      '1 transfer of 2 failed. The first: stream, requestor 2: a byte differs'
    ])
    assert.deepEqual(PAGE.failures(result), [
      { tone: 'bad', text: '1 of 2 transfers failed.', to: 'figures' }
    ])
    const fine = resultOf({ transfers: [aTransfer()] })
    assert.deepEqual([TRANSFER_NOTES.failures(fine), PAGE.failures(fine)], [[], []])
  })

  it('say how far limits of the provider were reached, and how fair it was', () => {
    const limits = {
      ...{ inProgressRequests: { limit: 6, most: 4 }, waitingRequests: 1 },
      memoryPerPeerBytes: { limit: 16e6, most: 3e6 },
      memoryTotalBytes: { limit: 256e6, most: 12e6 }
    }
    const cases = [aCase('http', { fairness: 0.9876 }), aCase('stream', { fairness: 1 })]
    assert.deepEqual(TRANSFER_NOTES.further(resultOf({ limits, cases })), [
      'Limits of the provider, and what was reached: 4 of 6 requests in progress, 3.00 MB of 16.0 MB for a requestor, 12.0 MB of 256 MB for all; 1 request waited at once.',
      "Fairness to requestors (Jain's index of goodput): 0.988 or better in every round."
    ])
    assert.deepEqual(TRANSFER_NOTES.further(resultOf()), [])
  })
})

describe('files of what was looked at', () => {
  it('have a row for each block and each reading of memory', () => {
    const block = { way: 'blocks', ...ROUND, transfer: 't', cid: 'c', queuedMs: 1, sentMs: 2, receivedMs: 3 }
    assert.equal(
      blocksCsv(resultOf({ blockTimes: [{ ...block, storedMs: null }] })).split('\n')[1],
      'blocks,50,10000000,t,c,1,2,3,'
    )
    const bytes = { residentBytes: 3, heapBytes: 2, externalBytes: 1 }
    const reading = {
      way: 'http',
      ...ROUND,
      repeat: 0,
      side: 'provider',
      blocks: null,
      before: bytes,
      after: bytes
    }
    assert.equal(
      memoryCsv(resultOf({ memory: [reading] })).split('\n')[1],
      'http,50,10000000,0,provider,,3,2,1,3,2,1'
    )
  })

  it('have headings alone, and are not written, where nothing was looked at', () => {
    assert.equal(blocksCsv(resultOf()).split('\n').length, 2)
    assert.equal(memoryCsv(resultOf()).split('\n').length, 2)
    const written = (/** @type {any} */ result) =>
      VIEW.csv.filter(({ when = () => true }) => when(result)).map(({ file }) => file)
    assert.deepEqual(written(resultOf()), ['cases.csv', 'transfers.csv'])
    assert.deepEqual(written(resultOf({ blockTimes: [], memory: [] })).slice(2), ['blocks.csv', 'memory.csv'])
  })
})

describe('figures of transfers', () => {
  const read = (/** @type {string} */ name, /** @type {any} */ { outcome }) =>
    /** @type {any} */ (TRANSFER_FIGURES.find(figure => figure.name === name)).read(outcome)

  it('are those of the round where a way does worst', () => {
    const other = {
      seconds: { median: 2, low: null, high: null, slowest: 3 },
      goodput: { median: 4e6, low: null, high: null },
      ...{ firstByteMs: { median: 7, slowest: 8 }, waitMs: { median: 1, slowest: 9 }, wirePerByte: 1.5 },
      ...{ cpuSecondsPerGB: { provider: 30, requestors: 1 }, fairness: 0.5 },
      factorToHttp: { median: 6, low: null, high: null }
    }
    const result = resultOf({ cases: [...CASES, aCase('stream', other)] })
    const expected = {
      ...{ total: 1_234_000, slowest: 1_400_000, firstByte: 110, wait: 9, goodput: 4, factorToHttp: 6 },
      ...{ wirePerByte: 1.5, providerCpu: 30, requestorCpu: 20, fairness: 0.5 }
    }
    for (const [name, value] of Object.entries(expected))
      assert.equal(read(`${name}.stream`, result).value, value, name)
    assert.equal(read('total.stream', result).samples, 2)
  })

  it('are none of a way that was not measured, or never arrived', () => {
    assert.match(read('total.blocks', resultOf()).missing, /blocks was not measured/)
    const failed = resultOf({ cases: [aCase('http', FAILED)] })
    for (const name of ['total.http', 'slowest.http', 'goodput.http'])
      assert.match(read(name, failed).missing, /there is none of http/, name)
  })

  it('are none that no run has: http is no multiple of itself', () => {
    const names = TRANSFER_FIGURES.map(({ name }) => name)
    assert.deepEqual(
      ['factorToHttp.http', 'factorToHttp.https'].map(name => names.includes(name)),
      [false, true]
    )
  })

  it('count transfers that failed', () => {
    const transfers = [aTransfer(), aTransfer({ outcome: 'TIMEOUT' })]
    assert.deepEqual(read('failedTransfers', resultOf({ transfers })), { value: 1, samples: 2 })
    assert.match(read('failedTransfers', resultOf()).missing, /nothing was transferred/)
  })

  it('are in runs that have the way, which are compared with others of the same ways', () => {
    assert.equal(wayKey('libp2p-http'), 'libp2pHttp')
    const { lacks } = /** @type {any} */ (TRANSFER_FIGURES.find(({ name }) => name === 'total.stream'))
    assert.deepEqual([lacks(planned()), lacks(planned({ ways: 'http' }))], [null, 'stream among --ways'])
    const lackOf = (/** @type {string} */ name, /** @type {object} */ more) =>
      /** @type {any} */ (TRANSFER_FIGURES.find(figure => figure.name === name)).lacks({
        ...planned(),
        ...more
      })
    // its bytes are not counted
    assert.equal(lackOf('wirePerByte.stream', { transport: 'quic' }), 'another --transport than quic')
    assert.equal(lackOf('wirePerByte.http', { transport: 'quic' }), null)
    assert.equal(lackOf('fairness.http', { requestors: 2 }), null)
    assert.deepEqual(/** @type {any} */ (TRANSFER_COMPARED.same).ways(planned()), ['http', 'stream'])
  })
})
