import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { ticksIn, waitedIn } from '../../src/measure/resources.js'

// as in https://docs.kernel.org/accounting/psi.html and proc_stat(5)
const PRESSURE = `some avg10=70.84 avg60=64.91 avg300=33.37 total=23623282379
full avg10=0.00 avg60=0.00 avg300=0.00 total=0
`
const STAT = `cpu  2979486 2079097 970089 4383834 13595 0 28684 42942 17 0
cpu0 1493874 1034966 473959 2210097 3042 0 11472 21098 17 0
intr 1
`

describe('what the kernel says about the want of cores', () => {
  it('is how long something waited, in µs', () => {
    assert.equal(waitedIn(PRESSURE), 23623282379)
  })

  it('is what other guests took, of all ticks; those of guests of its own are among the others already', () => {
    assert.deepEqual(ticksIn(STAT), {
      stolen: 42942,
      all: 2979486 + 2079097 + 970089 + 4383834 + 13595 + 28684 + 42942
    })
  })

  it('is not known where there is no such file, or an old one', () => {
    assert.deepEqual([waitedIn(''), ticksIn(''), ticksIn('cpu  1 2 3 4\n')], [null, null, null])
  })
})
