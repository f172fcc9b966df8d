import '../../src/kit/runtime.js'
import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { appendFileSync } from 'node:fs'
import { readdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { test } from 'node:test'
import { promisify } from 'node:util'
import { newFolder, runSaying, TIMEOUT } from '../acceptance/loadtest.js'

/** Of clients that think: what breaks is the same, and nothing else is busy. */
const THINKING = [
  ...['--warmup', '100ms', '--initialRegistrations', '10', '--server', 'process'],
  ...['--thinkTime', '20ms']
]

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
