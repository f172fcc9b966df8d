import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { stripVTControlCharacters } from 'node:util'
import { makeStudyProgress } from '../../src/cli/progress.js'
import { collector, sampleResult } from '../report/sample-result.js'
import { liveProgress, viewOf } from '../report/shown.js'

const { id, plan, run } = sampleResult()
/** @type {import('../../src/report/schema.js').RunRecord} */
const START = { type: 'start', id, plan, run }
/** @type {import('../../src/report/schema.js').RunRecord} */
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

/**
 * @typedef {import('../../src/cli/progress.js').RunPlace} RunPlace
 * @typedef {import('../../src/report/schema.js').RunRecord} RunRecord
 */

const { plan: planStudyProgress } = sampleResult()

/** @param {string} id @param {number} index @param {Partial<RunPlace['row']>} [parts] @returns {RunPlace} */
const place = (id, index, parts = {}) => ({
  row: { id, plan: planStudyProgress, status: 'complete', reason: null, tookMs: 1000, ...parts },
  ...{ index, total: 2, etaMs: 60_000, paceKnown: true }
})
const FAILED = { status: /** @type {const} */ ('failed'), reason: { code: 'X', message: 'it died' } }

/** @type {RunRecord} */
const MEASURING = { type: 'phase', name: 'measure', state: 'begin', atMs: 0 }

/** @param {{ quiet?: boolean, isTTY?: boolean, columns?: number }} how */
async function shownStudyProgress({ quiet = false, isTTY = false, columns = 120 }) {
  const stream = Object.assign(/** @type {any} */ (collector()), {
    ...{ isTTY, columns, clearLine() {}, cursorTo() {}, moveCursor() {} }
  })
  const progress = await makeStudyProgress({ stream, quiet, viewOf })
  return { progress, text: () => stripVTControlCharacters(stream.text()) }
}

describe('how a study goes on', () => {
  test('without a terminal has a line when a run begins and one when it ends', async () => {
    const { progress, text } = await shownStudyProgress({})
    progress.begin(place('a', 1))
    progress.add(MEASURING)
    progress.notice('stopping')
    progress.end(place('a', 1), null)
    progress.end(place('b', 2, FAILED), null)
    progress.close()
    assert.deepEqual(text().split('\n'), [
      '  1/2  a   ETA 1 min 0 s',
      'stopping',
      '✔ 1/2  a   1.0 s',
      '✖ 2/2  b   1.0 s   failed: it died',
      ''
    ])
  })

  test('is told nobody who wants quiet', async () => {
    for (const isTTY of [true, false]) {
      const { progress, text } = await shownStudyProgress({ quiet: true, isTTY })
      progress.begin(place('a', 1))
      progress.add(MEASURING)
      progress.notice('stopping')
      progress.end(place('a', 1), null)
      progress.close()
      assert.equal(text(), '')
    }
  })

  test('on a terminal has a moving line for each run that goes on, also of several side by side', async () => {
    const { progress, text } = await shownStudyProgress({ isTTY: true })
    const [first, second] = [place('a', 1), place('b', 2)]
    progress.begin(first)
    progress.begin(second)
    progress.add(MEASURING, first)
    progress.add({ type: 'progress', phase: 'measure', done: 5, total: 10, unit: 'operations' }, second)
    progress.end(first, sampleResult())
    const after = text().split('✔')[1]
    assert.match(after, /^ 1\/2 {2}a .*REGISTER/)
    assert.match(after, /2\/2 {2}b {3}in all: ETA 1 min 0 s {3}measuring {3}5 \/ 10/)
    assert.doesNotMatch(after.slice(after.indexOf('\n')), /1\/2 {2}a/)
    progress.end({ ...second, row: { ...second.row, ...FAILED } }, null)
    progress.close()
    assert.match(text(), /✖ 2\/2 {2}b .*failed: it died\n/)
  })

  test('on a narrow terminal says when all will have ended, and breaks no figure', async () => {
    const { progress, text } = await shownStudyProgress({ isTTY: true, columns: 80 })
    progress.begin(place('a', 1))
    progress.add({
      ...{ type: 'progress', phase: 'measure', done: 1200, total: 5000, unit: 'operations' },
      ...{ ratePerSecond: 812, p50Ms: 1.25, p99Ms: 12.5 }
    })
    progress.notice('said')
    progress.close()
    const [line] = text()
      .split('\n')
      .filter(each => each.includes('measuring'))
    assert.match(line, /1\/2 {2}a {3}in all: ETA 1 min 0 s {3}measuring {3}1,200 \/ 5,000 {3}812 \S+$/)
  })

  test('on a terminal leaves out what says nothing of it, and what is of no run that goes on', async () => {
    const { progress, text } = await shownStudyProgress({ isTTY: true })
    progress.add(MEASURING)
    progress.add(MEASURING, place('a', 1))
    assert.equal(text(), '')
    progress.begin(place('a', 1))
    progress.add(/** @type {any} */ ({ type: 'interval' }))
    progress.add({ type: 'phase', name: 'measure', state: 'done', atMs: 5 })
    progress.notice('said')
    progress.close()
    assert.match(text(), /said\n/)
    assert.doesNotMatch(text(), /measur/)
  })
})
