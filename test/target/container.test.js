import '../../src/kit/runtime.js'
import assert from 'node:assert/strict'
import { once } from 'node:events'
import { Duplex } from 'node:stream'
import { describe, test } from 'node:test'
import {
  openContainerReadings,
  openEngineReadings,
  pauseContainer,
  startContainerChild
} from '../../src/target/container.js'

/** @param {object} [how] @param {() => Promise<any>} [how.wait] @param {number} [how.pid] */
function started({ wait = async () => ({ StatusCode: 0 }), pid = 12 } = {}) {
  /** @type {any[]} */
  const did = []
  const stream = new Duplex({ read() {}, write: (_chunk, _encoding, done) => done() })
  const container = {
    attach: async () => stream,
    start: async () => void did.push('start'),
    inspect: async () => ({ Id: 'no such id', State: { Pid: pid } }),
    wait,
    async kill(/** @type {any} */ how) {
      did.push(how)
      throw new Error('it is being removed')
    },
    /** @type {Duplex | null} */
    statistics: null,
    async stats() {
      container.statistics = new Duplex({ read() {} })
      return container.statistics
    }
  }
  /** @type {any} */
  let created
  const docker = /** @type {any} */ ({
    async createContainer(/** @type {any} */ options) {
      created = options
      return container
    },
    modem: { demuxStream() {} }
  })
  const start = () => startContainerChild(docker, { Image: 'i', HostConfig: { Memory: 5 } }, '--nodeMemory')
  return { container: /** @type {any} */ (container), did, stream, start, options: () => created }
}

describe('a container as a child process', () => {
  test('keeps what was asked of it, and logs no messages', async () => {
    const { start, options, did } = started()
    const child = await start()
    assert.deepEqual([child.pid, did], [12, ['start']])
    const { Image, HostConfig, OpenStdin, StdinOnce } = options()
    assert.deepEqual(
      [Image, HostConfig.Memory, HostConfig.LogConfig.Type, OpenStdin, StdinOnce],
      ['i', 5, 'none', true, true]
    )
  })

  test('ends with what its process ended with', async () => {
    const { promise, resolve } = Promise.withResolvers()
    const { start, stream } = started({ wait: () => promise })
    const child = await start()
    const ended = once(child, 'exit')
    resolve({ StatusCode: 137 })
    assert.deepEqual(await ended, [null, 'signal SIGKILL'])
    assert.ok(stream.destroyed)
  })

  test('ends when the engine does not answer any more', async () => {
    const { promise, reject } = Promise.withResolvers()
    const child = await started({ wait: () => promise }).start()
    const ended = once(child, 'exit')
    reject(new Error('socket hang up'))
    assert.deepEqual(await ended, [null, 'a Docker engine that no longer responds: socket hang up'])
  })

  test('can be killed, also when it is on its way out', async () => {
    const { start, did } = started({ wait: () => new Promise(() => {}) })
    const child = await start()
    assert.deepEqual([child.kill(), child.kill('SIGKILL')], [true, true])
    assert.deepEqual(did.slice(1), [{ signal: 'SIGTERM' }, { signal: 'SIGKILL' }])
  })
})

describe('what a container uses', () => {
  test("comes from the engine where the kernel's counters are not those of the container", async () => {
    for (const pid of [2 ** 30, process.pid]) {
      const { container } = started({ pid })
      const readings = await openContainerReadings(container)
      assert.deepEqual([readings.source, readings.pid], ['engine', null])
      readings.close()
      assert.ok(container.statistics.destroyed)
    }
  })

  test('is not known where the engine gives no statistics', async () => {
    const { container } = started()
    const readings = await openEngineReadings(container)
    container.statistics.destroy()
    await assert.rejects(readings.reading(), /the engine gives no statistics of the container/)
  })
})

/** Words of an engine whose runtime is runc. */
const UNABLE = 'Cannot pause container c: OCI runtime pause failed: unable to freeze: unknown'

/** A container that is not paused so often. @param {number} refusals @param {string} message */
function container(refusals, message) {
  const asked = { times: 0 }
  const pause = async () => {
    if (asked.times++ < refusals)
      throw Object.assign(new Error(`(HTTP code 500) ${message}`), { json: { message } })
  }
  return { asked, pause }
}

describe('a container that is to be paused', () => {
  test('is asked again where the runtime gave up on a busy machine', async () => {
    const busy = container(2, UNABLE)
    await pauseContainer(busy)
    assert.equal(busy.asked.times, 3)
  })

  test('is not asked for ever', async () => {
    const stuck = container(Number.POSITIVE_INFINITY, UNABLE)
    await assert.rejects(pauseContainer(stuck), /unable to freeze/)
    assert.equal(stuck.asked.times, 5)
  })

  test('is not asked again where it cannot be paused for another reason', async () => {
    const gone = container(1, 'No such container: c')
    await assert.rejects(pauseContainer(gone), /No such container/)
    assert.equal(gone.asked.times, 1)
  })
})
