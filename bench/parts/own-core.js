// Preloaded into every process of a run by NODE_OPTIONS: keeps the server on the first core and what generates load on the second, where
// BENCH_APART says so. All threads of a process, also those that it starts later.
import { execFileSync } from 'node:child_process'

/** By the end of what a process runs. */
const CORES = { 'server/main.js': '0', 'scenarios/rendezvous/worker/entry.js': '1' }

const [, core] = Object.entries(CORES).find(([entry]) => process.argv[1]?.endsWith(entry)) ?? []

if (process.env.BENCH_APART === 'yes' && core !== undefined)
  execFileSync('taskset', ['--all-tasks', '--cpu-list', '--pid', core, String(process.pid)], {
    stdio: 'ignore'
  })
