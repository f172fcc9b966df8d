import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { stripVTControlCharacters } from 'node:util'
import { collector, sampleResult } from './sample-result.js'
import { liveProgress, plainProgress, progressLine, terminalReport } from './shown.js'

/**
 * @typedef {import('../../src/report/schema.js').RunRecord} RunRecord
 * @typedef {import('../../src/report/schema.js').ProgressRecord} ProgressRecord
 */

const result = sampleResult({
  options: { nClients: 100, initialRegistrations: 10_000, workers: 1, seed: 7, server: 'process' }
})

/** @type {ProgressRecord} */
const MEASURING = {
  type: 'progress',
  phase: 'measure',
  done: 1312,
  total: 2000,
  unit: 'operations',
  ratePerSecond: 1240.4,
  p50Ms: 71,
  p99Ms: 140.2,
  cpuPercent: 96,
  rssBytes: 112e6,
  etaMs: 554
}

/** @type {RunRecord[]} */
const RUN = [
  { type: 'start', id: result.id, plan: result.plan, run: result.run },
  { type: 'phase', name: 'setup', state: 'begin', atMs: 0 },
  { type: 'phase', name: 'setup', state: 'done', atMs: 912, detail: '/ip4/127.0.0.1/tcp/8000' },
  { type: 'phase', name: 'preload', state: 'begin', atMs: 912 },
  { type: 'phase', name: 'preload', state: 'done', atMs: 1312, detail: 'cached identities' },
  { type: 'phase', name: 'measure', state: 'begin', atMs: 2000 },
  MEASURING,
  { type: 'phase', name: 'measure', state: 'failed', atMs: 75_000, detail: 'the server died' }
]

const LINES = [
  'libp2p-loadtest 0.1.0 · rendezvous · seed 7 · Node 20.20.2 · 2 cores',
  'REGISTER (refresh) for 10.0 s · 100 clients · our server, tuned, in a process',
  '✔ server ready                  0.9 s   /ip4/127.0.0.1/tcp/8000',
  '✔ 10,000 registrations          0.4 s   cached identities',
  '✖ measuring broken off     1 min 13 s   the server died'
]

test('without a terminal each phase has a line with its duration and detail', () => {
  /** @type {string[]} */
  const lines = []
  const progress = plainProgress({ write: line => void lines.push(line), version: '0.1.0', now: () => 0 })
  for (const record of RUN) progress.add(record)
  assert.deepEqual(lines, LINES)
})

test('without a terminal a phase that goes on has at most one line in two seconds', () => {
  /** @type {string[]} */
  const lines = []
  let nowMs = 0
  const progress = plainProgress({ write: line => void lines.push(line), version: '0.1.0', now: () => nowMs })
  progress.add(RUN[0])
  const heads = lines.length
  for (nowMs = 0; nowMs < 10_000; nowMs += 100) progress.add(MEASURING)
  assert.equal(lines.length - heads, 4)
  assert.equal(
    lines.at(-1),
    '  measuring   1,312 / 2,000   1,240 op/s   p50 71.0 ms   p99 140 ms   server 96 % · 112 MB   ETA 0.6 s'
  )
})

describe('the line of a phase that goes on', () => {
  /** @type {[string, Partial<ProgressRecord>, string][]} */
  const cases = [
    ['has a bar', {}, 'x   █████░░░   1,312 / 2,000'],
    ['never has more than a full bar', { done: 2100 }, 'x   ████████   2,100 / 2,000'],
    ['has none where the end is open', { total: null }, 'x   1,312'],
    [
      'tells time of what passes',
      { unit: 'ms', done: 1500, total: 90_000 },
      'x   ░░░░░░░░   1.5 s / 1 min 30 s'
    ],
    ['names what is counted', { unit: 'registrations' }, 'x   █████░░░   1,312 / 2,000 registrations'],
    [
      'leaves out the unknown',
      { cpuPercent: null, rssBytes: null, etaMs: null },
      'x   █████░░░   1,312 / 2,000'
    ],
    ['tells memory alone', { rssBytes: 1.5e9 }, 'x   █████░░░   1,312 / 2,000   server 1,500 MB']
  ]
  for (const [what, parts, line] of cases)
    test(what, () => {
      const { type, phase, done, total, unit } = MEASURING
      assert.equal(progressLine('x', { type, phase, done, total, unit, ...parts }, { withBar: true }), line)
    })
})

test('on a terminal the phases stay as lines with check marks and the measuring line moves', async () => {
  const stream = /** @type {any} */ (collector())
  Object.assign(stream, { isTTY: true, columns: 200, clearLine() {}, cursorTo() {}, moveCursor() {} })
  const progress = liveProgress({ stream, version: '0.1.0' })
  for (const record of RUN) {
    progress.add(record)
    if (record === MEASURING) await new Promise(resolve => setTimeout(resolve, 200))
  }
  progress.notice('stopping')
  progress.close()
  const text = stripVTControlCharacters(stream.text())
  for (const line of LINES) assert.ok(text.includes(`${line}\n`), `${line}\nis not in\n${text}`)
  assert.match(text, /measuring {3}█████░░░ {3}1,312 \/ 2,000 {3}1,240 op\/s/)
  assert.match(text, /stopping\n$/)
})

describe('at the end', () => {
  /**
   * @param {{ json?: boolean, quiet?: boolean }} output
   * @param {RunRecord[]} records
   */
  async function shown(output, records) {
    const [stdout, stderr] = [collector(), collector()]
    const report = await terminalReport({
      stdout,
      stderr,
      output: { json: false, quiet: false, ...output },
      version: '0.1.0',
      folder: 'results/x'
    })
    for (const record of records) report.add(record)
    report.close()
    return { stdout: stdout.text(), stderr: stderr.text() }
  }
  const partial = sampleResult({
    result: { status: 'partial', reason: { code: 'SERVER_DIED', message: 'it died' } }
  })

  test('stdout has tables, headline and folder; progress went to stderr', async () => {
    const { stdout, stderr } = await shown({}, [...RUN, { type: 'result', result }])
    assert.match(stdout, /^\n\| Type .*\n\nREGISTER \(refresh\) 250\/s .*; none failed\.\n/s)
    assert.match(
      stdout,
      /\n\nresults\/x\/ {3}report\.html · result\.json\nrepeat: node index\.js rerun results\/x\n$/
    )
    assert.equal(stderr, `${LINES.join('\n')}\n`)
  })

  test('--quiet leaves the table', async () => {
    const { stdout, stderr } = await shown({ quiet: true }, [...RUN, { type: 'result', result }])
    assert.match(stdout, /^\| Type [^\n]*\n[^\n]*\n\| REGISTER [^\n]*\n$/)
    assert.equal(stderr, '')
  })

  test('--json leaves the document on stdout', async () => {
    const { stdout, stderr } = await shown({ json: true }, [...RUN, { type: 'result', result }])
    assert.deepEqual(JSON.parse(stdout), JSON.parse(JSON.stringify(result)))
    assert.equal(stderr, `${LINES.join('\n')}\n`)
  })

  test('a run that broke off shows what was known, and why', async () => {
    assert.match((await shown({}, [{ type: 'partial', result: partial }])).stdout, /Partial result: it died/)
    for (const output of [{ quiet: true }, { json: true }])
      assert.equal(
        (await shown(output, [{ type: 'partial', result: partial }])).stderr,
        'partial result: it died\n'
      )
  })

  test('a run of which nothing is known shows nothing', async () => {
    assert.deepEqual(await shown({}, []), { stdout: '', stderr: '' })
  })
})
