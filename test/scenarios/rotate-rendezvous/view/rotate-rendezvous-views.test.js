import '../../../../src/node-shim.js'
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { compact } from '../../../../src/result/compact.js'
import {
  peerLivesCsv,
  peerRotationCsv,
  registrationsCsv
} from '../../../../src/scenarios/rotate-rendezvous/view/csv.js'
import {
  appendix,
  headLines,
  MATRIX_SCENARIOS,
  phaseWords,
  reportPage,
  resultNotes,
  resultTable,
  runList,
  runMetrics,
  runReport
} from '../../../report/shown.js'
import { resultFromText } from '../../../scenarios.js'
import { aRotateRendezvousResult } from './a-rotate-rendezvous-result.js'

/** @typedef {import('../../../../src/scenarios/rotate-rendezvous/rotate-rendezvous-types.js').RotateRendezvousResult} RotateRendezvousResult */

/** @returns {RotateRendezvousResult} of a run that ended before it measured */
function unmeasured() {
  const result = aRotateRendezvousResult()
  return { ...result, outcome: { ...result.outcome, operations: {}, measuredMs: 0, rotation: null } }
}

/** @param {Partial<import('../../../../src/scenarios/rotate-rendezvous/rotate-rendezvous-types.js').RotateRendezvous>} parts */
function rotatedWith(parts) {
  const result = aRotateRendezvousResult()
  const rotation = /** @type {NonNullable<typeof result.outcome.rotation>} */ (result.outcome.rotation)
  return { ...result, outcome: { ...result.outcome, rotation: { ...rotation, ...parts } } }
}

/** @param {Parameters<typeof rotatedWith>[0]} parts */
const notesWith = parts => resultNotes(rotatedWith(parts)).join('\n')

const { rotation } = aRotateRendezvousResult().outcome
const { lives, discovered, left, visible, firstDiscovery } = /** @type {NonNullable<typeof rotation>} */ (
  rotation
)

/** @param {string} csv */
const lines = csv => csv.trim().split(/\r?\n/)

test('a result of rotating peers can be read as it was written', async () => {
  for (const result of [aRotateRendezvousResult(), unmeasured()])
    assert.deepEqual(
      await resultFromText(JSON.stringify(result), 'result.json'),
      JSON.parse(JSON.stringify(result))
    )
})

test('a run says what will rotate, and what a DISCOVER asks for', () => {
  const { plan, run } = aRotateRendezvousResult()
  assert.match(
    headLines({ plan, run }, '1')[1],
    /^12\.0 s of DISCOVER at 1\.00\/s · 4 stable and 2 ephemeral peers, one of these killed each 4\.0 s and replaced after 2\.0 s · each DISCOVER asks for everything, without cookie · server/
  )
  assert.equal(phaseWords('connect', plan).done, '6 peers registered')
})

test('the table tells of peers, and of no registrations that were there before', () => {
  const [head] = resultTable(aRotateRendezvousResult()).split('\n')
  assert.match(head, /^\| Operation +\| Peers +\| Ops/)
  assert.doesNotMatch(head, /Registrations/)
})

describe('the notes of rotating peers', () => {
  const notes = resultNotes(aRotateRendezvousResult()).join('\n')

  for (const [what, pattern] of /** @type {[string, RegExp][]} */ ([
    [
      'how times count',
      /DISCOVER is due at 1\.00\/s from all places .* REGISTER and CONNECT count from when they were sent\. Each DISCOVER asks for everything/
    ],
    [
      'what rotated',
      /^Rotated: 4 stable and 2 ephemeral peers.*; registrations in 1 namespace that hold for 4\.0 s, renewed each 2\.0 s\. 2 peers were killed and 2 started/m
    ],
    ['the first discovery', /^From its start to its first discovery a peer took 40\.0 ms on average/m],
    [
      'when registrations were seen',
      /^2 of 2 new registrations were seen by another peer, 70\.0 ms after the reply to REGISTER on average/m
    ],
    [
      'what was left',
      /^Killed peers left 2 registrations, 2 of which expired within the measurement; .* before the end of its time to live .*; none was given to a DISCOVER sent after that\.$/m
    ],
    [
      'what was stale',
      /^\d+\.\d\d % of \d+ records in replies to DISCOVER were stale, .*; without duplicates 0 % of \d+\.$/m
    ],
    [
      'duplicates',
      /^\d+ records were duplicates: \d+ given to the same discoverer again, \d+ so too after the peer had registered again, 0 twice in one reply\.$/m
    ],
    ['the pace', /^150 operations per minute\.$/m],
    ['what was cut off', /^1 operation was cut off by the kill of their peer|^1 operation was cut off/m]
  ]))
    test(`tell ${what}`, () => assert.match(notes, pattern))

  test('say that only what is new is asked for where cookies are used', () => {
    const result = aRotateRendezvousResult()
    const told = resultNotes({ ...result, plan: { ...result.plan, cookies: true } }).join('\n')
    assert.match(told, /\. Each DISCOVER but the first asks for what is new, by cookie\.$/m)
  })

  test('say so where nobody was found, seen or left behind, and leave out what there is none of', () => {
    const told = notesWith({
      firstDiscovery: { ...firstDiscovery, never: firstDiscovery.count },
      visible: { ...visible, registrations: 0 },
      left: { ...left, registrations: 0, expired: 0, expiryLag: null },
      discovered: {
        ...discovered,
        replies: 1,
        withDuplicates: { ...discovered.withDuplicates, records: 0, stale: 0 }
      },
      operationsPerMinute: null,
      cutOff: 0
    })
    assert.match(told, /^None of the new peers discovered another one\.$/m)
    assert.match(told, /^No new peer registered\.$/m)
    assert.match(told, /^Killed peers left 0 registrations, 0 of which expired within the measurement\.$/m)
    assert.match(told, /^1 reply to DISCOVER held no record of another peer\.$/m)
    assert.doesNotMatch(told, /duplicates|per minute|cut off|null|NaN/)
  })

  test('tell of new registrations that nobody saw, and why', () => {
    const told = notesWith({ visible: { ...visible, seen: 1, killedUnseen: 3, endedUnseen: 4 } })
    assert.match(told, /ms at most; not seen: 3 until the peer was killed, 4 until the end\.$/m)
    assert.doesNotMatch(notes, /not seen/)
  })

  test('tell of registrations that were given out after their end', () => {
    const lag = /** @type {NonNullable<typeof left.expiryLag>} */ (left.expiryLag)
    const late = { ...lag, median: 120, max: 1500 }
    const told = notesWith({ left: { ...left, expiryLag: late, overdue: 2 } })
    assert.match(
      told,
      /120 ms after the end of its time to live \(median; at the latest 1,500 ms after the end of its time to live\); 2 were given to a DISCOVER sent after that\.$/m
    )
  })

  test('tell of peers that did not reach the server', () => {
    const told = notesWith({ lives: { ...lives, failed: 1 } })
    assert.match(told, /started in their places, 1 of them without reaching the server\.$/m)
  })

  test('do without where nothing was measured', () => {
    assert.doesNotMatch(resultNotes(unmeasured()).join('\n'), /Rotated|stale|duplicates/)
  })
})

describe('the page of rotating peers', () => {
  test('shows registrations, stale records and times, with the times in which a place was empty', async () => {
    const page = await reportPage(aRotateRendezvousResult())
    for (const id of ['registrations', 'stale-records', 'visible-delay', 'first-discovery', 'last-seen'])
      assert.ok(page.includes(`id="${id}"`), id)
    assert.match(page, /a place is empty/)
    assert.match(page, /counted by the server/)
    assert.match(page, /with duplicates.*without duplicates/s)
    assert.match(page, /Meanwhile 2 peers were killed and 2 started/)
    assert.match(page, /id="outcomes"/)
  })

  test('is one without a rotation where nothing was measured', async () => {
    const page = await reportPage(unmeasured())
    assert.doesNotMatch(page, /id="rotation"/)
    assert.match(page, /No operation was measured/)
  })

  test('leaves out the line of the server where it does not say what it holds', async () => {
    const result = aRotateRendezvousResult()
    for (const point of result.outcome.rotation?.series ?? []) point.server = null
    assert.doesNotMatch(await reportPage(result), /counted by the server/)
  })
})

test('the markdown page has the same tables', () => {
  const page = runReport(aRotateRendezvousResult(), { folder: 'results/x' })
  assert.match(page, /## Rotation\n\n### From the start of a peer, ms\n/)
  assert.match(page, /### Last given out, from the end of its time to live, ms\n/)
  assert.match(page, /\| twice in one reply +\| +0 \|/)
  assert.match(page, /node index\.js rotate rendezvous --stable 4/)
})

describe('CSV of rotating peers', () => {
  test('has a row for each ephemeral peer', () => {
    const [head, ...rows] = lines(peerLivesCsv(aRotateRendezvousResult()))
    assert.match(head, /^node,slot,startDueMs,startedMs,connectedMs,registeredMs,firstDiscoveryMs,killDueMs/)
    assert.deepEqual(rows, [
      '4,4,,,,,,4000,4000,',
      '5,5,,,,,,8000,8000,',
      '6,4,6000,6000,6020,6030,6040,,,',
      '7,5,10000,10000,10020,10030,10040,,,'
    ])
  })

  test('has a row for each point of the time line, and one with all figures', () => {
    const [head, first] = lines(registrationsCsv(aRotateRendezvousResult()))
    assert.equal(head, 'atMs,server,living,dead,replies,records,stale')
    assert.equal(first, '600,6,6,0,1,5,0')
    const [names, values] = lines(peerRotationCsv(aRotateRendezvousResult())).map(line => line.split(','))
    assert.equal(values.length, names.length)
    for (const [name, value] of [
      ['lives.killed', '2'],
      ['visible.registrations', '2'],
      ['visible.delay.known.avg.ms', '70'],
      ['left.registrations', '2'],
      ['left.overdue', '0'],
      ['discovered.duplicates.inOneReply', '0']
    ])
      assert.equal(values[names.indexOf(name)], value, name)
  })
})

test('CSV of a run that measured nothing has no rows', () => {
  assert.equal(lines(peerLivesCsv(unmeasured())).length, 1)
  assert.equal(lines(registrationsCsv(unmeasured())).length, 1)
  assert.equal(peerRotationCsv(unmeasured()).trim(), '')
})

test('an output file gets a row for each operation', () => {
  assert.match(appendix('', aRotateRendezvousResult()), /REGISTER[\s\S]*DISCOVER/)
})

test('a list of runs says how many peers came and went, and what was stale', () => {
  const list = runList(
    [{ kind: 'run', name: 'x', result: aRotateRendezvousResult() }].map(entry => /** @type {any} */ (entry))
  )
  assert.match(list, /% of records stale; 2 peers were killed and 2 started in their places/)
})

test('a list of runs leaves out stale records where there were no records, and has a dash where nothing was measured', () => {
  const inLine = (/** @type {RotateRendezvousResult} */ result) =>
    runList([/** @type {any} */ ({ kind: 'run', name: 'x', result })])
  const none = { ...discovered.withDuplicates, records: 0, stale: 0 }
  const list = inLine(rotatedWith({ discovered: { ...discovered, withDuplicates: none } }))
  assert.match(list, /DISCOVER p50 .* ms, p99 .* ms; 2 peers were killed/)
  assert.doesNotMatch(list, /stale/)
  assert.match(inLine(unmeasured()), /\| –\s*\|?$/m)
})

test('Prometheus is told of the operations', async () => {
  const metrics = runMetrics()
  metrics.add({ type: 'result', result: aRotateRendezvousResult() })
  assert.match(await metrics.text(), /loadtest_operations_total\{type="DISCOVER",outcome="OK"\} 500/)
})

test('a compact result has no time line', () => {
  assert.deepEqual(compact(aRotateRendezvousResult()).outcome.rotation?.series, [])
})

test('the table of a matrix tells what rotated and what was stale, and says where nothing was measured', () => {
  const { columns, lines, setting, lead } = MATRIX_SCENARIOS['rotation-rendezvous']
  const result = aRotateRendezvousResult()
  const row = /** @type {any} */ ({ plan: result.plan })
  const cells = (/** @type {any} */ measured) =>
    Object.fromEntries(
      lines(row, measured).flatMap(line => columns([row]).map(({ heading, cell }) => [heading, cell(line)]))
    )
  const { Killed, TTL, Overdue, ...others } = cells(result)
  assert.deepEqual([Killed, TTL, Overdue], ['2', '4.0 s', '0'])
  assert.match(others['Stale with/without duplicates'], /^\d+\.\d\d % \/ 0 %$/)
  assert.equal(cells(undefined).Killed, '–')
  assert.match(setting([result]).join('\n'), /DISCOVER counts from when it was due/)
  assert.match(lead([result]), /6 peers, some of which are killed/)
})

test('times between machines stand with what their clocks may be off by', () => {
  const result = aRotateRendezvousResult()
  const warnings = [{ code: 'CLOCKS_APART', values: { errorMs: 0.37 } }]
  const told = runReport({ ...result, run: { ...result.run, warnings } }, { folder: 'results/x' })
  assert.match(told, /### Registrations, ms ± 0\.370\n/)
  assert.match(runReport(result, { folder: 'results/x' }), /### Registrations, ms\n/)
})
