import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { ServerWatch } from '../../../../src/scenarios/rendezvous/hostile/hostile-peers.js'
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

const UNKNOWN = { cpuPercent: null, rssBytes: null, longestTurnMs: null }

describe('what a server costs', { concurrency: true }, () => {
  it('is what it says itself, where it does: CPU since it was asked last', async () => {
    const { control } = controlWith([12, 12 + 1e6])
    const watch = watching({ control })
    assert.deepEqual(await watch.cost(), { cpuPercent: null, rssBytes: 7, longestTurnMs: 4 })
    const { cpuPercent } = await watch.cost()
    assert.ok(Number(cpuPercent) > 1e6, String(cpuPercent))
  })

  it('is not known of one that says nothing', async () => {
    const watch = watching({})
    assert.deepEqual(await watch.cost(), UNKNOWN)
    assert.equal(await watch.memory(), null)
  })

  it('is read of its process otherwise: the most memory since it was asked last, between readings too', async t => {
    const sizes = [5, 9, 3]
    let reads = 0
    const reading = async () => ({ cpuMs: 10 * ++reads, rssBytes: sizes.shift() ?? 2 })
    const watch = watching({ reading })
    t.after(() => watch.stop())
    await until(() => reads >= 2)
    const { rssBytes, longestTurnMs } = await watch.cost()
    assert.deepEqual([rssBytes, longestTurnMs], [9, null])
    watch.stop()
    assert.equal((await watch.cost()).rssBytes, 2)
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
    assert.equal((await watch.cost()).rssBytes, 6)
  })
})

describe('a server is calm', { concurrency: true }, () => {
  it('once it uses little more than without hostile peers', async () => {
    const { control, looks } = controlWith([0, 100_000, 200_000, 200_000])
    assert.equal(await watching({ control }).calm(30), true)
    assert.equal(looks(), 4)
  })

  it('after a moment, where it does not say what it does', async () => {
    const began = performance.now()
    assert.equal(await watching({}).calm(0), true)
    assert.ok(performance.now() - began > 900)
  })
})
