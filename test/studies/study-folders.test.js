import assert from 'node:assert/strict'
import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, test } from 'node:test'
import { COMPARISON_DOCUMENT } from '../../src/studies/compare/comparison-document.js'
import { findStudyToResume, STUDY_DOCUMENTS } from '../../src/studies/study-folders.js'
import { emptyBeforeEach, temporaryFolder } from '../temporary-folder.js'

const outputDir = temporaryFolder()
emptyBeforeEach(outputDir)

/** Two plans of a scenario. @param {string} scenario */
function sidesOf(scenario) {
  const side = { label: 'x', plan: { scenario }, runs: [] }
  return [side, side]
}

/** What tells documents apart. @type {Record<keyof typeof STUDY_DOCUMENTS, object>} */
const PARTS = {
  matrix: { tables: [] },
  comparison: { schemaVersion: 2, sides: sidesOf('rendezvous') },
  saturate: { scenario: 'gossip', grid: { cells: [] }, search: null },
  qa: { scenario: 'gossip', grid: { cells: [] }, examined: { trials: [] }, rotation: { options: {} } }
}

/** @param {keyof typeof STUDY_DOCUMENTS} kind @param {string} name - of its folder @param {string} startedAt @param {object} [more] */
async function put(kind, name, startedAt, more = {}) {
  const folder = join(outputDir, name)
  await mkdir(folder)
  const document = { schemaVersion: 1, id: name, startedAt, ...PARTS[kind], ...more }
  await writeFile(join(folder, STUDY_DOCUMENTS[kind].file), JSON.stringify(document))
  return folder
}

const ab = { name: 'ab', file: COMPARISON_DOCUMENT }

describe('--resume without a folder', () => {
  /** @param {object} [about] */
  const latest = async about =>
    /** @type {any} */ (await findStudyToResume(true, { outputDir, ...ab, ...about }))

  test('goes on with what began last, though the hour that summer time ends with is there twice', async () => {
    await put('comparison', '20261025-0255-ab-1', '2026-10-25T00:55:00.000Z')
    const later = await put('comparison', '20261025-0205-ab-2', '2026-10-25T01:05:00.000Z')
    assert.equal((await latest()).folder, later)
  })

  test('goes on with what is asked for, where another of the same name began later', async () => {
    const asked = await put('comparison', '20261025-0155-ab-1', '2026-10-25T00:55:00.000Z')
    await put('comparison', '20261025-0255-ab-1', '2026-10-25T01:55:00.000Z', { status: 'other' })
    assert.equal(
      (await latest({ fits: (/** @type {any} */ { status }) => status !== 'other' })).folder,
      asked
    )
  })

  test('takes no other name for its own', async () => {
    const asked = await put('comparison', '20261025-0155-ab-7', '2026-10-25T00:55:00.000Z')
    await put('comparison', '20261025-0255-ab-70', '2026-10-25T01:55:00.000Z')
    await put('comparison', 'mine-ab-7', '2026-10-26T01:55:00.000Z')
    assert.equal((await latest({ name: 'ab-7' })).folder, asked)
  })

  test('goes back to no older one where the latest cannot be read', async () => {
    await put('comparison', '20261025-0155-ab-1', new Date(2026, 9, 25, 1, 55).toISOString())
    const broken = join(outputDir, '20261026-0155-ab-1')
    await mkdir(broken)
    const { problems } = await latest()
    assert.deepEqual(problems, [
      { flag: '--resume', value: broken, allowed: 'contains no comparison.json that can be read' }
    ])
  })

  test('finds nothing where there is nothing', async () => {
    for (const folder of [outputDir, join(outputDir, 'missing')])
      assert.deepEqual((await findStudyToResume(true, { ...ab, outputDir: folder })).problems, [
        { flag: '--resume', value: '', allowed: `finds no folder of ab in ${folder}` }
      ])
  })
})

describe('--resume with the folder of', () => {
  /** @type {[keyof typeof STUDY_DOCUMENTS, string][]} */
  const others = [
    ['matrix', 'matrix'],
    ['saturate', 'saturate gossip'],
    ['qa', 'qa gossip']
  ]
  for (const [kind, command] of others)
    test(`${kind} says which command goes on with it`, async () => {
      const folder = await put(kind, 'x', '2026-10-25T00:55:00.000Z')
      assert.deepEqual((await findStudyToResume(folder, { ...ab, outputDir })).problems, [
        {
          flag: '--resume',
          value: folder,
          allowed: `is continued by another command: node index.js ${command} --resume ${folder}`
        }
      ])
    })

  test('the same study of another scenario says which command goes on with it', async () => {
    const gossip = { sides: sidesOf('gossip') }
    const folder = await put('comparison', '20261025-0155-ab-1', '2026-10-25T00:55:00.000Z', gossip)
    const about = { ...ab, outputDir, fits: () => false }
    for (const resume of [folder, /** @type {const} */ (true)])
      assert.match(
        (await findStudyToResume(resume, about)).problems[0].allowed,
        /^is continued by another command: node index\.js ab gossip --resume /
      )
  })

  test('a run says how it is made again', async () => {
    await writeFile(join(outputDir, 'result.json'), '{}')
    assert.match(
      (await findStudyToResume(outputDir, { ...ab, outputDir })).problems[0].allowed,
      /^is a single run: node index\.js rerun \S+ makes it again$/
    )
  })
})
