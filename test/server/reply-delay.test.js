import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { encodeDiscover } from '../../src/protocol/rendezvous.js'
import { readServerOptions } from '../../src/server/options.js'
import { waitExactly } from '../../src/server/rendezvous-server.js'
import { makePeer, startService } from './harness.js'

describe('a delay of replies', () => {
  it('ends with the clock, not with a timer', async () => {
    let ms = 0
    let turns = 0
    await waitExactly(1.5, () => {
      turns++
      ms += 0.1
      return ms
    })
    assert.ok(turns >= 15 && turns <= 18, `${turns}`)
  })

  it('is none by default, and takes a time with its unit', () => {
    assert.equal(readServerOptions().replyDelayMs, 0)
    assert.equal(readServerOptions({}, { RENDEZVOUS_REPLY_DELAY: '1.25ms' }).replyDelayMs, 1.25)
  })

  it('is waited for before a reply is handed over, and counts in its duration', async () => {
    /** @type {number[]} */
    const durations = []
    const { open } = await startService({
      now: () => performance.now(),
      replyDelayMs: 20,
      onOperation: (_operation, _status, durationMs) => durations.push(durationMs)
    })
    const client = await open(await makePeer())
    await client.ask(encodeDiscover({ ns: 'chess' }))
    assert.ok(durations[0] >= 20, `${durations}`)
  })
})
