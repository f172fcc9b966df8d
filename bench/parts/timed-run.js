import { spawn } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { readPressure } from '../../src/measure/resources.js'

const MAIN_CPU = new URL('./main-cpu.js', import.meta.url).href
/** Node tells of the CPU time of children only while they run: the shell is asked. */
const TIMED = 'TIMEFORMAT="%3U %3S"; time "$@"'

/**
 * @typedef {object} TimedRun
 * @property {any} document - the result
 * @property {number} cpuSeconds - of all processes
 * @property {number} mainCpuSeconds - of the program's own
 * @property {number | null} pressure - share of the run in which something waited for a core, in %; null: the system does not tell
 */

/**
 * timedRun runs index.js of a checkout, of whatever version, and leaves nothing.
 *
 * @param {string} folder - of the checkout
 * @param {readonly string[]} args
 * @param {string} [node] - that runs it: the path of its program
 * @returns {Promise<TimedRun>}
 * @throws {Error} it is not complete
 */
export async function timedRun(folder, args, node = process.execPath) {
  const outputDir = mkdtempSync(join(tmpdir(), 'timed-run-'))
  const mainCpu = join(outputDir, 'main-cpu')
  const command = [node, `--import=${MAIN_CPU}`, join(folder, 'index.js'), ...args, '--json', '--quiet']
  try {
    const [waited, began] = [readPressure().waitedMicros, performance.now()]
    const child = spawn('bash', ['-c', TIMED, 'bash', ...command, '--outputDir', outputDir], {
      cwd: folder,
      env: { ...process.env, MAIN_CPU_FILE: mainCpu },
      stdio: ['ignore', 'pipe', 'pipe']
    })
    const [output, said] = await Promise.all([text(child.stdout), text(child.stderr)])
    const { waitedMicros } = readPressure()
    const pressed =
      waited === null || waitedMicros === null
        ? null
        : (waitedMicros - waited) / 10 / (performance.now() - began)
    const document = output === '' ? null : JSON.parse(output)
    if (document?.status !== 'complete') throw new Error(`a run failed: ${document?.reason?.message ?? said}`)
    const [user, system] = said.trim().split('\n').at(-1)?.split(' ').map(Number) ?? []
    return {
      document,
      cpuSeconds: user + system,
      mainCpuSeconds: Number(readFileSync(mainCpu, 'utf8')),
      pressure: pressed
    }
  } finally {
    rmSync(outputDir, { recursive: true, force: true })
  }
}
