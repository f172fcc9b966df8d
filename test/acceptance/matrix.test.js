import '../../src/kit/runtime.js'
import assert from 'node:assert/strict'
import { readdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, test } from 'node:test'
import { call, INDEX, newFolder, startProgram, TIMEOUT } from './loadtest.js'
import { ON_LINUX } from './processes.js'

/** @typedef {import('../../src/studies/matrix/matrix-document.js').MatrixDocument} MatrixDocument */

/** Three short rows, whose clients think: there is time to break one off, and nothing else is busy. */
const MATRIX = `
title: Tiny
defaults: { nClients: 2, initialRegistrations: 10, warmup: 20ms, server: process, duration: 1s, thinkTime: 20ms }
rows:
  - benchmarkType: REGISTER
    reference: { rtMs: [16, 15, 26] }
  - benchmarkType: DISCOVER
    discoverLimit: 5
  - benchmarkType: UNREGISTER
`

/** A folder with a matrix file, and what is run there. @param {string} text */
async function matrixIn(text) {
  const base = await newFolder()
  const file = join(base, 'tiny.yaml')
  await writeFile(file, text)
  const outputDir = join(base, 'results')
  /** @param {string[]} args */
  const start = args => startProgram(INDEX, ['matrix', ...args, '--outputDir', outputDir], { ownGroup: true })
  return {
    file,
    start,
    /** @param {string[]} args */
    run: args => call(['matrix', ...args, '--outputDir', outputDir]),
    async left() {
      const folders = await readdir(outputDir)
      const folder = join(outputDir, folders[0])
      const read = (/** @type {string} */ name) => readFile(join(folder, name), 'utf8')
      /** @type {MatrixDocument} */
      const document = JSON.parse(await read('matrix.json'))
      const { rows } = document.tables[0]
      return { folders, document, rows, read, page: await read('report.md') }
    }
  }
}

/** @param {MatrixDocument['tables'][number]['rows']} rows */
const states = rows => rows.map(({ status }) => status)

// what else a matrix does is in test/cli/commands/matrix.test.js
describe('a matrix', () => {
  test('that is broken off is resumed: finished rows are not run again, and all stand in one table', {
    ...TIMEOUT,
    ...ON_LINUX
  }, async () => {
    const { file, start, run, left } = await matrixIn(MATRIX)
    const program = start([file])
    await program.line(/^ {2}2\/3/)
    program.signalGroup('SIGINT')
    const interrupted = await program.ended
    assert.equal(interrupted.code, 130, interrupted.stderr)
    assert.deepEqual(await program.leftAfter(), [])
    const before = await left()
    assert.deepEqual(states(before.rows), ['complete', 'interrupted', 'pending'])
    assert.equal(before.document.reason?.code, 'INTERRUPTED')
    assert.match(before.page, /\| interrupted +\|/)

    const { code, stdout, stderr } = await run(['--resume'])
    assert.equal(code, 0, stderr)
    assert.doesNotMatch(stderr, /tiny\/register/)
    assert.match(stdout, /^Tiny: 3 of 3 rows measured\.$/m)
    const { folders, rows, read, page } = await left()
    assert.equal(folders.length, 1)
    assert.deepEqual(states(rows), ['complete', 'complete', 'complete'])
    assert.deepEqual(rows[0], before.rows[0])
    const types = []
    for (const { result, plan } of rows) {
      const document = JSON.parse(await read(String(result)))
      assert.deepEqual([document.status, document.plan], ['complete', plan])
      types.push(...Object.keys(document.outcome.operations))
    }
    assert.deepEqual(types, ['REGISTER', 'DISCOVER', 'UNREGISTER'])
    assert.match(page, /^\| register\S+ +\| .*\| REGISTER .* \| +[\d.]+ \| +16 \|/m)
  })
})
