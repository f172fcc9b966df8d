import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { describe, test } from 'node:test'
import { fileURLToPath } from 'node:url'

const PROGRAM = fileURLToPath(new URL('../../index.js', import.meta.url))

/** @param {string[]} args @returns {Promise<{ code: number, stdout: string, stderr: string }>} */
const doctor = args =>
  new Promise(resolve =>
    execFile(process.execPath, [PROGRAM, 'doctor', ...args], (error, stdout, stderr) =>
      resolve({ code: Number(error?.code ?? 0), stdout, stderr })
    )
  )

/** Begun before the tests of the file, and of those it shares a process with: it takes 22 s, which they need not wait for. */
const begun = doctor(['--json'])

describe('node index.js doctor', { timeout: 900_000 }, () => {
  test('--json: what the machine is, and how late its timers are, by sleeps that were made', async () => {
    const { code, stdout, stderr } = await begun
    assert.equal(code, 0, stderr)
    const { host, hiccups } = JSON.parse(stdout)
    assert.ok(host.cores >= 1)
    assert.ok(hiccups.count > 100 && hiccups.p50.ms >= 0 && hiccups.max.ms >= hiccups.p50.ms)
    assert.match(stderr, /measuring timer lateness for 16 s/)
  })

  test('--json: what clients measure here of a server that does nothing', async () => {
    const { stdout, stderr } = await begun
    const { floor } = JSON.parse(stdout)
    assert.deepEqual([floor.ratePerSecond, floor.clients, floor.operations], [1000, 4, 2000])
    assert.ok(floor.rt.p50.ms > 0 && floor.rt.p99.ms >= floor.rt.p50.ms)
    assert.match(stderr, /asking a null server/)
  })
})
