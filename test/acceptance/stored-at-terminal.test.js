import '../../src/kit/runtime.js'
import assert from 'node:assert/strict'
import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { describe, test } from 'node:test'
import { stripVTControlCharacters } from 'node:util'
import { describeRun } from '../../src/report/describe-run.js'
import { loadViews } from '../../src/report/run-report.js'
import { formatForPipe, formatForTerminal } from '../../src/report/text.js'
import { loadScenario } from '../../src/scenarios/index.js'
import { ALL_STUDIES } from '../../src/studies/index.js'
import { readFolderKind } from '../../src/studies/study-folders.js'
import { describeStudy, readStudy } from '../../src/studies/study-views.js'
import { readResult } from '../scenarios.js'

const COLUMNS = 80
const STORED = 'fixtures/results-0.1.0'
/** What stands for something that nobody meant to show. */
const DEBUG = /\[object |\bundefined\b|\bNaN\b|\bnull\b|Infinity/
const NUMBER = /^(-?\d+(\.\d+)?|–)$/

/** @param {string} folder @returns {Promise<import('../../src/report/schema.js').Description>} */
async function describedIn(folder) {
  const kind = await readFolderKind(folder)
  if (kind === 'run') {
    const result = await readResult(folder)
    return describeRun(result, (await loadViews([result], loadScenario))(result))
  }
  const study = ALL_STUDIES[/** @type {keyof typeof ALL_STUDIES} */ (kind)]
  const document = await readStudy(study.document, folder)
  const loaded = await study.load(folder, document, loadScenario)
  return describeStudy(study, document, { loaded, find: loadScenario })
}

/** Cells of the tables of a text in markdown. @param {string} text */
const tablesIn = text =>
  text
    .split('\n\n')
    .filter(part => part.trimStart().startsWith('|'))
    .map(part =>
      part
        .trim()
        .split('\n')
        .map(row => row.split(/(?<!\\)\|/).slice(1, -1))
        .map(cells => cells.map(cell => cell.trim()))
    )

const FOLDERS = [
  // a result of abuse is not read any more
  ...readdirSync(STORED)
    .filter(name => name !== 'abuse')
    .map(name => join(STORED, name)),
  ...['saturate-search-before', 'saturate-search-before-2'].map(name => `fixtures/studies/${name}`)
]

for (const folder of FOLDERS)
  describe(`what is stored in ${folder}`, async () => {
    const description = await describedIn(folder)

    test('fits a terminal of 80 columns, and shows what somebody meant to show', () => {
      const text = formatForTerminal(description, { columns: COLUMNS })
      for (const line of text.split('\n')) assert.ok([...line].length <= COLUMNS, line)
      assert.doesNotMatch(text, DEBUG)
      assert.ok(text.split('\n').filter(line => line.startsWith('⚠ ')).length <= 3, text)
      const coloured = formatForTerminal(description, { columns: COLUMNS, colour: true })
      assert.notEqual(coloured, text)
      assert.equal(stripVTControlCharacters(coloured), text)
    })

    test('is in a pipe tables whose numbers any parser reads, and five notes at most', () => {
      const text = formatForPipe(description)
      const notes = text.split('\n').filter(line => line !== '' && !line.startsWith('|'))
      assert.ok(notes.length <= 5, notes.join('\n'))
      assert.doesNotMatch(text, DEBUG)
      const tables = tablesIn(text)
      assert.ok(tables.length > 0)
      for (const [headings, sides, ...rows] of tables)
        for (const row of rows) {
          assert.equal(row.length, headings.length)
          for (const [i, cell] of row.entries())
            if (sides[i].endsWith(':')) assert.match(cell, NUMBER, headings[i])
        }
    })
  })

test('a run of one operation with three warnings takes 25 lines of a terminal', async () => {
  const description = await describedIn(join(STORED, 'repetition/runs/20261128-1204-runs-rendezvous-1-01'))
  const [long] = description.warnings.toSorted((a, b) => b.text.length - a.text.length)
  const text = formatForTerminal(
    { ...description, warnings: [long, long, long, long] },
    { columns: COLUMNS },
    { where: ['r/x/   report.html · result.json', 'repeat: node index.js rerun r/x'] }
  )
  assert.ok(text.trimEnd().split('\n').length <= 25, text)
})
