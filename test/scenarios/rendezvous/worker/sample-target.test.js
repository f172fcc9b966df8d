import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { ResourceSeries, sampleResources } from '../../../../src/measure/series.js'
import { until } from '../../../until.js'

/** A server that uses half a core. @param {number} tookMs - by a reading */
function serverReadIn(tookMs) {
  let readings = 0
  return {
    readings: () => readings,
    reading: async () => {
      readings++
      if (tookMs > 0) await sleep(tookMs)
      const atMs = performance.now()
      return { atMs, cpuMs: atMs / 2, rssBytes: 1e8 }
    }
  }
}

describe('samples of the server', () => {
  it('have a median of its CPU within half a second', async () => {
    const series = new ResourceSeries()
    const sampling = sampleResources(serverReadIn(0), series, process.hrtime.bigint())
    await until(() => series.samples.length >= 5)
    await sampling.stop()
    const { averagePercent, medianPercent, maxPercent } = series.result().cpu
    const actual = [averagePercent, medianPercent, maxPercent].map(percent => Math.round(Number(percent)))
    assert.deepEqual(actual, [50, 50, 50])
  })

  it('are fewer where a reading takes long', async () => {
    const server = serverReadIn(40)
    const sampling = sampleResources(server, new ResourceSeries(), process.hrtime.bigint())
    await sleep(1000)
    await sampling.stop()
    assert.ok(server.readings() <= 5, `${server.readings()} readings`)
  })
})
