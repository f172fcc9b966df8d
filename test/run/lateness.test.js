import assert from 'node:assert/strict'
import { existsSync } from 'node:fs'
import { describe, it } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { LatenessWatch, startHiccupWatch } from '../../src/run/lateness.js'

const LINUX = {
  skip: existsSync('/proc/self/schedstat') ? false : 'this system has no /proc/<pid>/schedstat'
}
const SINCE_0 = { sinceBegin: (/** @type {number} */ ms) => ms }

/** @param {number} ms */
function work(ms) {
  const until = performance.now() + ms
  while (performance.now() < until);
}

describe('the thread that looks for hiccups', () => {
  it('sleeps again and again, and tells what it found also when it is stopped', async () => {
    let [count, max] = [0, 0]
    const watch = startHiccupWatch(data => {
      count += data.count
      max = Math.max(max, data.max)
    })
    await watch.ready
    const beganMs = performance.now()
    await sleep(300)
    await watch.stop()
    const mostSleeps = (performance.now() - beganMs) / 15 + 20
    assert.ok(count > 0 && count <= mostSleeps, `${count} sleeps`)
    assert.ok(max > 0)
  })
})

describe('who could be late', () => {
  it(
    'is told of each process: its own work and its waiting for a core, of one that is not here nothing',
    LINUX,
    async () => {
      const watch = new LatenessWatch(
        [
          { name: 'busy', pid: () => process.pid },
          { name: 'waiting for what is due', pid: () => process.pid, activeMs: () => 0 },
          { name: 'elsewhere', pid: () => null }
        ],
        SINCE_0
      )
      await watch.ready
      work(150)
      await watch.stop()
      const { processes, hiccups, series } = watch.result()
      const names = processes.map(({ name }) => name)
      assert.deepEqual(names, ['busy', 'waiting for what is due', 'elsewhere'])
      const [busy, idle, elsewhere] = processes
      assert.ok(Number(busy.ownPercent) > 0 && Number(busy.ownPercent) <= 101, `${busy.ownPercent} %`)
      assert.ok(busy.waitedPercent !== null)
      assert.equal(idle.ownPercent, 0)
      assert.deepEqual([elsewhere.ownPercent, elsewhere.waitedPercent], [null, null])
      assert.ok(hiccups.count > 0)
      // one when it is stopped, on a machine that is busy one of a second before
      assert.ok(series.length >= 1)
      assert.ok(series.some(({ hiccupMs }) => hiccupMs > 0))
    }
  )

  it(
    'is told in no more than 600 points, however long a run, and the longest hiccup stays',
    LINUX,
    async t => {
      t.mock.timers.enable({ apis: ['setInterval'] })
      let own = 0
      const watch = new LatenessWatch([{ name: 'one', pid: () => process.pid, activeMs: () => own }], SINCE_0)
      t.after(() => watch.stop())
      for (let second = 0; second < 1500; second++) {
        own += 0.001
        t.mock.timers.tick(1000)
      }
      const { series } = watch.result()
      assert.ok(series.length >= 300 && series.length <= 600, `${series.length} points`)
      assert.ok(series.every(({ atMs }, i) => i === 0 || atMs > series[i - 1].atMs))
    }
  )
})
