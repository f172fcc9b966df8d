// Loaded into each process of tests by scripts/test.js: when it ends, its CPU time goes as a line into the file that CPU_LOG
// names, that of the processes it started and waited for included where the system tells it.
import { appendFileSync, readFileSync } from 'node:fs'
import { dirname, relative } from 'node:path'

/** Of what /proc counts in, on every architecture that Node runs on; see proc(5). */
const TICKS_PER_SECOND = 100

/** Fields after the name of the program: user and system time, own and of children that were waited for. */
const CPU_FIELDS = Object.freeze([11, 12, 13, 14])

/** cpuSeconds is the CPU time of this process and, on Linux, of the children it has waited for, theirs included. */
export function cpuSeconds() {
  try {
    const stat = readFileSync('/proc/self/stat', 'utf8')
    // the second field, a name in brackets, may have spaces in it
    const fields = stat.slice(stat.lastIndexOf(') ') + 2).split(' ')
    return CPU_FIELDS.reduce((ticks, field) => ticks + Number(fields[field]), 0) / TICKS_PER_SECOND
  } catch {
    const { user, system } = process.cpuUsage()
    return (user + system) / 1e6
  }
}

/** @param {string} log */
const noteAtEnd = log => {
  // what scripts/parts/shared-process.js has made stands beside the log
  const made = relative(dirname(log), process.argv[1])
  const file = made.startsWith('..') ? relative('.', process.argv[1]) : made
  process.once('exit', () => appendFileSync(log, `${cpuSeconds().toFixed(2)} ${file}\n`))
}

// neither the runner of the tests nor a worker that a test forks with the options of its own process
const { CPU_LOG } = process.env
if (CPU_LOG !== undefined && /\.test\.m?js$/.test(process.argv[1] ?? '')) noteAtEnd(CPU_LOG)
