import assert from 'node:assert/strict'
import fs from 'node:fs'
import { syncBuiltinESMExports } from 'node:module'
import { describe, mock, test } from 'node:test'
import { MachineMonitor, parseSocketCount } from '../../../src/studies/qa/study.js'

/** @type {any} */
const SECOND = { type: 'interval' }

function watching() {
  const time = { ms: 5000 }
  let readings = 0
  const watch = new MachineMonitor({ now: () => time.ms, read: () => ({ load1: ++readings, sockets: null }) })
  const pass = (/** @type {number} */ seconds) => {
    for (let i = 0; i < seconds; i++) {
      watch.add(SECOND)
      time.ms += 1000
    }
  }
  return { watch, pass }
}

describe('what is read of the machine', () => {
  test('is with every second that is measured, counted from the first', () => {
    const { watch, pass } = watching()
    pass(2)
    watch.add(/** @type {any} */ ({ type: 'progress' }))
    assert.deepEqual(watch.readings, [
      { at: 0, load1: 1, sockets: null },
      { at: 1, load1: 2, sockets: null }
    ])
  })

  test('begins anew with each run', () => {
    const { watch, pass } = watching()
    pass(3)
    watch.begin()
    assert.deepEqual(watch.readings, [])
    pass(1)
    assert.deepEqual(watch.readings, [{ at: 0, load1: 4, sockets: null }])
  })

  test('is thinned where there would be too many, and still covers the whole run', () => {
    const { watch, pass } = watching()
    pass(1201)
    assert.equal(watch.readings.length, 601)
    assert.deepEqual([watch.readings[0].at, watch.readings[1].at, watch.readings.at(-1)?.at], [0, 2, 1200])
  })

  test('is this machine’s load and sockets, unless it is told otherwise', () => {
    const watch = new MachineMonitor()
    watch.add(SECOND)
    const [{ at, load1, sockets }] = watch.readings
    assert.equal(at, 0)
    assert.ok(load1 >= 0)
    assert.ok(sockets === null || Number.isInteger(sockets))
  })
})

test('sockets are not known where the system does not tell of them', () => {
  const read = mock.method(fs, 'readFileSync', () => {
    throw new Error('no such file')
  })
  syncBuiltinESMExports()
  try {
    const watch = new MachineMonitor()
    watch.add(SECOND)
    assert.equal(watch.readings[0].sockets, null)
  } finally {
    read.mock.restore()
    syncBuiltinESMExports()
  }
})

test('TCP sockets are read from what Linux writes, and not known from anything else', () => {
  assert.equal(
    parseSocketCount('sockets: used 218\nTCP: inuse 31 orphan 0 tw 2 alloc 33 mem 3\nUDP: inuse 4\n'),
    31
  )
  assert.equal(parseSocketCount('UDP: inuse 4\n'), null)
  assert.equal(parseSocketCount(''), null)
})
