import assert from 'node:assert/strict'
import { existsSync } from 'node:fs'
import { describe, it } from 'node:test'
import { coreTimeIn, coreTimeOf, ownCoreTime } from '../../src/measure/resources.js'

const known = {
  skip: existsSync('/proc/self/schedstat') ? false : 'this system has no /proc/<pid>/schedstat'
}

describe('the time of a thread', () => {
  it('is in ns, on a core and waiting for one', () => {
    assert.deepEqual(coreTimeIn('82226404 195542473 61\n'), { onCore: 82226404, waited: 195542473 })
  })

  it('is not known where the system says something else', () => {
    for (const line of ['', 'a b c', '12']) assert.equal(coreTimeIn(line), null)
    assert.equal(coreTimeOf(2 ** 31 - 1), null)
  })

  it('grows while it works, by no more than has passed', known, () => {
    const [before, beganNs] = [ownCoreTime(), process.hrtime.bigint()]
    while (process.hrtime.bigint() - beganNs < 20_000_000n);
    const after = ownCoreTime()
    const passedNs = Number(process.hrtime.bigint() - beganNs)
    const onCore = Number(after?.onCore) - Number(before?.onCore)
    const waited = Number(after?.waited) - Number(before?.waited)
    assert.ok(onCore > 0 && waited >= 0, `${onCore} ns on a core, ${waited} ns waiting`)
    // the kernel counts a turn on a core when it ends, or is asked for at a tick
    assert.ok(onCore + waited < 1.5 * passedNs + 20e6, `${onCore} + ${waited} ns of ${passedNs}`)
  })

  it('is that of the main thread of a process', known, () => {
    const [own, ofProcess] = [ownCoreTime(), coreTimeOf(process.pid)]
    assert.ok(Number(ofProcess?.onCore) >= Number(own?.onCore))
  })
})
