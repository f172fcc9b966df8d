import '../../src/kit/runtime.js'
import assert from 'node:assert/strict'
import { readdir, readFile, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { test } from 'node:test'
import { assertComplete } from './consistent.js'
import { call, newFolder, run, TIMEOUT } from './loadtest.js'

const TINY = [
  ...['--warmup', '100ms', '--initialRegistrations', '10', '--server', 'process'],
  ...['--minDuration', '1500ms', '--benchmarkRuns', '50']
]

/** @param {string} folder */
async function filesOf(folder) {
  const names = (await readdir(folder)).sort()
  return Object.fromEntries(
    await Promise.all(names.map(async name => [name, await readFile(join(folder, name), 'utf8')]))
  )
}

test(
  'the views of a run are made again from its result alone, the same to the byte; it is listed; it is run again',
  TIMEOUT,
  async () => {
    const outputDir = await newFolder()
    const first = await run([...TINY, '--csv', '--seed', '7'], { outputDir })
    assertComplete(first)
    const { folder, stdout } = first
    const files = await filesOf(folder)
    for (const file of [
      'report.html',
      'report.md',
      'operations.csv',
      'response-times.csv',
      'server-cpu.csv',
      'result.json'
    ])
      assert.ok(file in files, file)
    for (const [name] of Object.entries(files)) if (name !== 'result.json') await rm(join(folder, name))
    const report = await call(['report', folder, '--csv'])
    assert.equal(report.code, 0, report.stderr)
    assert.deepEqual(await filesOf(folder), files)
    const [shown] = stdout.split(`\n${folder}/`)
    assert.ok(report.stdout.startsWith(shown), 'what the run printed is printed again')

    const again = await call(['rerun', folder, '--outputDir', outputDir])
    assert.equal(again.code, 0, again.stderr)
    assert.doesNotMatch(again.stderr, /another machine|other versions/)
    const [one, two] = await readdir(outputDir)
    assert.match(two, /-rendezvous-7-2$|-rendezvous-7$/)
    const other = JSON.parse(await readFile(join(outputDir, two, 'result.json'), 'utf8'))
    assert.deepEqual(other.plan, first.result.plan)

    const { stdout: list } = await call(['list', outputDir])
    for (const name of [one, two]) assert.ok(list.includes(name))
    assert.match(list, /\| 50 REGISTER \(refresh\).* \| REGISTER [\d.,]+\/s, p50 /)
  }
)
