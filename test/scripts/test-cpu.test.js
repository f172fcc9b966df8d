import assert from 'node:assert/strict'
import fs from 'node:fs'
import { syncBuiltinESMExports } from 'node:module'
import { describe, mock, test } from 'node:test'
import { cpuSeconds } from '../../scripts/test-cpu.js'

/** What it is said to be where the system tells this; null: nothing. @param {string | null} stat */
function toldBy(stat) {
  const read = mock.method(fs, 'readFileSync', () => {
    if (stat === null) throw new Error('no such file')
    return stat
  })
  syncBuiltinESMExports()
  try {
    return cpuSeconds()
  } finally {
    read.mock.restore()
    syncBuiltinESMExports()
  }
}

describe('the CPU time of a process', () => {
  test('is user and system time, its own and of children, whatever its name is', () => {
    const fields = ['S', ...Array(10).fill('7'), '100', '20', '3000', '4', '9', '9']
    assert.equal(toldBy(`42 (a (b) c) ${fields.join(' ')}`), 31.24)
  })

  test('is its own where the system tells nothing', () => {
    const own = mock.method(process, 'cpuUsage', () => ({ user: 1_500_000, system: 250_000 }))
    try {
      assert.equal(toldBy(null), 1.75)
    } finally {
      own.mock.restore()
    }
  })
})
