import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { PAGE } from '../../../../src/scenarios/perf/page.js'
import { baselineParts, exchangesCsv, transfersCsv } from '../../../../src/scenarios/perf/view/files.js'
import { PERF_NOTES } from '../../../../src/scenarios/perf/view/notes.js'
import { limitText, perfCells } from '../../../../src/scenarios/perf/view/table.js'
import { VIEW } from '../../../../src/scenarios/perf/view.js'
import { aPerfResult, LIBP2P, shaken } from '../a-perf-result.js'

const MOVING = { measures: 'upload', streams: '1', baselines: 'tcp', bandwidth: 'none' }
/** Two repeats by libp2p, which takes twice as long as TCP. */
const TRANSFERS = [0, 1].flatMap(repeat => [
  { repeat },
  { repeat, way: 'TCP', totalMs: 500, bytesPerSecond: 2e6, steadyBytesPerSecond: 4e6, firstByteMs: 3 }
])
const moved = () => aPerfResult(MOVING, { transfers: TRANSFERS, roundTrips: { [LIBP2P]: 2 } })

/** @param {object} verdict */
const limited = verdict => limitText(/** @type {any} */ ({ verdict }))

/** @param {any} result @param {number} [at] @returns {Record<string, string>} */
const cellsOf = (result, at = 0) => {
  const { headings, rows } = perfCells(result)
  return Object.fromEntries(headings.map((heading, i) => [heading, rows[at][i]]).reverse())
}

describe('files of what moved', () => {
  it('have a line for each transfer, empty where something is not known', () => {
    const [headings, first, second, ...rest] = transfersCsv(moved()).split('\n')
    assert.equal(
      headings,
      'way,direction,streams,repeat,bytes,totalMs,firstByteMs,bytesPerSecond,steadyBytesPerSecond,clientCpuMs,serverCpuMs,clientRssBytes,serverRssBytes'
    )
    assert.equal(first, `${LIBP2P},upload,1,0,1000000,1000,,1000000,,100,200,50000000,60000000`)
    assert.equal(second, 'TCP,upload,1,0,1000000,500,3,2000000,4000000,100,200,50000000,60000000')
    assert.deepEqual([rest.length, rest.at(-1)], [3, ''])
  })

  it('have a line for each way, direction and number of streams', () => {
    const result = moved()
    const [headings, libp2p, tcp] = exchangesCsv(result).split('\n')
    assert.match(headings, /^way,direction,streams,medianBytesPerSecond,low,high,steadyBytesPerSecond,/)
    assert.ok(libp2p.startsWith(`${LIBP2P},upload,1,1000000,,,1000000,`), libp2p)
    assert.ok(tcp.startsWith('TCP,upload,1,2000000,,,4000000,,'), tcp)
    assert.ok(tcp.endsWith(`,${limitText(result.outcome.rows[1])}`), tcp)
  })

  it('quote what has a comma, a quote or a line break in it', () => {
    const result = moved()
    result.outcome.transfers[0].way = 'a "fast", new\nway'
    assert.match(transfersCsv(result), /^"a ""fast"", new\nway",upload,1,/m)
  })
})

describe('ways against baselines', () => {
  it('are a row each, with a column for each baseline', () => {
    const [title, table] = baselineParts(moved())
    assert.equal(title, '## Steady state, model and overhead')
    const [headings, , libp2p, tcp] = table.split('\n').map(line =>
      line
        .split('|')
        .map(cell => cell.trim())
        .slice(1, -1)
    )
    assert.deepEqual(headings.slice(-2), ['Round trip ms', '× TCP'])
    assert.deepEqual(libp2p.slice(0, 4), ['upload', LIBP2P, '1', '1.00'])
    assert.deepEqual(libp2p.slice(-2), ['2.00', '2.00'])
    assert.deepEqual(tcp.slice(3), ['4.00', '–', '–', '1.00'])
  })

  it('have intervals where there are enough repeats, and a dash where a baseline did not move it', () => {
    const transfers = Array.from({ length: 6 }, (_, repeat) => [
      { repeat },
      { repeat, way: 'TCP', totalMs: 500 },
      { repeat, direction: 'download' }
    ]).flat()
    const [, table] = baselineParts(aPerfResult({ ...MOVING, measures: 'upload,download' }, { transfers }))
    assert.match(table, /\| 2\.00 \(2\.00–2\.00\) +\|/)
    assert.match(table, /download \|.*– \|$/m)
  })

  it('are none where nothing moved', () => {
    assert.deepEqual(baselineParts(aPerfResult(MOVING)), [])
  })
})

describe('what limited a row', () => {
  it('is named with how far it was reached, as far as that is known', () => {
    assert.equal(limited({ limit: 'line', side: null, reached: 0.97 }), 'line (97 %)')
    assert.equal(limited({ limit: 'round trips', side: null, reached: 2.5 }), '2.50 round trips')
    assert.equal(limited({ limit: 'CPU', side: 'server', reached: 0.9 }), 'server CPU (90 %)')
    assert.equal(limited({ limit: 'CPU', side: null, reached: null }), 'CPU')
    assert.equal(limited({ limit: 'waiting', side: null, reached: null }), 'waiting')
  })
})

describe('the table of what moved', () => {
  it('has both sides, and how many times as long as by TCP', () => {
    const cells = cellsOf(moved())
    assert.deepEqual(
      [cells.Median, cells.Slowest, cells['× TCP'], cells['95 %']],
      ['1.00 MB/s', '1.00', '2.00', '–']
    )
    assert.deepEqual([cells['CPU client / server'], cells['RSS MB']], ['100 / 200 s/GB', '50 / 60'])
  })

  it('has a dash for a side that is not known, and for TCP where it was not measured', () => {
    const unknown = { serverCpuMs: null, serverRssBytes: null }
    const cells = cellsOf(aPerfResult({ ...MOVING, baselines: 'none' }, { transfers: [unknown] }))
    assert.deepEqual(
      [cells['CPU client / server'], cells['RSS MB'], cells['× TCP']],
      ['100 / – s/GB', '50 / –', '–']
    )
  })

  it('has rows for exchanges and handshakes, and dashes where none was completed', () => {
    const failed = shaken({ failed: 10, failure: 'refused', completed: 0, times: [], serverCpuMicros: null })
    const result = aPerfResult(
      { measures: 'latency,handshakes', baselines: 'tcp' },
      {
        exchanges: [
          [
            LIBP2P,
            [
              { openMs: 1, exchangeMs: 2 },
              { openMs: 3, exchangeMs: 4 }
            ]
          ],
          ['TCP', []]
        ],
        handshakes: [
          [LIBP2P, Array(6).fill(shaken())],
          ['TCP', [failed]]
        ]
      }
    )
    const [latency, nothing, shook, none] = [0, 1, 2, 3].map(at => cellsOf(result, at))
    assert.deepEqual([latency.Measure, latency.Median, latency.Slowest], ['latency', '5.00 ms', '7.00'])
    assert.deepEqual([nothing.Median, nothing.Slowest], ['–', '–'])
    assert.deepEqual([shook.Measure, shook.Median, shook.Slowest], ['handshakes', '10.0 /s', '20.0 ms each'])
    assert.equal(shook['CPU client / server'], '5.00 / 3.00 ms')
    assert.equal(perfCells(result).rows[2][4], '10.0–10.0')
    assert.deepEqual([none.Median, none.Slowest, none['CPU client / server']], ['–', '–', '–'])
    assert.equal(perfCells(result).rows[3][4], '–')
  })

  it('has rows for files, which say of which run they are', () => {
    const { headings, rows } = VIEW.fileRows(moved(), '')
    assert.deepEqual(headings.slice(-2), ['Status', 'Run'])
    assert.deepEqual(
      rows.map(row => row.slice(-2)),
      Array(2).fill(['complete', 'run'])
    )
  })
})

describe('lines about what moved', () => {
  const reading = (/** @type {any} */ result) => PERF_NOTES.reading(result).join('\n')

  it('explain what was measured, and nothing else', () => {
    assert.match(reading(moved()), /An upload ends when.*× TCP: how many times.*Limited by: docs/s)
    assert.doesNotMatch(reading(moved()), /Latency:|The line is at the socket/)
    const alone = aPerfResult({ ...MOVING, baselines: 'none' }, { transfers: [{}] })
    assert.doesNotMatch(reading(alone), /× TCP/)
    const exchanged = aPerfResult(
      { measures: 'latency', latency: '5ms' },
      { exchanges: [[LIBP2P, [{ openMs: 1, exchangeMs: 2 }]]] }
    )
    assert.match(reading(exchanged), /^Latency: a stream is opened.*\nThe line is at the socket/)
  })

  it('say how many handshakes failed, on the page too, and how many round trips one takes', () => {
    const handshakes = /** @type {[string, object[]][]} */ ([
      [LIBP2P, [shaken({ failed: 2, failure: 'refused' })]],
      ['TCP', [shaken()]]
    ])
    const result = aPerfResult(
      { measures: 'handshakes', baselines: 'tcp' },
      { handshakes, roundTrips: { [LIBP2P]: 10 } }
    )
    const text = `${LIBP2P}: 2 of 10 handshakes failed: refused`
    assert.deepEqual(PERF_NOTES.failures(result), [text])
    assert.deepEqual(PAGE.failures(result), [{ tone: 'bad', text, to: 'figures' }])
    assert.deepEqual(PERF_NOTES.further(result), [`A handshake of ${LIBP2P} takes 2.00 round trips.`])
  })

  it('begin the page', () => {
    assert.deepEqual(PAGE.lead(moved()), [`upload 1.00 MB/s over ${LIBP2P}, 1 stream.`])
    assert.deepEqual(PAGE.lead(aPerfResult(MOVING)), ['nothing was moved.'])
  })
})
