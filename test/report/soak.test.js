import '../../src/node-shim.js'
import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { perSecondCsv } from '../../src/report/csv.js'
import { measuredResult } from './measured-result.js'
import { reportPage, resultNotes } from './shown.js'

/** @typedef {import('../../src/result/types.js').Trend} Trend */

/** @param {Partial<Trend>} [parts] @returns {Trend} */
const trend = parts => ({
  ...{ perHour: 12.3e6, low: 9e6, high: 15.2e6, median: 1.2e8, points: 40, verdict: 'growing' },
  ...parts
})

const result = measuredResult({ options: { rate: '60/s', duration: '6s' } })
const soaked = {
  ...result,
  outcome: {
    ...result.outcome,
    soak: {
      stretchMs: 60_000,
      serverBytes: trend(),
      ownBytes: [
        {
          process: 'worker 0',
          trend: trend({ perHour: -1e5, low: -2e6, high: 2e6, verdict: 'not shown to grow' }),
          inUse: trend({ verdict: 'not shown to grow' })
        },
        { process: 'main process', trend: trend(), inUse: null }
      ],
      p50Ms: [{ type: /** @type {const} */ ('REGISTER'), trend: null }],
      errors: [
        { operations: 1000, errors: 0 },
        { operations: 1000, errors: 2 },
        { operations: 1000, errors: 30 }
      ]
    }
  }
}

describe('a long run', () => {
  it('is told in notes', () => {
    const notes = resultNotes(soaked).join('\n')
    assert.match(notes, /Server memory growing: 12\.3 MB an hour \(95 % interval 9\.00 to 15\.2\)\./)
    assert.match(notes, /worker 0 not shown to grow: −0\.100 MB an hour \(95 % interval −2\.00 to 2\.00\)/)
    assert.match(notes, /in use growing slightly: 12\.3 MB an hour \(95 % interval 9\.00 to 15\.2\)/)
    assert.match(notes, /main process growing: .*, in use too few garbage collections to tell\./)
    assert.match(notes, /REGISTER p50 too few readings to tell\./)
    assert.match(
      notes,
      /Operations without success in the thirds of the run: 0 of 1,000, 2 of 1,000, 30 of 1,000\./
    )
  })

  it('has a section of its page, and a short one has none', async () => {
    assert.match(
      await reportPage(soaked),
      /<h2>Over the run<\/h2>[\s\S]*Memory of the server[\s\S]*growing: 12\.3 MB an hour/
    )
    assert.doesNotMatch(await reportPage(result), /Over the run/)
  })

  it('says how wide its points are, where that is more than a second', async () => {
    const wide = { ...soaked, outcome: { ...soaked.outcome, secondsPerPoint: 8 } }
    const said = /Of so long a run, figures over time are kept in points of 8\.0 s\./
    assert.match(resultNotes(wide).join('\n'), said)
    assert.match(await reportPage(wide), said)
    assert.doesNotMatch(resultNotes(soaked).join('\n'), said)
    assert.doesNotMatch(await reportPage(soaked), said)
  })

  it('says in CSV how many seconds a row is of, where that is more than one', () => {
    const wide = { ...soaked, outcome: { ...soaked.outcome, secondsPerPoint: 2 } }
    assert.match(perSecondCsv(wide), /^second,seconds,type,outcome,count.*\n0,2,REGISTER,OK,/)
    assert.match(perSecondCsv(result), /^second,type,outcome,count.*\n0,REGISTER,OK,/)
  })
})
