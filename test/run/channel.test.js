import '../../src/kit/runtime.js'
import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { EventEmitter, once } from 'node:events'
import { describe, it } from 'node:test'
import { setImmediate as turn } from 'node:timers/promises'
import { Channel } from '../../src/run/channel.js'

/** A process that says it is ready, and then nothing. */
const IDLE_WORKER = `process.on('message', () => {}); process.send({ id: 0, method: 'ready', args: [] })`

/** One end of a connection between processes: what is sent here arrives there, as a copy and a turn later. */
class FakePort extends EventEmitter {
  connected = true
  /** @type {FakePort | null} */
  other = null
  /** @type {Error | null} the other end is gone, though nobody noticed yet */
  broken = null

  /** @param {unknown} message @param {(error: Error | null) => void} [callback] */
  send = (message, callback) => {
    const { broken } = this
    const copy = structuredClone(message)
    setImmediate(() => {
      if (broken == null) this.other?.emit('message', copy)
      else if (callback == null) this.emit('error', broken)
      callback?.(broken)
    })
    return true
  }

  disconnect() {
    for (const port of [this, this.other]) {
      if (port == null) continue
      port.connected = false
      port.emit('disconnect')
    }
  }
}

function portPair() {
  const [near, far] = [new FakePort(), new FakePort()]
  near.other = far
  far.other = near
  return { near, far }
}

/**
 * @param {import('../../src/run/channel.js').Handlers} [handlers] - at the far end
 * @param {import('../../src/run/channel.js').Handlers} [ownHandlers]
 */
function channelTo(handlers = {}, ownHandlers = {}) {
  const { near, far } = portPair()
  return { near, far, channel: new Channel(near, ownHandlers), back: new Channel(far, handlers) }
}

/** @type {(code: string, message?: RegExp) => (error: any) => boolean} */
const withCode =
  (code, message = /./) =>
  error => {
    assert.equal(error.code, code)
    assert.match(error.message, message)
    return true
  }

describe('a call to another process', () => {
  it('gives what was returned there', async () => {
    const { channel } = channelTo({ add: (/** @type {number} */ a, /** @type {number} */ b) => a + b })
    assert.equal(await channel.call('add', 2, 3), 5)
  })

  it('carries big integers, typed arrays and nothing at all', async () => {
    const { channel } = channelTo({ echo: (/** @type {unknown} */ value) => value })
    for (const value of [10n, Float64Array.of(1.5), undefined, null, { a: [1] }]) {
      assert.deepEqual(await channel.call('echo', value), value)
    }
  })

  it('waits for what takes time there, while others overtake it', async () => {
    const slow = Promise.withResolvers()
    const { channel } = channelTo({ slow: () => slow.promise, fast: () => 'fast' })
    const waiting = channel.call('slow')
    assert.equal(await channel.call('fast'), 'fast')
    slow.resolve('slow')
    assert.equal(await waiting, 'slow')
  })

  it('goes in both directions at once', async () => {
    const { channel, back } = channelTo({ here: () => 'far' }, { here: () => 'near' })
    assert.deepEqual(await Promise.all([channel.call('here'), back.call('here')]), ['far', 'near'])
  })

  it('may call back before it returns', async () => {
    const { near, far } = portPair()
    /** @type {Channel} */
    const back = new Channel(far, { work: async () => (await back.call('ask')) * 2 })
    assert.equal(await new Channel(near, { ask: () => 21 }).call('work'), 42)
  })
})

describe('a call fails', () => {
  it('with the error thrown there, its message and code', async () => {
    const { channel } = channelTo({
      fail: () => {
        throw Object.assign(new Error('no server'), { code: 'REFUSED' })
      }
    })
    await assert.rejects(channel.call('fail'), withCode('REFUSED', /no server/))
  })

  it('with an error rejected there that has no code', async () => {
    const { channel } = channelTo({ fail: () => Promise.reject(new TypeError('odd')) })
    await assert.rejects(channel.call('fail'), /odd/)
  })

  it('with where it was thrown', async () => {
    const { channel } = channelTo({
      fail: function farAway() {
        throw new Error('x')
      }
    })
    await assert.rejects(channel.call('fail'), error =>
      /farAway/.test(`${/** @type {Error} */ (error).stack}`)
    )
  })

  for (const thrown of ['a string', undefined, null, 7]) {
    it(`even when what was thrown is ${thrown}`, async () => {
      const { channel } = channelTo({
        fail: () => {
          throw thrown
        }
      })
      await assert.rejects(
        channel.call('fail'),
        error => error instanceof Error && error.message === `${thrown}`
      )
    })
  }

  it('when there is no such function, and names it', async () => {
    await assert.rejects(channelTo().channel.call('dance'), /dance/)
  })

  it('when its arguments cannot be sent', async () => {
    await assert.rejects(
      channelTo().channel.call('x', () => {}),
      /could not be cloned/
    )
  })

  it('when the result cannot be sent', async () => {
    const { channel } = channelTo({ f: () => () => {} })
    await assert.rejects(channel.call('f'), /could not be cloned/)
  })

  it('when the other process is gone already', async () => {
    const { channel, near } = channelTo()
    near.disconnect()
    await assert.rejects(channel.call('run'), withCode('ERR_CHANNEL_CLOSED', /run/))
  })

  it('when the other process goes before it answers, with all others under way', async () => {
    const { channel, near } = channelTo({ never: () => new Promise(() => {}) })
    const calls = [channel.call('never'), channel.call('never')]
    near.disconnect()
    for (const call of calls) await assert.rejects(call, withCode('ERR_CHANNEL_CLOSED'))
  })

  it('when the other process is gone and nobody noticed yet', async () => {
    const { channel, near } = channelTo()
    near.broken = Object.assign(new Error('write EPIPE'), { code: 'EPIPE' })
    await assert.rejects(channel.call('abort'), withCode('ERR_CHANNEL_CLOSED'))
  })

  it('with a real process that was killed this very moment, and takes nothing down with it', async () => {
    const child = spawn(process.execPath, ['-e', IDLE_WORKER], {
      stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
      serialization: 'advanced'
    })
    const ready = Promise.withResolvers()
    const exited = once(child, 'exit')
    const channel = new Channel(child, { ready: ready.resolve })
    await ready.promise
    child.kill('SIGKILL')
    // the loop does not turn, so that nobody is told
    Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 100)
    await assert.rejects(channel.call('abort'), withCode('ERR_CHANNEL_CLOSED'))
    await exited
  })
})

describe('an answer', () => {
  it('to a process that is gone is not sent', async () => {
    const slow = Promise.withResolvers()
    const { channel, far, near } = channelTo({ slow: () => slow.promise })
    const call = channel.call('slow')
    await turn()
    near.disconnect()
    let sent = 0
    far.send = () => {
      sent++
      return true
    }
    slow.resolve(1)
    await assert.rejects(call)
    await turn()
    assert.equal(sent, 0)
  })

  it('to a process of which nobody noticed yet that it is gone is lost quietly', async () => {
    const { channel, far } = channelTo({ f: () => 1 })
    far.broken = new Error('write EPIPE')
    const call = channel.call('f')
    for (let i = 0; i < 4; i++) await turn()
    far.disconnect()
    await assert.rejects(call, withCode('ERR_CHANNEL_CLOSED'))
  })

  it('that nobody waits for is passed over, and so is what is none', async () => {
    const { channel, far } = channelTo({ f: () => 'mine' })
    for (const stray of [{ id: 99, result: 'stray' }, null, 'ready', 7, {}]) far.send(stray)
    assert.equal(await channel.call('f'), 'mine')
  })
})
