import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { OwnMemoryWatch } from '../../src/measure/resources.js'

/** A process whose memory and collections are ours to say. */
function process_() {
  const usage = { rss: 100, heapUsed: 50, external: 5 }
  /** @type {Set<() => void>} */
  const listeners = new Set()
  return {
    usage,
    listeners,
    collect: (/** @type {number} */ left) => {
      usage.heapUsed = left
      for (const listener of listeners) listener()
    },
    components: {
      usage: () => ({ ...usage }),
      observe: (/** @type {() => void} */ listener) => {
        listeners.add(listener)
        return () => void listeners.delete(listener)
      }
    }
  }
}

describe('the memory of a process of ours', () => {
  it('in use is that just after a garbage collection, not what came since', () => {
    const { usage, collect, components } = process_()
    const watch = new OwnMemoryWatch(components)
    assert.deepEqual(watch.read(), { residentBytes: 100, inUseBytes: null })
    collect(20)
    Object.assign(usage, { rss: 120, heapUsed: 90 })
    assert.deepEqual(watch.read(), { residentBytes: 120, inUseBytes: 25 })
  })

  it('is told once of each collection, and of several the last', () => {
    const { collect, components } = process_()
    const watch = new OwnMemoryWatch(components)
    collect(20)
    collect(30)
    assert.equal(watch.read().inUseBytes, 35)
    assert.equal(watch.read().inUseBytes, null)
  })

  it('is watched no longer than asked for', () => {
    const { listeners, components } = process_()
    const watch = new OwnMemoryWatch(components)
    assert.equal(listeners.size, 1)
    watch.stop()
    assert.equal(listeners.size, 0)
  })

  it('is that of this one, after a collection that took place', async () => {
    setFlagsFromString('--expose-gc')
    const collect = runInNewContext('gc')
    const watch = new OwnMemoryWatch()
    try {
      /** @type {number | null} */
      let inUse = null
      for (let tries = 0; inUse === null && tries < 100; tries++) {
        collect()
        await sleep(10)
        inUse = watch.read().inUseBytes
      }
      const { heapUsed, external } = process.memoryUsage()
      assert.ok(inUse !== null && inUse > 1e6 && inUse < 2 * (heapUsed + external), `${inUse}`)
      assert.ok(watch.read().residentBytes > inUse)
    } finally {
      watch.stop()
    }
  })
})
