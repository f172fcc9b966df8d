import assert from 'node:assert/strict'

/**
 * assertNeverBegan holds a run that failed before any load against what it must have said: one line, with its code at the end, and nothing else.
 *
 * @param {Pick<import('./loadtest.js').Outcome, 'code' | 'stdout' | 'stderr' | 'folders'>} ended
 * @param {string} code
 * @param {RegExp} message
 */
export function assertNeverBegan({ code: exitCode, stdout, stderr, folders }, code, message) {
  assert.equal(exitCode, 1, stderr)
  const line = stderr.trimEnd().split('\n').at(-1) ?? ''
  assert.match(line, message)
  assert.ok(line.endsWith(` (${code})`), line)
  assert.deepEqual([stdout, folders], ['', []])
  assert.doesNotMatch(stderr, /^error|^ +at |Not every report/m)
}

/**
 * assertBrokenOff holds a run that was broken off, before any load or after, against what it must have said.
 *
 * @param {Pick<import('./gossip-network.js').GossipOutcome, 'code' | 'stdout' | 'stderr' | 'folders' | 'result'>} ended
 * @param {string} reason
 * @param {RegExp} message
 */
export function assertBrokenOff(ended, reason, message) {
  const { code, stderr, result } = ended
  if (result === null) return assertNeverBegan(ended, reason, message)
  const exitCode = reason === 'INTERRUPTED' ? 130 : 1
  assert.deepEqual([code, result.status, result.reason?.code], [exitCode, 'partial', reason], stderr)
  assert.match(String(result.reason?.message), message)
}
