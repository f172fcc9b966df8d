import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { checkEveryMs, UsageMeter } from '../../../src/network/real-host.js'

describe('how often a node process looks how long its turns are', () => {
  it('is each 5 ms where it has a core', () => {
    assert.equal(checkEveryMs(1, 2), 5)
    assert.equal(checkEveryMs(2, 2), 5)
  })

  it('is so often in all processes of a core, so that looking costs a core no more', () => {
    assert.equal(checkEveryMs(30, 2), 75)
  })

  it('is 10 times a second at least', () => assert.equal(checkEveryMs(1000, 2), 100))
})

describe('the longest turn', () => {
  it('is what a check comes late by', async () => {
    const meter = new UsageMeter({}, 5)
    const untilMs = performance.now() + 100
    while (performance.now() < untilMs);
    const { maxTurnMs } = meter.take()
    meter.stop()
    assert.ok(maxTurnMs >= 80, `${maxTurnMs} ms`)
  })
})
