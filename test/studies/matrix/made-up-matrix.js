import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { parse } from 'yaml'
import { makeMatrixDocument } from '../../../src/studies/matrix/matrix-document.js'
import { planOf } from '../../plan/planned.js'
import { measuredResult } from '../../report/measured-result.js'
import { expandMatrices, readMatrixFile } from '../../scenarios.js'

/** @typedef {import('../../../src/report/schema.js').Result} Result */

/** @param {string} file */
const read = file =>
  parse(readFileSync(fileURLToPath(new URL(`../../../benchmarks/${file}`, import.meta.url)), 'utf8'))

/** The tables of the source, as they are run. */
function tables() {
  const named = ['register', 'discover-20', 'discover-inexistent'].map(name => {
    const file = `rendezvous-${name}.yaml`
    const { include: _, ...content } = read(file)
    const { matrix, problems } = readMatrixFile(file, { source: 'a document', ...content })
    if (matrix === undefined) throw new Error(JSON.stringify(problems))
    return { id: `rendezvous-${name}`, file, matrix }
  })
  return expandMatrices(named, { cores: 2 }).tables
}

/**
 * madeUpMatrix is a matrix of the source's tables with made-up results. One row failed, one was not run.
 *
 * @returns {{ document: import('../../../src/studies/matrix/matrix-document.js').MatrixDocument, results: Map<string, Result> }}
 */
export function madeUpMatrix() {
  const document = makeMatrixDocument({
    id: '20261120-0712-matrix-rendezvous',
    startedAt: '2026-11-20T07:12:00.000Z',
    request: { files: [], flags: {}, only: [], scale: 1 },
    tables: tables(),
    chosen: () => true
  })
  /** @type {Map<string, Result>} */
  const results = new Map()
  const rows = document.tables.flatMap(({ rows }) => rows)
  const template = { REGISTER: measuredResult(), DISCOVER: measuredResult({ types: ['DISCOVER'] }) }
  for (const [i, row] of rows.entries()) {
    if (i === 3)
      Object.assign(row, { status: 'failed', reason: { code: 'LOST', message: 'the server ended' } })
    if (i === 3 || i === 4) continue
    const made = structuredClone(template[/** @type {'REGISTER'} */ (planOf(row).benchmarkType)])
    const { server } = made.outcome
    if (server !== null) server.memory.averageBytes = 9e7 + 900 * planOf(row).initialRegistrations
    results.set(row.id, { ...made, plan: planOf(row), outcome: { ...made.outcome, perSecond: [] } })
    Object.assign(row, { status: 'complete', generatorLimited: i % 5 === 0, tookMs: 1000 })
  }
  return { document: { ...document, status: 'partial' }, results }
}
