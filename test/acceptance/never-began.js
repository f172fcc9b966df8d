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
