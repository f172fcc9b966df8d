import '../../src/kit/runtime.js'
import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { appendFileSync } from 'node:fs'
import { readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { test } from 'node:test'
import { promisify } from 'node:util'
import { assertComplete } from './consistent.js'
import { call, newFolder, run, runSaying, TIMEOUT } from './loadtest.js'

const SMALL = ['--warmup', '100ms', '--initialRegistrations', '10', '--server', 'process']
const TINY = [...SMALL, '--minDuration', '1500ms', '--benchmarkRuns', '50']
/** Of clients that think: what breaks is the same, and nothing else is busy. */
const THINKING = [...SMALL, '--thinkTime', '20ms']

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

const mount = promisify(execFile)

/** Only root may make a small disk. @param {string} folder @returns {Promise<boolean>} */
const smallDisk = folder =>
  mount('mount', ['-t', 'tmpfs', '-o', 'size=256k', 'loadtest', folder]).then(
    () => true,
    () => false
  )

test(
  'a disk that runs full in mid-run leaves the result as it was, readable and partial',
  TIMEOUT,
  async t => {
    const outputDir = await newFolder()
    if (!(await smallDisk(outputDir))) {
      const reason = 'a full disk: only root can mount a small one'
      if (process.env.SKIPPED_LOG) appendFileSync(process.env.SKIPPED_LOG, `${reason}\n`)
      return t.skip(reason)
    }
    try {
      const { ended } = await runSaying(['--duration', '3s', ...THINKING], /✔ warm-up/, { outputDir })
      await assert.rejects(writeFile(join(outputDir, '0-filler'), Buffer.alloc(300_000)), { code: 'ENOSPC' })
      const { code, stderr, stdout, result, folder } = await ended
      assert.equal(code, 1)
      assert.match(stderr, /error: ENOSPC/)
      assert.match(stdout, /^\| REGISTER /m, 'the table is printed all the same')
      assert.equal(result.status, 'partial')
      // a page that is still free may take the small markdown report, which is then whole
      const left = await readdir(folder)
      assert.ok(left.includes('result.json') && !left.includes('report.html'), left.join())
      assert.ok(!left.some(file => file.endsWith('.tmp')), left.join())
    } finally {
      await mount('umount', [outputDir])
    }
  }
)
