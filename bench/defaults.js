import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { minimatch } from 'minimatch'
import { runScenario } from '../src/run/run.js'
import { loadScenario } from '../src/scenarios/index.js'
import { makePlanOf } from '../test/scenarios.js'
import { kept } from './parts/kept.js'
import { processesCpu } from './parts/processes-cpu.js'

/** Half of two cores that are three times slower. */
const TARGET_CORES = 0.33

/**
 * What each command does by default. What goes on for minutes, or until Ctrl-C, is looked at for a while.
 *
 * @type {Record<string, { scenario: string, options?: Record<string, unknown>, phases: readonly string[] }>}
 */
const DEFAULTS = {
  gossip: { scenario: 'gossip', phases: ['publish'] },
  profile: { scenario: 'profile', options: { duration: '30s' }, phases: ['publish'] },
  perf: { scenario: 'perf', phases: ['measure', 'latency', 'handshakes'] },
  transfer: { scenario: 'transfer', phases: ['measure'] }
}

/** @param {string} name @returns {Promise<{ seconds: number, cpuSeconds: number }>} of the phases in which is measured */
async function measure(name) {
  const { scenario, options = {}, phases } = DEFAULTS[name]
  const { plan, problems } = makePlanOf(scenario, options)
  if (plan === undefined) throw new Error(JSON.stringify(problems))
  const folder = await mkdtemp(join(tmpdir(), 'bench-'))
  const taken = { seconds: 0, cpuSeconds: 0 }
  try {
    for await (const record of runScenario(loadScenario)(plan, { id: 'bench', folder })) {
      if (record.type === 'phase' && phases.includes(record.name)) {
        const sign = record.state === 'begin' ? -1 : 1
        taken.seconds += (sign * performance.now()) / 1000
        taken.cpuSeconds += sign * processesCpu()
      }
      if (record.type === 'result' && record.result.status !== 'complete')
        throw new Error(`${name} failed: ${record.result.reason?.message}`)
    }
    return taken
  } finally {
    await rm(folder, { recursive: true })
  }
}

/**
 * defaults is how much of a core each command takes of this machine while it measures with its defaults.
 *
 * @param {{ only: string, keep: boolean }} options - `only`: of the commands
 */
export async function defaults({ only, keep }) {
  /** @type {Record<string, string[]>} */
  const rows = {}
  for (const name of Object.keys(DEFAULTS).filter(each => minimatch(each, only))) {
    const { seconds, cpuSeconds } = await measure(name)
    const cores = cpuSeconds / seconds
    rows[name] = [
      `\`${name}\``,
      seconds.toFixed(1),
      cpuSeconds.toFixed(1),
      cores.toFixed(2),
      `≤ ${TARGET_CORES}`
    ]
    process.stderr.write(`  ${rows[name].join('  ')}\n`)
  }
  const table = {
    title: 'CPU time of all processes while the defaults of each command are measured',
    head: ['Command', 'Measured for, s', 'CPU, s', 'Cores', 'Target'],
    rows: Object.values(rows)
  }
  return keep ? kept('defaults', table, rows) : table
}
