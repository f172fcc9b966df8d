// Writes the table of verdicts in docs/conformance.md: `node test/interop/conformance.js`. It counts fixtures/conformance.json, which tests
// compare with what servers do; with CONFORMANCE=record they write it instead.
import assert from 'node:assert/strict'
import { readFileSync, writeFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { markdownTable } from 'markdown-table'
import { CHECK_GROUPS, examineServer } from '../../src/conformance/examination.js'

/** @typedef {Record<string, string>} Fared - how a server fared: verdict and what was found, by the id of a check; nothing where it passed */

const FIXTURE = new URL('../../fixtures/conformance.json', import.meta.url)
const DOC = new URL('../../docs/conformance.md', import.meta.url)

/** @returns {Record<string, Fared>} by the name of the server */
const held = () => JSON.parse(readFileSync(FIXTURE, 'utf8'))

/**
 * holdConformance examines a server and holds it against how it fared before.
 *
 * @param {string} name
 * @param {string} address
 * @param {Omit<import('../../src/conformance/examination.js').ExamineOptions, 'own'>} [options]
 */
export async function holdConformance(name, address, options) {
  /** @type {Fared} */
  const fared = {}
  for await (const record of examineServer(address, { own: true, ...options })) {
    if (record.type === 'end') assert.equal(record.left, 0, 'nothing stays behind')
    else if (record.outcome.verdict !== 'pass')
      fared[record.outcome.id] = `${record.outcome.verdict}: ${record.outcome.found}`
  }
  if (process.env.CONFORMANCE === 'record')
    writeFileSync(FIXTURE, `${JSON.stringify({ ...held(), [name]: fared }, null, 2)}\n`)
  else assert.deepEqual(fared, held()[name])
}

const VERDICTS = ['pass', 'differs', 'fail', 'not tested']

/** conformanceTable counts the verdicts of every server, as markdown. */
export function conformanceTable() {
  const servers = Object.entries(held())
  const ids = CHECK_GROUPS.flatMap(({ checks }) => checks.map(({ id }) => id))
  const names = servers.map(([name]) => `${name[0].toUpperCase()}${name.slice(1)}`)
  const rows = VERDICTS.map(verdict => [
    verdict,
    ...servers.map(([, fared]) =>
      String(ids.filter(id => (fared[id] ?? 'pass: ').startsWith(`${verdict}: `)).length)
    )
  ])
  return `${markdownTable([['checks', ...names], ...rows])}\n`
}

/** conformanceDoc is the document as it is and as it should be. */
export function conformanceDoc() {
  const doc = readFileSync(DOC, 'utf8')
  const head = doc.slice(0, doc.indexOf('\n', doc.indexOf('<!-- table')) + 1)
  return { doc, made: `${head}\n${conformanceTable()}` }
}

if (process.argv[1] === fileURLToPath(import.meta.url)) writeFileSync(DOC, conformanceDoc().made)
