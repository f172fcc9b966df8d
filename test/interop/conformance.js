// Writes the table of docs/conformance.md anew: `node test/interop/conformance.js`. What it is made of is held in
// fixtures/conformance.json, by tests; with CONFORMANCE=record they write it instead.
import assert from 'node:assert/strict'
import { readFileSync, writeFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { markdownTable } from 'markdown-table'
import { CHECK_GROUPS, examineServer } from '../../src/conformance/examination.js'
import { escapeMarkdown } from '../../src/kit/text-layout.js'

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

/** conformanceTable is every check of every server, and what came out where it did not pass, as markdown. */
export function conformanceTable() {
  const servers = held()
  /** @type {string[]} */
  const notes = []
  /** @param {string} server @param {string} id */
  const cell = (server, id) => {
    const [, verdict, found] = /^(.*?): (.*)$/.exec(servers[server][id] ?? 'pass: ') ?? []
    if (verdict === 'pass') return verdict
    const note = `${server}: ${escapeMarkdown(found)}`
    if (!notes.includes(note)) notes.push(note)
    return `${verdict} ${notes.indexOf(note) + 1}`
  }
  const names = Object.keys(servers)
  const rows = CHECK_GROUPS.flatMap(({ title, checks }) => [
    [`**${title}**`, ...names.map(() => ''), ''],
    ...checks.map(({ id, title, sentence = 'beyond' }) => [
      `${escapeMarkdown(title)} (\`${id}\`)`,
      ...names.map(name => cell(name, id)),
      escapeMarkdown(sentence)
    ])
  ])
  const table = markdownTable([['', ...names, 'Stands for'], ...rows])
  return `${table}\n\n${notes.map((note, index) => `${index + 1}. ${note}`).join('\n')}\n`
}

/** conformanceDoc is the document as it is and as it should be. */
export function conformanceDoc() {
  const doc = readFileSync(DOC, 'utf8')
  const head = doc.slice(0, doc.indexOf('\n', doc.indexOf('<!-- table')) + 1)
  return { doc, made: `${head}\n${conformanceTable()}` }
}

if (process.argv[1] === fileURLToPath(import.meta.url)) writeFileSync(DOC, conformanceDoc().made)
