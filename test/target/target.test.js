import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { readProcess } from '../../src/target/target.js'

/** @param {number} ms - of CPU time */
function work(ms) {
  const before = process.cpuUsage()
  for (;;) {
    const { user, system } = process.cpuUsage(before)
    if (user + system >= ms * 1000) return
  }
}

describe('the CPU time of a process', { skip: process.platform !== 'linux' && 'Linux counts it' }, () => {
  it('is read in finer steps than 10 ms, and adds up to that of all its threads', async () => {
    const before = process.cpuUsage()
    const readings = [await readProcess(process.pid)]
    for (let i = 0; i < 20; i++) {
      work(3)
      readings.push(await readProcess(process.pid))
    }
    const { user, system } = process.cpuUsage(before)
    const steps = readings.slice(1).map(({ cpuMs }, i) => cpuMs - readings[i].cpuMs)
    assert.ok(
      steps.every(step => step >= 0 && step % 10 !== 0),
      `${steps}`
    )
    const read = readings[20].cpuMs - readings[0].cpuMs
    // a thread that has ended is in one sum and not in the other
    const used = (user + system) / 1000
    assert.ok(Math.abs(read - used) < Math.max(20, 0.3 * used), `${read} of ${used} ms`)
  })

  it('is not that of a process that is gone', async () => assert.rejects(readProcess(2 ** 22 + 1), /pid/i))
})
