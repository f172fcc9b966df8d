import { mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import { makeMatrixDocument } from '../../../src/studies/matrix/matrix-document.js'
import { runMatrix } from '../../../src/studies/matrix/study.js'
import { aGossipResult } from '../../scenarios/gossip/a-gossip-result.js'
import { expandMatrices, readMatrixFile } from '../../scenarios.js'
import { temporaryFolder } from '../../temporary-folder.js'
import { studyComponents } from '../study-components.js'

const base = temporaryFolder()

const made = aGossipResult({})
let folders = 0

/**
 * aDocument is that of a matrix of one file.
 *
 * @param {object} file - as it is written
 * @param {object} [how]
 * @param {Partial<import('../../../src/studies/matrix/matrix-document.js').MatrixRequest>} [how.request]
 * @param {Map<string, any>} [how.previousRows] - what was run of it before
 */
export function aDocument(file, { request = {}, previousRows } = {}) {
  const { matrix, problems } = readMatrixFile('t.yaml', file)
  if (problems !== undefined) throw new Error(JSON.stringify(problems))
  return makeMatrixDocument({
    id: 'made-up',
    startedAt: '2026-11-20T07:12:00.000Z',
    request: { files: [], flags: {}, only: [], scale: 1, ...request },
    tables: expandMatrices([{ id: 't', file: 't.yaml', matrix: /** @type {any} */ (matrix) }], { cores: 2 })
      .tables,
    chosen: () => true,
    previousRows
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
  const components = studyComponents(base, {
    async *runScenario(/** @type {any} */ plan, /** @type {{ id: string }} */ options) {
      const result = { ...made, id: options.id, status: 'complete', plan, ...endOf(plan, options) }
      yield { type: 'result', result }
    },
    hurried: () => true,
    results
  })
  await mkdir(folder)
  await runMatrix(document, folder, components)
  return { folder, results }
}

/** runWith is `run` of a made-up result with such warnings. @param {object[]} warnings */
export const runWith = warnings => ({ ...made.run, warnings })
