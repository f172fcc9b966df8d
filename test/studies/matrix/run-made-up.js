import { mkdir, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after } from 'node:test'
import { makeMatrixDocument } from '../../../src/studies/matrix/matrix-document.js'
import { runMatrix } from '../../../src/studies/matrix/study.js'
import { viewOf } from '../../report/shown.js'
import { aGossipResult } from '../../scenarios/gossip/a-gossip-result.js'
import { expandMatrices, readMatrixFile } from '../../scenarios.js'

const base = await mkdtemp(join(tmpdir(), 'loadtest-made-up-matrix-'))
after(() => rm(base, { recursive: true }))

const made = aGossipResult({})
let folders = 0

/**
 * aDocument is that of a matrix of one file.
 *
 * @param {object} file - as it is written
 * @param {object} [how]
 * @param {Partial<import('../../../src/studies/matrix/matrix-document.js').MatrixRequest>} [how.request]
 * @param {Map<string, any>} [how.kept] - what was run of it before
 */
export function aDocument(file, { request = {}, kept } = {}) {
  const { matrix, problems } = readMatrixFile('t.yaml', file)
  if (problems !== undefined) throw new Error(JSON.stringify(problems))
  return makeMatrixDocument({
    id: 'made-up',
    startedAt: '2026-11-20T07:12:00.000Z',
    request: { files: [], flags: {}, only: [], scale: 1, ...request },
    tables: expandMatrices([{ id: 't', file: 't.yaml', matrix: /** @type {any} */ (matrix) }], { cores: 2 })
      .tables,
    chosen: () => true,
    kept
  })
}

/**
 * runMadeUp runs a matrix whose results are made up.
 *
 * @param {ReturnType<typeof aDocument>} document
 * @param {(plan: any, options: any) => object} endOf - what is otherwise in the result of a run
 * @returns {Promise<{ folder: string, results: Map<string, any> }>}
 */
export async function runMadeUp(document, endOf) {
  /** @type {Map<string, any>} */
  const results = new Map()
  const folder = join(base, String(++folders))
  const components = {
    async *runScenario(/** @type {any} */ plan, /** @type {{ id: string }} */ options) {
      const result = { ...made, id: options.id, status: 'complete', plan, ...endOf(plan, options) }
      yield { type: 'result', result }
    },
    viewOf,
    signal: new AbortController().signal,
    hurried: () => true,
    cacheDir: base,
    progress: { begin() {}, add() {}, end() {}, notice() {}, close() {} },
    complain() {},
    tellError() {},
    output: { csv: false, outputFile: null },
    now: () => new Date(1000),
    results
  }
  await mkdir(folder)
  await runMatrix(document, folder, /** @type {any} */ (components))
  return { folder, results }
}

/** runWith is `run` of a made-up result with such warnings. @param {object[]} warnings */
export const runWith = warnings => ({ ...made.run, warnings })
