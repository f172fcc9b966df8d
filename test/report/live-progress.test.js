import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { stripVTControlCharacters } from 'node:util'
import { collector, sampleResult } from './sample-result.js'
import { liveProgress } from './shown.js'

const { id, plan, run } = sampleResult()
/** @type {import('../../src/report/schema.js').Record_} */
const START = { type: 'start', id, plan, run }
/** @type {import('../../src/report/schema.js').Record_} */
const BEGIN = { type: 'phase', name: 'measure', state: 'begin', atMs: 0 }

function shown() {
  const stream = /** @type {any} */ (collector())
  Object.assign(stream, { isTTY: true, columns: 100, clearLine() {}, cursorTo() {}, moveCursor() {} })
  const progress = liveProgress({ stream, version: '0.1.0' })
  return { progress, text: () => stripVTControlCharacters(stream.text()) }
}

describe('a run on a terminal', () => {
  test('shows nothing of a run that has not begun', () => {
    const { progress, text } = shown()
    progress.add(BEGIN)
    progress.add({ type: 'progress', phase: 'measure', done: 5, total: 10, unit: 'operations' })
    progress.close()
    assert.equal(text(), '')
  })

  test('says what is told between phases and no moving line, and goes on with one that moves', () => {
    const { progress, text } = shown()
    progress.notice('before')
    assert.equal(text(), 'before\n')
    progress.add(START)
    progress.add(BEGIN)
    progress.notice('meanwhile')
    const [during, after] = text().split('meanwhile\n')
    assert.match(during, /measuring/)
    assert.match(after, /measuring/)
    progress.add({ type: 'phase', name: 'measure', state: 'done', atMs: 1500 })
    progress.close()
    assert.match(text(), /✔ .*1\.5 s\n/)
  })

  test('leaves out records that say nothing of how far it has come', () => {
    const { progress, text } = shown()
    progress.add(START)
    const before = text()
    progress.add(/** @type {any} */ ({ type: 'interval' }))
    progress.close()
    assert.equal(text(), before)
  })
})
