import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { describe, test } from 'node:test'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'

const PROCESS = fileURLToPath(new URL('./pair-process.js', import.meta.url))
const run = promisify(execFile)

/** @param {Record<string, unknown>} options @returns {Promise<unknown[][]>} [ms, what, …] */
const pair = async options =>
  JSON.parse((await run(process.execPath, [PROCESS, JSON.stringify(options)])).stdout)

/** @param {unknown[][]} seen @param {string} what */
const whenOf = (seen, what) => seen.filter(([, each]) => each === what).map(([ms]) => ms)

describe('two whole libp2p nodes connect in virtual time and exchange a message', () => {
  // each time takes a process that loads all of libp2p
  for (const [security, muxer, tcp, times] of /** @type {const} */ ([
    ['noise', 'yamux', false, 2],
    ['plaintext', 'mplex', true, 1]
  ]))
    test(`${security}, ${muxer}, ${tcp ? 'with' : 'without'} congestion windows`, async () => {
      const options = { security, muxer, tcp }
      const seen = await pair(options)
      const of = (/** @type {string} */ what) => seen.filter(([, each]) => each === what)
      const [[, , encryption, multiplexer]] = of('connection')
      assert.match(String(encryption), new RegExp(`^/${security}`))
      assert.match(String(multiplexer), new RegExp(`^/${muxer}`))
      assert.equal(of('graft').length, 2, 'both have the other in their mesh, which they know by identify')
      assert.deepEqual(of('message')[0].slice(2), [1, 1000, true], 'signed, at the other node, whole')
      const [[publishedMs], [receivedMs]] = [whenOf(seen, 'published'), whenOf(seen, 'message')]
      assert.equal(Number(receivedMs) - Number(publishedMs), 100, 'after exactly the latency of the link')
      assert.deepEqual(of('left')[0].slice(2), [0, 0], 'stopped nodes leave no connection')
      for (let time = 1; time < times; time++)
        assert.deepEqual(await pair(options), seen, 'the same, and at the same times, when run again')
    })

  test('a peer that is not there refuses, one whose answer does not come in time is given up', async () => {
    const seen = await pair({ security: 'noise', muxer: 'yamux', tcp: false, dials: true })
    const errors = seen.filter(([, what]) => what === 'error')
    assert.match(String(errors[0][2]), /nobody listens at \/ip4\/10\.0\.0\.9/)
    assert.equal(errors[1][2], 'given up')
    assert.ok(whenOf(seen, 'message').length === 1, 'and the network goes on')
  })
})
