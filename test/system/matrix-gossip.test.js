import '../../src/kit/runtime.js'
import assert from 'node:assert/strict'
import { readdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, test } from 'node:test'
import { call, newFolder, TIMEOUT } from '../acceptance/loadtest.js'

/** @typedef {import('../../src/studies/matrix/matrix-document.js').MatrixDocument} MatrixDocument */

/** Two short rows, and one that real TCP cannot do. */
const SERIES = `
scenario: gossip
title: Tiny series
defaults: { nodes: 5, workers: 1, rate: 100/s, duration: 10s, preset: study-2019, heartbeat_interval: 200ms }
rows:
  - { name: full, topology: full, reference: { disseminationMs: 154, lost: [22, 36000] } }
  - { name: line, topology: line }
  - { name: lossy, topology: full, linkLoss: 0.1%, needs: simulated }
`

async function seriesIn() {
  const base = await newFolder()
  const file = join(base, 'tiny.yaml')
  await writeFile(file, SERIES)
  const outputDir = join(base, 'results')
  return {
    file,
    /** @param {string[]} args */
    run: args => call(['matrix', ...args, '--outputDir', outputDir]),
    async left() {
      const [folder] = await readdir(outputDir)
      const read = (/** @type {string} */ name) => readFile(join(outputDir, folder, name), 'utf8')
      /** @type {MatrixDocument} */
      const document = JSON.parse(await read('matrix.json'))
      return { read, rows: document.tables[0].rows, page: await read('report.md') }
    }
  }
}

describe('a matrix of gossip networks', () => {
  test(
    'runs its rows at the rate and for the time they are scaled to, and lists those it cannot run',
    TIMEOUT,
    async () => {
      const { file, run, left } = await seriesIn()
      const scaled = ['--network', 'loopback', '--scaleRate', '0.1', '--scaleTime', '0.1']
      const { code, stdout, stderr } = await run([file, ...scaled])
      assert.equal(code, 0, stderr)
      assert.match(stdout, /^Tiny series: 2 of 3 rows measured, 1 cannot run on this machine\.$/m)
      const { rows, read, page } = await left()
      assert.deepEqual(
        rows.map(({ name, status }) => [name, status]),
        [
          ['full', 'complete'],
          ['line', 'complete'],
          ['lossy', 'blocked']
        ]
      )
      for (const { result, plan } of rows.slice(0, 2)) {
        const { outcome, ...document } = JSON.parse(await read(String(result)))
        assert.deepEqual([document.scenario, document.status, document.plan], ['gossip', 'complete', plan])
        assert.deepEqual([outcome.messages.planned, outcome.delivery.ratio], [10, 1])
      }
      assert.match(page, /^\| full +\| .* 5 \| full .*\| +10 \|/m)
      assert.match(page, /^\| tiny\/full +\| Dissem\. avg ms +\| +154 \| +100 \|/m)
      assert.match(await read('report.html'), /Dissemination/)
    }
  )
})
