import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { ServerWatch } from '../../../../src/scenarios/abuse/run/server-watch.js'
import { until } from '../../../until.js'

/** @param {{ control?: any, reading?: any }} target */
const watching = ({ control = null, reading = null }) => new ServerWatch({ control, reading })

/** @param {number[]} cpuMs - one after the other; the last one from then on */
function controlWith(cpuMs) {
  let looks = 0
  const seen = async () => ({
    cpuMs: cpuMs[Math.min(looks++, cpuMs.length - 1)],
    rssBytes: 7,
    longestTurnMs: 4
  })
  return { control: { seen }, looks: () => looks }
}

describe('what a server costs', { concurrency: true }, () => {
  it('is what it tells itself, where it does', async () => {
    const { control } = controlWith([12])
    assert.deepEqual(await watching({ control }).seen(), { cpuMs: 12, rssBytes: 7, longestTurnMs: 4 })
  })

  it('is not known of one that tells nothing', async () => {
    assert.deepEqual(await watching({}).seen(), { cpuMs: null, rssBytes: null, longestTurnMs: null })
  })

  it('is read of its process otherwise: the most memory since it was asked last, between readings too', async t => {
    const sizes = [5, 9, 3]
    let reads = 0
    const reading = async () => ({ cpuMs: 10 * ++reads, rssBytes: sizes.shift() ?? 2 })
    const watch = watching({ reading })
    t.after(() => watch.stop())
    await until(() => reads >= 2)
    const { cpuMs, rssBytes, longestTurnMs } = await watch.seen()
    assert.deepEqual([cpuMs, rssBytes, longestTurnMs], [10 * reads, 9, null])
    watch.stop()
    assert.equal((await watch.seen()).rssBytes, 2)
  })

  it('goes on being read after a reading that failed', async t => {
    let reads = 0
    const reading = async () => {
      if (++reads === 1) throw new Error('it has just ended')
      return { cpuMs: 1, rssBytes: 6 }
    }
    const watch = watching({ reading })
    t.after(() => watch.stop())
    await until(() => reads >= 1)
    assert.equal((await watch.seen()).rssBytes, 6)
  })
})

describe('a server is calm', { concurrency: true }, () => {
  it('once it uses next to nothing', async () => {
    const { control, looks } = controlWith([0, 100_000, 200_000, 200_000])
    await watching({ control }).calm()
    assert.equal(looks(), 4)
  })

  it('after a moment, where it does not tell what it does', async () => {
    const began = performance.now()
    await watching({}).calm()
    assert.ok(performance.now() - began > 900)
  })
})
