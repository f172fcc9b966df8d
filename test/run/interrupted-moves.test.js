import '../../src/kit/runtime.js'
import assert from 'node:assert/strict'
import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, test } from 'node:test'
import { makePlan, runPlan } from '../../src/index.js'
import { ON_LINUX } from '../acceptance/processes.js'

/** Far longer than a test may take: what ends it is the interruption. */
const OPTIONS = {
  transfer: {
    protocols: 'http,stream',
    latencies: '20ms',
    noLatencyCase: false,
    bandwidths: '200kB',
    unlimitedBandwidthCase: false,
    size: '400kB',
    store: 'disk',
    repeats: 20
  },
  perf: {
    measures: 'download,latency,handshakes',
    protocols: 'perf',
    streams: '1',
    size: '100KiB',
    latencies: '20ms',
    bandwidths: '100kB',
    exchanges: 500,
    handshakeFor: '1m'
  }
}
const PHASES = /** @type {const} */ ([
  ['transfer', 'setup'],
  ['transfer', 'files'],
  ['transfer', 'warmup'],
  ['transfer', 'measure'],
  ['perf', 'setup'],
  ['perf', 'warmup'],
  ['perf', 'measure']
])

/** Processes that this one has started and that have not ended. @returns {Promise<number[]>} pids */
async function children() {
  const stats = await Promise.all(
    (await readdir('/proc'))
      .filter(name => /^\d+$/.test(name))
      .map(pid => readFile(`/proc/${pid}/stat`, 'utf8').catch(() => ''))
  )
  // behind the name in brackets: state, parent
  return stats
    .filter(stat => stat.split(') ').at(-1)?.split(' ')[1] === String(process.pid))
    .map(stat => Number.parseInt(stat, 10))
}

describe(
  'a run that moves bytes and is interrupted ends, is kept, and leaves no process and no file',
  ON_LINUX,
  () => {
    for (const [scenario, phase] of PHASES)
      test(`${scenario}, in the phase ${phase}`, { timeout: 300_000 }, async t => {
        const { TMPDIR } = process.env
        const folder = await mkdtemp(join(tmpdir(), 'libp2p-loadtest-test-'))
        process.env.TMPDIR = folder
        t.after(async () => {
          if (TMPDIR === undefined) delete process.env.TMPDIR
          else process.env.TMPDIR = TMPDIR
          for (const pid of await children()) process.kill(pid, 'SIGKILL')
          await rm(folder, { recursive: true })
        })
        const { plan } = await makePlan(scenario, /** @type {any} */ (OPTIONS[scenario]))
        const interrupt = new AbortController()
        /** @type {any[]} */
        const records = []
        for await (const record of runPlan(/** @type {any} */ (plan), {
          id: 'run',
          signal: interrupt.signal
        })) {
          records.push(record)
          if (/** @type {any} */ (record).name === phase) setTimeout(() => interrupt.abort(), 20)
        }
        const { result } = records.at(-1)
        assert.deepEqual([result.status, result.reason?.code], ['partial', 'INTERRUPTED'])
        assert.deepEqual(await children(), [])
        assert.deepEqual(await readdir(folder), [])
      })
  }
)
