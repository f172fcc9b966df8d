import '../../src/kit/runtime.js'
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { fileURLToPath } from 'node:url'
import { z } from 'zod'
import { lineSchema } from '../../src/report/schema.js'
import { makeCsvFiles } from '../../src/report/text.js'
import { isAsRecorded } from '../recorded.js'
import { ALL, readResult } from '../scenarios.js'
import { described, runMetrics, viewOf } from './shown.js'

/** What version 0.1.0 left, by its scenario then. */
const RESULTS = {
  gossip: 'gossip',
  perf: 'perf',
  profile: 'profile',
  rendezvous: 'rendezvous',
  rotation: 'rotate-gossip',
  'rotation-rendezvous': 'rotate-rendezvous',
  transfer: 'transfer'
}

/** @param {string} folder */
const stored = folder =>
  readResult(fileURLToPath(new URL(`../../fixtures/results-0.1.0/${folder}`, import.meta.url)))

/** @param {string} text - of a CSV file @returns {string[]} */
const headingsIn = text =>
  text
    .split('\n')[0]
    .split(/,(?=(?:[^"]*"[^"]*")*[^"]*$)/)
    .map(heading => heading.replace(/^"(.*)"$/, '$1'))

/** @param {string} folder */
const headingsOf = async folder =>
  Object.fromEntries(
    makeCsvFiles(described(await stored(folder))).map(([file, text]) => [file, headingsIn(text)])
  )

/** @param {(figure: import('../../src/measure/figure.js').Figure<any>) => boolean} chosen */
const figures = chosen =>
  Object.fromEntries(ALL.map(({ name, figures }) => [name, figures.filter(chosen).map(({ name }) => name)]))

// a program of a user's goes by each of them: CI, dashboards, spreadsheets
test('the names that programs of users go by are what they were', async () => {
  const metrics = await (await runMetrics()).text()
  const lines = /** @type {any} */ (z.toJSONSchema(lineSchema))
  const csv = Object.entries(RESULTS).map(async ([scenario, folder]) => [scenario, await headingsOf(folder)])
  isAsRecorded('names.json', {
    thresholds: figures(({ live }) => live !== undefined),
    figures: figures(() => true),
    compared: Object.fromEntries(
      ALL.flatMap(({ name, compared }) =>
        compared == null ? [] : [[name, compared.figures.map(({ name }) => name)]]
      )
    ),
    prometheus: [...metrics.matchAll(/^# TYPE (.*)/gm)].map(([, told]) => told).sort(),
    csv: Object.fromEntries(await Promise.all(csv)),
    jsonLines: Object.fromEntries(
      lines.oneOf.map((/** @type {any} */ { properties }) => [
        properties.type.const,
        Object.keys(properties).sort()
      ])
    )
  })
})

test('rows of every scenario have the headings that are known before it is run', async () => {
  for (const folder of Object.values(RESULTS)) {
    const result = await stored(folder)
    const [{ columns }] = described(result).tables
    const { describePlan } = viewOf(result)
    assert.deepEqual(
      describePlan(result.plan).columns,
      columns.map(([heading]) => heading),
      folder
    )
  }
})
