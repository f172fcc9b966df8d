import '../../../../src/node-shim.js'
import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { ABUSE_COMPARED, ABUSE_FIGURES } from '../../../../src/scenarios/abuse/figures.js'
import { PAGE } from '../../../../src/scenarios/abuse/page.js'
import { abuseAnswer } from '../../../../src/scenarios/abuse/view/abuse-answer.js'
import { stretchesCsv } from '../../../../src/scenarios/abuse/view/files.js'
import { came, setting, work } from '../../../../src/scenarios/abuse/view/in-line.js'
import { ABUSE_NOTES } from '../../../../src/scenarios/abuse/view/notes.js'
import { abusePlots } from '../../../../src/scenarios/abuse/view/plots.js'
import { abuseCells } from '../../../../src/scenarios/abuse/view/table.js'
import { worstOf } from '../../../../src/scenarios/abuse/view/worst-case.js'
import { VIEW } from '../../../../src/scenarios/abuse/view.js'
import { makePlanOf, scenarioNamed } from '../../../scenarios.js'
import { anAbuseResult } from '../an-abuse-result.js'

const HERE = '/ip4/127.0.0.1/tcp/4001/p2p/12D3KooWGDL7oNHzMG3KQAUhxFs1MzX8PoZLuh99JGs6NqwScPWt'

/** @param {object} [row] - what is else in its only case @param {object} [outcome] */
function resultWith(row = {}, outcome = {}) {
  const result = /** @type {any} */ (anAbuseResult())
  const cases = [{ ...result.outcome.cases[0], ...row }]
  return { ...result, outcome: { ...result.outcome, cases, ...outcome } }
}

const NOTHING_KNOWN = {
  ...{ p50: null, p99: null, recoveryMs: null },
  ...{ rssBytes: { quiet: null, abused: null }, cpuPercent: { quiet: null, abused: 12 } }
}

/** @param {any} result @returns {Record<string, string[]>} cells of its only row, by heading */
function cellsOf(result) {
  const { headings, rows } = abuseCells(result)
  /** @type {Record<string, string[]>} */
  const cells = {}
  for (const [i, heading] of headings.entries()) cells[heading] = [...(cells[heading] ?? []), rows[0][i]]
  return cells
}

describe('stretches in a file', () => {
  it('are a line each, with what abuse has of its own only behind those under it', () => {
    const [headings, quiet, abused, ...rest] = stretchesCsv(anAbuseResult()).split('\n')
    assert.equal(
      headings,
      'abuse,pair,stretch,asked,failed,p50Ms,p99Ms,longestTurnMs,rssBytes,cpuPercent,notSent,recoveryMs'
    )
    assert.equal(quiet, 'frames,0,quiet,1000,0,2,2,5,100000000,10,,')
    assert.equal(abused, 'frames,0,abused,1000,0,4,4,5,100000000,10,0,0')
    assert.equal(rest.length, 10 + 1)
    assert.equal(rest.at(-1), '')
  })

  it('leave cells empty of what is not known', () => {
    const result = resultWith()
    Object.assign(result.outcome.cases[0].pairs[0].abused, { p99Ms: null, rssBytes: null, recoveryMs: null })
    assert.equal(stretchesCsv(result).split('\n')[2], 'frames,0,abused,1000,0,4,,5,,10,0,')
  })
})

describe('the table of kinds of abuse', () => {
  it('has both sides, the ratio and its interval', () => {
    const cells = cellsOf(resultWith())
    assert.deepEqual(cells['p99 ms'], ['2.25 → 4.25'])
    assert.deepEqual(cells['Per pair × p99'], ['1.89'])
    assert.deepEqual(cells['95 %'], ['1.80–2.00', '1.80–2.00'])
    assert.deepEqual(cells['RSS MB'], ['100 → 100'])
  })

  it('says of what is only known to be longer that it is at least so much', () => {
    const { p99 } = resultWith().outcome.cases[0]
    const cells = cellsOf(resultWith({ p99: { ...p99, atLeast: true, low: null } }))
    assert.deepEqual([cells['p99 ms'], cells['Per pair × p99']], [['2.25 → > 4.25'], ['> 1.89']])
    assert.deepEqual(cells['95 %'], ['1.80–2.00', '–'])
  })

  it('has a dash for what is not known', () => {
    const cells = cellsOf(resultWith(NOTHING_KNOWN))
    for (const heading of ['p50 ms', 'Per pair × p50', 'p99 ms', 'Per pair × p99', 'RSS MB', 'Recovery ms'])
      assert.deepEqual(cells[heading], ['–'], heading)
    assert.deepEqual(cells['CPU %'], ['– → 12'])
  })
})

describe('the kind that did worst', () => {
  const ratio = (/** @type {number} */ ratio) => /** @type {any} */ ({ ratio })
  const row = (/** @type {string} */ name, /** @type {object} */ known) =>
    /** @type {any} */ ({ name, p50: null, p99: null, ...known })

  it('goes by p99, or by p50 where that is all that is known', () => {
    const cases = [
      row('slow', { p50: ratio(9), p99: ratio(2) }),
      row('store', { p50: ratio(3) }),
      row('http', {})
    ]
    assert.deepEqual(worstOf(cases), { name: 'store', what: 'p50', ratio: 3 })
    assert.deepEqual(worstOf(cases.toReversed()), { name: 'store', what: 'p50', ratio: 3 })
    assert.deepEqual(worstOf(cases.slice(0, 1)), { name: 'slow', what: 'p99', ratio: 2 })
    assert.equal(worstOf(cases.slice(2)), null)
  })

  it('is in the line about a run', () => {
    assert.equal(came(resultWith()), 'honest p99 at most 1.89 times as long, under frames')
    assert.equal(came(resultWith(NOTHING_KNOWN)), 'no ratio is known')
    assert.deepEqual(PAGE.lead(resultWith(NOTHING_KNOWN)), ['no ratio is known.'])
  })

  it('is on the first screen, with what is not known of it', () => {
    const { figures, plots } = abuseAnswer(resultWith(NOTHING_KNOWN))
    assert.deepEqual(figures, [
      ['p50 of honest clients', 'too few'],
      ['p99 of honest clients', 'too few'],
      ['Failed', '0 → 0'],
      ['Recovered after', '–']
    ])
    assert.deepEqual(plots, [])
    const { p99 } = resultWith().outcome.cases[0]
    const atLeast = abuseAnswer(resultWith({ p99: { ...p99, atLeast: true }, recoveryMs: 1250 }))
    assert.equal(atLeast.figures[1][1], '2.25 → > 4.25 ms')
    assert.equal(atLeast.figures[3][1], '1,250 ms')
  })
})

describe('a plan of abuse in words', () => {
  /** @param {Record<string, unknown>} options */
  const planned = options => {
    const { plan, problems } = makePlanOf('abuse', options)
    assert.equal(problems, undefined)
    return plan
  }

  it('names up to three kinds, and counts more', () => {
    assert.equal(work(planned({ kinds: 'frames,slow' })), 'abuse: frames, slow')
    assert.equal(work(planned({ kinds: 'frames,slow,store,http' })), 'abuse: 4 kinds')
    const { inShort } = scenarioNamed('abuse').naming
    const plan = /** @type {any} */ (planned({ kinds: 'frames,slow' }))
    assert.deepEqual(inShort(plan, new Map()), ['frames', 'slow'])
  })

  it('says where the server is', () => {
    const where = (/** @type {Record<string, unknown>} */ options) => setting(planned(options)).at(-1)
    assert.equal(where({}), 'a server in a process of its own')
    assert.equal(
      where({ server: 'docker', cpus: 1 }),
      'a server in a container of its own, limited to 1 core'
    )
    assert.equal(where({ target: HERE }), `target ${HERE}`)
  })
})

describe('lines about a result of abuse', () => {
  it('say whether peers had addresses of their own, and in what container the server was', () => {
    const container = { image: 'loadtest-server', cpus: null, memoryBytes: null }
    const target = { ...resultWith().outcome.target, container }
    const together = ABUSE_NOTES.reading(resultWith({}, { spreads: false, target })).join('\n')
    assert.match(together, /Server in a Docker container of loadtest-server\./)
    assert.match(together, /All peers came from one address/)
    assert.match(together, /No limit of the server was lifted/)
    const apart = ABUSE_NOTES.reading(resultWith({}, { spreads: true })).join('\n')
    assert.match(apart, /have addresses of their own/)
    assert.doesNotMatch(apart, /Docker/)
    const result = resultWith()
    const ofOthers = ABUSE_NOTES.reading({ ...result, plan: { ...result.plan, target: HERE } })
    assert.doesNotMatch(ofOthers.join('\n'), /No limit of the server/)
    assert.deepEqual(ABUSE_NOTES.reading(resultWith({}, { cases: [] })), [])
  })

  it('count what failed, on the page too', () => {
    assert.deepEqual(ABUSE_NOTES.failures(resultWith()), [])
    const failing = resultWith({ failed: { quiet: 1, abused: 7 }, asked: { quiet: 6000, abused: 6000 } })
    const text = 'frames: 7 of 6000 honest requests failed under it, 1 without.'
    assert.deepEqual(ABUSE_NOTES.failures(failing), [text])
    assert.deepEqual(PAGE.failures(failing), [{ tone: 'mind', text, to: 'figures' }])
  })

  it('say what each kind does, and how many times it', () => {
    const { what } = resultWith().outcome.cases[0]
    assert.deepEqual(ABUSE_NOTES.further(resultWith()), [`frames: ${what}.`])
    assert.deepEqual(ABUSE_NOTES.further(resultWith({ times: 5 })), [`frames: 5 times ${what}.`])
  })
})

describe('plots of stretches', () => {
  it('draw p50 where p99 is not known, without stretches that have none, and nothing without p50', () => {
    assert.match(abusePlots(resultWith())[0].caption, /Honest p99/)
    const result = resultWith({ p99: null })
    result.outcome.cases[0].pairs[2].quiet.p50Ms = null
    const [{ caption, spec }] = abusePlots(result)
    assert.match(caption, /Honest p50/)
    assert.deepEqual(
      spec.layer.map((/** @type {any} */ layer) => layer.data.values.length),
      [5, 5, 6, 6]
    )
    assert.deepEqual(abusePlots(resultWith(NOTHING_KNOWN)), [])
  })
})

describe('what is shown of abuse', () => {
  it('are rows of files, which say of which run they are', () => {
    const result = resultWith()
    const { headings, rows } = VIEW.fileRows(result, '')
    assert.deepEqual(headings.slice(-2), ['Status', 'Run'])
    assert.deepEqual(rows[0].slice(-2), ['complete', '20261122-0712-abuse-1'])
    assert.equal(rows[0].length, headings.length)
  })

  it('are the settings of our own server, and why', () => {
    const [{ whose, name, value, why }] = VIEW.settings.read(resultWith())
    assert.deepEqual([whose, name, value], ['server', 'unlimitedFrom', ''])
    assert.match(String(why), /no limit is lifted/)
  })
})

describe('figures of abuse', () => {
  it('say why there is none', () => {
    const read = (/** @type {string} */ name, /** @type {any} */ outcome) =>
      /** @type {any} */ (ABUSE_FIGURES.find(figure => figure.name === name)).read(outcome)
    const { outcome } = resultWith(NOTHING_KNOWN)
    assert.match(JSON.stringify(read('ratio.p50', outcome)), /more requests/)
    assert.match(JSON.stringify(read('recovery', outcome)), /not served as before/)
    assert.match(JSON.stringify(read('memory.added', outcome)), /does not tell/)
    assert.match(JSON.stringify(read('errors.abused', { cases: [] })), /nothing was measured/)
  })

  it('are comparable where the same was done to the server', () => {
    const { plan } = resultWith()
    const { kinds } = /** @type {any} */ (ABUSE_COMPARED.same)
    assert.deepEqual(kinds(plan), ['frames'])
  })
})
