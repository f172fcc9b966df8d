import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { createInterface } from 'node:readline'

/** @typedef {'passed' | 'failed' | 'timed out'} Verdict */

const FAILURE = /^\s*not ok (?!.*# (?:TODO|SKIP))/

/**
 * runTest runs one test file until its first failure.
 *
 * @param {string} file
 * @param {object} how
 * @param {string} how.cwd
 * @param {string} how.tmp - where the test may leave what it makes
 * @param {number} how.timeoutMs
 * @param {AbortSignal} how.signal
 * @returns {Promise<Verdict>}
 */
export async function runTest(file, { cwd, tmp, timeoutMs, signal }) {
  signal.throwIfAborted()
  const child = spawn(process.execPath, ['--test-reporter=tap', file], {
    cwd,
    // a test of its own, also when a test runs it
    env: { ...process.env, TMPDIR: tmp, NODE_TEST_CONTEXT: undefined },
    stdio: ['ignore', 'pipe', 'ignore'],
    // a group of its own, that can be ended with all its members
    detached: true
  })
  const end = () => endGroup(/** @type {number} */ (child.pid))
  /** @type {Verdict | null} */
  let verdict = null
  const decide = (/** @type {Verdict} */ known) => {
    verdict ??= known
    end()
  }
  const timer = setTimeout(() => decide('timed out'), timeoutMs)
  signal.addEventListener('abort', end)
  createInterface({ input: child.stdout }).on('line', line => {
    if (FAILURE.test(line)) decide('failed')
  })
  const [code] = await once(child, 'exit')
  clearTimeout(timer)
  signal.removeEventListener('abort', end)
  end()
  signal.throwIfAborted()
  return verdict ?? (code === 0 ? 'passed' : 'failed')
}

/** @param {number} pid - of the first of the group */
function endGroup(pid) {
  try {
    process.kill(-pid, 'SIGKILL')
  } catch {} // nobody is left
}
