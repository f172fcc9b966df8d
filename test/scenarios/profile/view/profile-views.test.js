import '../../../../src/node-shim.js'
import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { terminalNotes } from '../../../../src/report/notes.js'
import { hotSpotsCsv } from '../../../../src/scenarios/profile/view/csv.js'
import { DIFFERENCES } from '../../../../src/scenarios/profile/view/differences.js'
import { asRead } from '../../../report/page/parts-of-page.js'
import { headLines, reportPage, resultNotes, runList, runReport, viewOf } from '../../../report/shown.js'
import { resultFromText } from '../../../scenarios.js'
import { aProfileResult } from './a-profile-result.js'

/** @returns {import('../../../../src/scenarios/profile/profile-types.js').ProfileResult} of a run that ended before it published */
function unsampled() {
  const result = aProfileResult()
  return { ...result, outcome: { ...result.outcome, profile: null } }
}

describe('the notes of a profile', () => {
  const notes = resultNotes(aProfileResult())

  it('tell by category what CPU time was spent on, with the total where it is more', () => {
    const line =
      'CPU time by category, self (total) %: signature 37.5, gc 25.0, protobuf 25.0, gossipsub 12.5 (75.0).'
    assert.ok(notes.includes(line), notes.join('\n'))
  })

  it('tell what was sampled, and where the profiles are', () => {
    const all = notes.join('\n')
    assert.match(all, /10 samples, one due each 1 ms, of 2 processes.*busy 66\.7 % of 0\.024 s/)
    assert.match(all, /worker-0\.cpuprofile, worker-1\.cpuprofile\. They open in/)
  })

  it('say whose the times are where nodes publish as fast as they can', () => {
    assert.match(notes.join('\n'), /the machine’s, not the protocol’s/)
    const open = aProfileResult({ options: { publishers: 'random' } })
    assert.doesNotMatch(resultNotes(open).join('\n'), /as fast as this machine lets them/)
  })

  it('do without where nothing was sampled', () => {
    assert.doesNotMatch(resultNotes(unsampled()).join('\n'), /by category|Sampled|cpuprofile/)
  })
})

describe('the notes of a profile at a terminal', () => {
  const notesWith = (/** @type {string[]} */ codes) => {
    const result = aProfileResult()
    const warnings = codes.map(code => ({ code, values: { count: 1, error: 'EIO' } }))
    const warned = { ...result, run: { ...result.run, warnings } }
    return terminalNotes(warned, viewOf(warned))
  }

  it('begin with what CPU time was spent on, once', () => {
    const { notes, more } = notesWith([])
    assert.match(notes[0], /^CPU time by category/)
    assert.equal(notes.filter(note => note.startsWith('CPU time by category')).length, 1)
    assert.equal(notes.length, 3)
    assert.ok(more > 0)
  })

  it('have it after warnings, however many those are', () => {
    const { notes } = notesWith(['DIALS_FAILED', 'STREAMS_ABORTED', 'TRACES_NOT_WRITTEN', 'CLOCK_ANOMALY'])
    assert.deepEqual(
      notes.map(note => note.slice(0, 8)),
      [...notes.slice(0, 4).map(note => note.slice(0, 8)), 'CPU time']
    )
    assert.ok(notes.slice(0, 4).every(note => note.startsWith('⚠')))
  })
})

describe('what a run says it will do', () => {
  /** @param {Record<string, unknown>} options */
  const head = options => headLines({ plan: aProfileResult({ options }).plan, run: {} }, '1')[1]

  it('is sampling, for a time', () => {
    assert.match(head({}), /^20\.0 s of messages of 10 bytes from every node.*all workers sampled each 1 ms$/)
  })

  it('is sampling, until Ctrl-C', () => {
    const line = head({ duration: null })
    assert.match(line, /^until Ctrl-C, messages of 10 bytes.*all workers sampled each 1 ms$/)
  })
})

describe('the page of a profile', () => {
  it('begins with hot spots: a flame graph for three widths, and tables', async () => {
    const page = await reportPage(aProfileResult())
    assert.match(page, /Most CPU time went to signature/)
    assert.ok(page.indexOf('<h2>Hot spots</h2>') < page.indexOf('<h2>Figures</h2>'))
    assert.equal(page.match(/role="img" aria-labelledby="flame-graph-\w+-t/g)?.length, 3)
    assert.match(page, /<title>verifyOneShot · node:crypto · signature/)
    for (const title of ['By category', 'By package', 'Functions, the first 4'])
      assert.ok(page.includes(`<h3>${title}</h3>`), title)
    assert.doesNotMatch(asRead(page), /<script/)
  })

  it('has no such section where nothing was sampled', async () => {
    assert.doesNotMatch(await reportPage(unsampled()), /<h2>Hot spots|<figure class="plot flame"/)
  })
})

it('the markdown page has the tables', () => {
  const report = runReport(aProfileResult(), { folder: 'results/x' })
  assert.match(report, /## Hot spots\n\n### By category\n\n\| Category +\| Self % \| Total % \|/)
  assert.match(report, /\| encode +\| protobuf +\| protons-runtime\/dist\/src\/encode\.js:10 +\| +25\.0 \|/)
  assert.doesNotMatch(runReport(unsampled(), { folder: 'x' }), /Hot spots/)
})

it('the list of results says what CPU time went to', () => {
  const entries = [aProfileResult(), unsampled()].map(result => ({
    name: result.id,
    kind: /** @type {const} */ ('run'),
    result
  }))
  const [sampled, without] = runList(entries).split('\n').slice(2)
  assert.match(sampled, /\| CPU signature 37\.5 %, gc 25\.0 %, protobuf 25\.0 % +\|$/)
  assert.match(without, /\| MDR /)
})

it('CSV has a row for each category, package and function, with whole shares', () => {
  const lines = hotSpotsCsv(aProfileResult()).trim().split('\n')
  assert.equal(lines[0], 'by,category,package,function,url,line,selfShare,totalShare')
  assert.equal(lines[1], 'category,signature,,,,,0.375,0.375')
  assert.ok(lines.includes('package,,@libp2p/gossipsub,,,,0.125,0.75'))
  assert.ok(
    lines.includes(
      'function,gossipsub,@libp2p/gossipsub,handleReceivedRpc,@libp2p/gossipsub/dist/src/gossipsub.js,728,0.125,0.75'
    )
  )
})

describe('two profiles', () => {
  it('differ by percentage points, the greatest difference first', () => {
    const text = DIFFERENCES.text(aProfileResult(), aProfileResult({ verifyMicros: 0, id: 'unsigned' }))
    const [row] = text.split('\n').slice(4)
    assert.match(row, /^\| signature +\| +37\.5 \| +0\.0 \| +−37\.5 \| +−37\.5 \|$/)
    assert.match(text, /^base 20261120-0712-profile-7, candidate unsigned\n/)
  })

  it('cannot be compared where nothing was sampled', () => {
    assert.match(String(DIFFERENCES.missing(unsampled())), /nothing|anything was sampled/)
    assert.equal(DIFFERENCES.missing(aProfileResult()), null)
  })
})

it('a result that was written can be read again', async () => {
  const result = aProfileResult()
  assert.deepEqual(
    await resultFromText(JSON.stringify(result), 'result.json'),
    JSON.parse(JSON.stringify(result))
  )
  await assert.rejects(
    () =>
      resultFromText(JSON.stringify({ ...result, outcome: { ...result.outcome, profile: {} } }), 'r.json'),
    /outcome\.profile\.hotSpots/
  )
})

describe('allocations of a profile', () => {
  const result = aProfileResult({ allocations: true })

  it('have notes, hot spots and a flame graph of their own', async () => {
    const notes = resultNotes(result).join('\n')
    assert.match(
      notes,
      /Allocations by category, self %: gossipsub 75\.0 %, protobuf 25\.0 %\. 8(\.0+)? MB allocated/
    )
    assert.match(notes, /worker-0\.heapprofile\. They open in/)
    assert.match(
      await runReport(result, { folder: 'results/x' }),
      /## Allocations\n[\s\S]*\| gossipsub +\| +75\.0/
    )
    const page = await reportPage(result)
    assert.match(
      page,
      /id="allocation-graph"[\s\S]*handleReceivedRpc · @libp2p\/gossipsub · gossipsub · 6\.0 MB \(75\.0 %\)/
    )
  })

  it('are in the result as it is read again', async () => {
    const { outcome } = /** @type {any} */ (await resultFromText(JSON.stringify(result), 'result.json'))
    assert.deepEqual(outcome.allocations, result.outcome.allocations)
  })

  it('were not sampled in results from before they could be', async () => {
    const { profiled, ...plan } = aProfileResult().plan
    const older = await resultFromText(JSON.stringify({ ...aProfileResult(), plan }), 'result.json')
    assert.deepEqual(/** @type {any} */ (older.plan).profiled, ['cpu'])
  })

  it('are nowhere in one without them', async () => {
    assert.doesNotMatch(await reportPage(aProfileResult()), /allocation-graph/)
  })
})
