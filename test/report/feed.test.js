import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { DashboardFeed } from '../../src/report/page.js'
import { descriptionSchema } from '../../src/report/schema.js'
import { sampleDescription } from './sample-description.js'

/** @param {number} second */
const at = second => new Date(Date.parse('2026-11-28T08:00:00Z') + second * 1000).toISOString()

/** @param {string} run @param {object} [more] */
const started = (run, more) => ({
  type: 'start',
  run,
  at: at(0),
  scenario: 'rendezvous',
  says: 'REGISTER · 4 clients',
  units: { p99: 'ms' },
  ...more
})

/** @param {string} run @param {number} second */
const progress = (run, second) => ({
  ...{
    type: 'progress',
    run,
    at: at(second),
    done: second * 1000,
    total: 10_000,
    unit: 'ms',
    etaMs: 10_000 - second * 1000
  },
  ...{ ratePerSecond: 100 + second, p50Ms: 1, p99Ms: 4, cpuPercent: null, rssBytes: 120e6 }
})

/** @param {string} run @param {object} [more] */
const ended = (run, more) => ({
  type: 'end',
  run,
  at: at(10),
  status: 'complete',
  reason: null,
  figures: { p99: 4 },
  thresholds: [],
  folder: `results/${run}`,
  ...more
})

/** @param {DashboardFeed} feed */
const shown = feed => {
  const { description, head } = feed.state()
  descriptionSchema.parse(description)
  return {
    ...description,
    ...head,
    ids: [...description.tables, ...description.plots].map(({ id }) => id),
    says: head.statements.map(({ text }) => text)
  }
}

describe('feed of a dashboard', () => {
  test('before the first line there is a state', () =>
    assert.match(shown(new DashboardFeed()).headline, /^Waiting/))

  test('a run is described from its lines while it goes on', () => {
    const feed = new DashboardFeed()
    feed.add(started('r'))
    feed.add({ type: 'phase', run: 'r', phase: 'measure', title: 'measuring', state: 'begin', atMs: 900 })
    for (let second = 1; second < 4; second++) feed.add(progress('r', second))
    feed.add({
      type: 'sample',
      run: 'r',
      figures: { p99: 4.2 },
      atLeast: ['p99'],
      thresholds: [{ text: 'p99 < 3ms', passed: false }]
    })
    feed.add({ type: 'warning', run: 'r', message: 'The server is not sampled.' })
    const { headline, tiles, ids, says, warnings, tables } = shown(feed)
    assert.equal(headline, 'REGISTER · 4 clients')
    assert.deepEqual(
      tiles.map(([, value]) => value),
      [103, 1, 4, null]
    )
    assert.deepEqual(ids, ['live-phases', 'live-figures', 'live-rate', 'live-times', 'live-memory'])
    assert.deepEqual(says, ['Running: measuring, 3.0 s of 10.0 s, 7.0 s left.', 'p99 < 3ms failed'])
    assert.deepEqual(tables[1].rows, [['p99', { atLeast: 4.2 }, 'ms']])
    assert.equal(warnings[0].text, 'The server is not sampled.')
  })

  test('the description of a result takes its place; its course goes once the run is over', () => {
    const feed = new DashboardFeed()
    feed.add(started('r'))
    feed.add(progress('r', 1))
    feed.describe('r', sampleDescription)
    assert.ok(shown(feed).ids.includes('live-rate'))
    assert.equal(shown(feed).headline, sampleDescription.headline)
    feed.add(ended('r'))
    assert.ok(!shown(feed).ids.includes('live-rate'))
    assert.deepEqual(shown(feed).says, ['Complete.', 'The result is in results/r.'])
  })

  test('a study has a line for each of its runs, and shows the one that goes on', () => {
    const feed = new DashboardFeed()
    feed.add({ type: 'study', run: 'matrix-1', state: 'begin', at: at(0) })
    feed.add(started('a', { label: 'one', index: 1, total: 2 }))
    feed.add(ended('a', { status: 'partial', reason: { code: 'X', message: 'stopped' } }))
    feed.add(started('b', { label: 'two', index: 2, total: 2 }))
    const { title, tables } = shown(feed)
    assert.equal(title, 'matrix-1 · run 2 of 2 · two')
    assert.deepEqual(tables.at(-1)?.rows, [
      [1, 'one', 'Partial: stopped.'],
      [2, 'two', 'Running: starting.']
    ])
  })

  test('series stay short however long a run takes', () => {
    const feed = new DashboardFeed()
    feed.add(started('r'))
    for (let second = 0; second < 5000; second++) feed.add(progress('r', second))
    const [series] = shown(feed).plots[0].series ?? []
    assert.ok(series.values.length <= 300)
    assert.equal(series.values.at(-1)?.[0], 4999)
  })

  test('pages get the state at once, then at most one a second, and the last one when it ends', async t => {
    t.mock.timers.enable({ apis: ['setTimeout'] })
    const feed = new DashboardFeed()
    /** @type {any[]} */
    const states = []
    /** @type {() => void} */
    let close = () => {}
    const read = (/** @type {string} */ text) => states.push(JSON.parse(text.slice('data: '.length)))
    const page = {
      writableLength: 0,
      write: read,
      on() {},
      once: (/** @type {string} */ _name, /** @type {() => void} */ then) => {
        close = then
      },
      end: (/** @type {string} */ text) => {
        read(text)
        close()
      }
    }
    feed.add(started('r'))
    feed.answer().stream?.(/** @type {any} */ (page))
    t.mock.timers.tick(1000)
    for (let second = 1; second < 50; second++) feed.add(progress('r', second))
    assert.equal(states.length, 2)
    t.mock.timers.tick(1000)
    assert.equal(states.length, 3)
    await feed.end()
    assert.deepEqual(
      states.map(({ over }) => over),
      [false, false, false, true]
    )
  })
})
