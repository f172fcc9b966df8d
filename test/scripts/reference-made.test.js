import assert from 'node:assert/strict'
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, it } from 'node:test'
import { ReferenceMade } from '../../scripts/parts/reference-made.js'

let folder = ''
/** Committed results, and what a row has just made. */
const reference = () => join(folder, 'reference')
const fresh = () => join(folder, 'fresh')

/** @param {string} place @param {Record<string, string>} files */
function files(place, files) {
  for (const [name, text] of Object.entries(files)) {
    mkdirSync(join(place, name, '..'), { recursive: true })
    writeFileSync(join(place, name), text)
  }
}

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'reference-made-'))
  const rows = {
    hour: { at: '2026-11-20T17:46:00.000Z', commit: null },
    perf: { at: '2026-11-22T00:00:00.000Z', commit: 'abc' }
  }
  files(reference(), {
    'made.json': JSON.stringify({ since: '2026-11-21T00:00:00.000Z', rows }),
    'hour/report.md': 'old',
    'hour/old-only.md': 'old'
  })
})
afterEach(() => rmSync(folder, { recursive: true }))

describe('a round of committed results', () => {
  it('goes on with what is older than it, or not there', () => {
    const made = new ReferenceMade(reference())
    assert.deepEqual(
      ['hour', 'perf', 'never'].map(name => made.isDone(name)),
      [false, true, false]
    )
    assert.equal(made.at('never'), null)
  })

  it('puts what was made in place of what was there, small, and goes on from there anywhere', () => {
    const document = { rows: Array.from({ length: 1000 }, (_, index) => index) }
    files(fresh(), {
      'report.md': 'new',
      'runs/1/report.html': 'of a run: not committed',
      'runs/1/result.json': JSON.stringify(document, null, 2)
    })
    new ReferenceMade(reference()).take('hour', {
      folder: fresh(),
      at: '2026-11-25T00:00:00.000Z',
      commit: 'def'
    })
    const names = readdirSync(join(reference(), 'hour'), { recursive: true })
    assert.deepEqual(names.map(String).sort(), ['report.md', 'runs', 'runs/1', 'runs/1/result.json'])
    const kept = readFileSync(join(reference(), 'hour/runs/1/result.json'), 'utf8')
    assert.equal(kept, `${JSON.stringify(document)}\n`)
    const again = new ReferenceMade(reference())
    assert.equal(again.isDone('hour'), true)
    assert.equal(again.at('hour'), '2026-11-25T00:00:00.000Z')
  })

  it('keeps of a large one what people read', () => {
    files(fresh(), { 'report.md': 'new', 'result.json': '{}', 'report.html': '<html>' })
    new ReferenceMade(reference()).take('whole-card', {
      folder: fresh(),
      at: '2026-11-25T00:00:00.000Z',
      commit: null
    })
    assert.deepEqual(readdirSync(join(reference(), 'whole-card')), ['report.md'])
  })

  it('keeps of profiles what is shown of them, not the samples', () => {
    files(fresh(), { 'a/result.json': '{}', 'a/worker-0.cpuprofile': '', 'a/worker-0.heapprofile': '' })
    const at = '2026-11-25T00:00:00.000Z'
    new ReferenceMade(reference()).take('profiles', { folder: fresh(), at, commit: null })
    assert.deepEqual(readdirSync(join(reference(), 'profiles', 'a')), ['result.json'])
  })

  it('keeps what another terminal made meanwhile', () => {
    files(fresh(), { 'report.md': 'new' })
    const [here, there] = [new ReferenceMade(reference()), new ReferenceMade(reference())]
    const at = '2026-11-25T00:00:00.000Z'
    here.take('hour', { folder: fresh(), at, commit: null })
    there.take('gossip', { folder: fresh(), at, commit: null })
    assert.deepEqual([there.at('hour'), here.at('gossip')], [at, at])
  })

  it('begins a bench anew without its table of the round before, and notes what it wrote in place', () => {
    files(reference(), { 'perf.json': '{}', 'perf.md': 'old' })
    const made = new ReferenceMade(reference())
    made.forget('perf')
    assert.equal(made.at('perf'), null)
    assert.deepEqual(
      readdirSync(reference()).filter(name => name.startsWith('perf')),
      []
    )
    made.note('perf', { at: '2026-11-25T00:00:00.000Z', commit: 'def' })
    assert.equal(made.isDone('perf'), true)
  })

  it('makes everything again when a new one is begun', () => {
    new ReferenceMade(reference()).begin('2026-11-26T00:00:00.000Z')
    const made = new ReferenceMade(reference())
    assert.deepEqual(
      ['hour', 'perf'].map(name => made.isDone(name)),
      [false, false]
    )
  })
})
