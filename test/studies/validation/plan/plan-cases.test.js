import '../../../../src/node-shim.js'
import assert from 'node:assert/strict'
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, describe, test } from 'node:test'
import { goneOnCases, planCases, timeWords } from '../../../../src/studies/validation/plan/plan-cases.js'
import { aValidationDocument } from '../a-validation-document.js'

const base = await mkdtemp(join(tmpdir(), 'plan-cases-'))
after(() => rm(base, { recursive: true }))

/** @param {string} name @param {string} rows @param {object} [own] @param {any[]} [early] @returns {Promise<any>} */
async function made(name, rows, own = {}, early = []) {
  const file = join(base, name)
  await writeFile(
    file,
    `title: Cases\nscenario: gossip\ndefaults: { nodes: 10, topology: full }\nrows:\n${rows}`
  )
  return planCases(
    { flags: {}, config: { file: 'none', options: {} } },
    /** @type {any} */ ({ own: { cases: file, validateSeeds: 2, ...own }, early, now: () => new Date(0) })
  )
}

/** @param {{ problems: { flag: string, value: string, allowed: string }[] }} refused */
const said = ({ problems }) => problems.map(({ flag, value, allowed }) => `${flag} ${value} ${allowed}`)
const TWO = '- { name: slow, linkLatency: 300ms }\n- { name: fast, linkLatency: 100ms }\n'

describe('a list of cases', () => {
  test('is a validation for each, by name', async () => {
    const { planned, cases, problems } = await made('two.yaml', TWO)
    assert.equal(problems, undefined)
    assert.equal(planned.name, 'validate-two')
    assert.deepEqual(
      planned.document.cases.map((/** @type {any} */ { name, seeds, status }) => [name, seeds, status]),
      [
        ['slow', 2, 'pending'],
        ['fast', 2, 'pending']
      ]
    )
    assert.deepEqual(cases.chosen, ['slow', 'fast'])
    assert.equal(cases.validations.get('slow').runs.real[0].plan.linkLatencyMs, 300)
    assert.equal(cases.validations.get('fast').id, 'fast')
  })

  test('is run as far as it is chosen, and says how much that is', async () => {
    const { planned, cases } = await made('chosen.yaml', TWO, { only: ['f*'] })
    assert.deepEqual([cases.chosen, planned.document.cases.length], [['fast'], 2])
    assert.match(timeWords(cases), /^1 case to run, 6 runs, .* to /)
  })

  test('needs a name of its own for each', async () => {
    const [none, twice] = said(
      await made('names.yaml', '- { name: a }\n- { nodes: 12 }\n- { name: a, nodes: 11 }\n')
    )
    assert.match(none, /names\.yaml row 2: name {2}must be a name that no other case has$/)
    assert.match(twice, /names\.yaml row 3: name a must be a name that no other case has$/)
  })

  test('refuses what is wrong in the cases that are chosen alone', async () => {
    const rows = '- { name: a }\n- { name: b, linkLatency: 0 }\n'
    const [wrong] = said(await made('wrong.yaml', rows))
    assert.match(wrong, /^--linkLatency 0 must be above 0 with --validate/)
    const { cases, planned, problems } = await made('wrong.yaml', rows, { only: ['a'] })
    assert.equal(problems, undefined)
    assert.deepEqual([cases.chosen, planned.document.cases.length], [['a'], 1])
  })

  test('refuses patterns that match no case, and what was wrong before', async () => {
    const early = { flag: '--x', value: '1', allowed: 'is wrong' }
    assert.deepEqual(said(await made('two.yaml', TWO, { only: ['s*', 'nobody'] }, [early])), [
      '--x 1 is wrong',
      '--only nobody matches no case: there are slow, fast'
    ])
  })
})

describe('a list of cases that is gone on with', () => {
  const output = /** @type {any} */ ({ outputDir: base })
  /** @param {string[]} names */
  const found = names =>
    /** @type {any} */ ({ folder: join(base, 'kept'), document: { cases: names.map(name => ({ name })) } })

  /** @param {string} name @param {'complete' | 'pending'} status */
  async function kept(name, status) {
    const document = aValidationDocument()
    const [run] = document.runs.real
    await mkdir(join(base, 'kept', name), { recursive: true })
    await writeFile(
      join(base, 'kept', name, 'validation.json'),
      JSON.stringify({ ...document, id: name, runs: { ...document.runs, real: [{ ...run, status }] } })
    )
  }

  test('runs what was not run, of the cases that are chosen', async () => {
    await kept('done', 'complete')
    await kept('open', 'pending')
    await kept('later', 'pending')
    const all = await goneOnCases(found(['done', 'open', 'later']), { own: /** @type {any} */ ({}), output })
    assert.deepEqual(all.cases?.chosen, ['open', 'later'])
    assert.deepEqual([...(all.cases?.validations.keys() ?? [])], ['done', 'open', 'later'])
    const own = /** @type {any} */ ({ only: ['o*', 'done'] })
    const some = await goneOnCases(found(['done', 'open', 'later']), { own, output })
    assert.deepEqual(some.cases?.chosen, ['open'])
    assert.match(timeWords(/** @type {any} */ (some.cases)), /^1 case to run, 1 run, /)
  })

  test('is refused where a pattern matches no case, or a case cannot be read', async () => {
    const own = /** @type {any} */ ({ only: ['nobody'] })
    assert.deepEqual(said(/** @type {any} */ (await goneOnCases(found(['done']), { own, output }))), [
      '--only nobody matches no case: there are done'
    ])
    const lost = await goneOnCases(found(['done', 'lost']), { own: /** @type {any} */ ({}), output })
    assert.deepEqual(said(/** @type {any} */ (lost)), [
      `--resume ${join(base, 'kept', 'lost')} holds no validation.json that can be read`
    ])
  })
})
