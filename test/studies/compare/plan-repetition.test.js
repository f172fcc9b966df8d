import '../../../src/kit/runtime.js'
import assert from 'node:assert/strict'
import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { before, describe, test } from 'node:test'
import { formatResult } from '../../../src/report/result-folder.js'
import { loadScenario } from '../../../src/scenarios/index.js'
import { planRepetition } from '../../../src/studies/compare/plan.js'
import { planned } from '../../plan/planned.js'
import { sampleResult } from '../../report/sample-result.js'
import { scenarioNamed } from '../../scenarios.js'
import { temporaryFolder } from '../../temporary-folder.js'

const base = temporaryFolder()

const PLAN = planned({ seed: 7 })
const OUTPUT = { runs: 4, failOn: null, baseline: null, resume: null, prometheusPort: null, outputDir: base }

/** @param {object} [output] @param {object} [more] @returns {Promise<any>} */
const made = (output, more) =>
  planRepetition(
    /** @type {any} */ ({
      plan: PLAN,
      output: { ...OUTPUT, ...output },
      scenario: scenarioNamed('rendezvous'),
      ...more
    }),
    { now: new Date(0), findScenario: loadScenario }
  )

/** @param {{ problems: { flag: string, value: string, allowed: string }[] }} refused */
const said = ({ problems }) => problems.map(({ flag, value, allowed }) => `${flag} ${value} ${allowed}`)

describe('a plan that is run several times', () => {
  test('has as many runs as were asked for, with rules and a baseline', async () => {
    const { planned: found, problems } = await made({ failOn: [{ text: 'p99 > +10%' }], baseline: 'old' })
    assert.equal(problems, undefined)
    const { document, folder, name } = found
    assert.deepEqual(
      [folder, name, document.sides[0].runs],
      [null, 'runs-rendezvous-7', [null, null, null, null]]
    )
    assert.deepEqual(
      [document.failOn, document.baseline, document.sides[0].plan],
      [['p99 > +10%'], 'old', PLAN]
    )
    assert.deepEqual((await made()).planned.document.failOn, [])
  })

  test('is refused where its runs cannot be compared, never end, or would be watched as one', async () => {
    const scenario = { ...scenarioNamed('rendezvous'), compared: null, endless: () => true }
    assert.deepEqual(said(await made({ prometheusPort: 9100, hdrFile: 'times.hlog' }, { scenario })), [
      '--runs 4 must be 1: runs of rendezvous cannot be compared',
      '--runs 4 must be 1 for a plan that runs until it is interrupted: give --duration',
      '--prometheus 9100 needs a single run: runs follow one another',
      '--hdr times.hlog needs a single run: a log is for one'
    ])
  })
})

describe('runs that are gone on with', () => {
  const OLD = join(base, 'old')

  before(async () => {
    for (const id of ['1', '2']) {
      await mkdir(join(OLD, id), { recursive: true })
      await writeFile(join(OLD, id, 'result.json'), formatResult({ ...sampleResult(), id, plan: PLAN }))
    }
  })

  /** @param {string} name @param {{ plan?: object, [part: string]: unknown }} [parts] */
  async function kept(name, { plan = PLAN, ...parts } = {}) {
    const folder = join(base, name)
    const head = {
      schemaVersion: 2,
      id: name,
      status: 'partial',
      reason: null,
      startedAt: '',
      finishedAt: null
    }
    await mkdir(folder, { recursive: true })
    const document = {
      ...head,
      sides: [{ label: 'as it is', plan, runs: ['runs/1', null] }],
      failOn: ['p50 > +5%'],
      baseline: OLD,
      held: null,
      ...parts
    }
    await writeFile(join(folder, 'comparison.json'), JSON.stringify(document))
    return folder
  }

  test('can become more, and keep what they are held to', async () => {
    const folder = await kept('20261120-0712-runs-rendezvous-7')
    const { planned: found } = await made({ resume: folder })
    assert.deepEqual([found.folder, found.document.sides[0].runs], [folder, ['runs/1', null, null, null]])
    assert.deepEqual([found.document.failOn, found.document.baseline], [['p50 > +5%'], OLD])
    const latest = await made({ resume: true, runs: 2 })
    assert.deepEqual([latest.planned.folder, latest.planned.document.sides[0].runs.length], [folder, 2])
  })

  test('cannot be held against a baseline that is gone', async () => {
    const folder = await kept('against', { baseline: join(base, 'gone') })
    assert.deepEqual(said(await made({ resume: folder })), [
      `--baseline ${join(base, 'gone')} does not exist`
    ])
  })

  test('can be held to something else now', async () => {
    const folder = await kept('other')
    const { planned: found } = await made({
      resume: folder,
      failOn: [{ text: 'p99 > +1%' }],
      baseline: 'new'
    })
    assert.deepEqual([found.document.failOn, found.document.baseline], [['p99 > +1%'], 'new'])
  })

  test('cannot become fewer, or runs of another plan', async () => {
    const folder = await kept('third')
    assert.deepEqual(said(await made({ resume: folder, runs: 1 })), [
      `--runs 1 must be at least 2, as in ${folder}`
    ])
    const other = await kept('fourth', { plan: { ...PLAN, nClients: 99 } })
    assert.deepEqual(said(await made({ resume: other })), [
      `--resume ${other} contains runs of another plan: they differ in nClients`
    ])
  })

  test('are not found where there are none', async () => {
    const [problem] = said(await made({ resume: join(base, 'nowhere') }))
    assert.match(problem, /^--resume .*nowhere contains no comparison\.json that can be read$/)
  })
})
