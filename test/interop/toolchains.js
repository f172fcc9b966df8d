import { spawnSync } from 'node:child_process'
import { appendFileSync } from 'node:fs'

/** @typedef {import('./implementations.js').Implementation} Implementation */

/** INTEROP_WITHOUT names implementations that are left out on purpose: words, joined by commas or spaces. */
const WITHOUT = (process.env.INTEROP_WITHOUT ?? '').split(/[\s,]+/)

/**
 * versionOf is what a toolchain says of itself.
 *
 * @param {Implementation} implementation
 * @returns {string | null} null: it is not installed
 */
export function versionOf({ toolchain: { version } }) {
  const [program, ...args] = version
  const { status, stdout } = spawnSync(program, args, { encoding: 'utf8' })
  return status === 0 ? stdout.trim() : null
}

/**
 * obstacleOf says why an implementation cannot be tried here.
 *
 * @param {Implementation} implementation
 * @returns {string | null} null: it can
 */
export function obstacleOf(implementation) {
  if (WITHOUT.includes(implementation.name)) return 'INTEROP_WITHOUT names it'
  if (versionOf(implementation) !== null) return null
  return `${implementation.toolchain.version[0]} is missing: ${implementation.toolchain.install}`
}

/**
 * needs are the options of tests of an implementation. Where its toolchain is missing they are skipped, but fail where CI is
 * set, unless INTEROP_WITHOUT names the implementation.
 *
 * @param {Implementation} implementation
 */
export function needs(implementation) {
  const obstacle = obstacleOf(implementation)
  const mayBeMissing = !process.env.CI || WITHOUT.includes(implementation.name)
  return { skip: mayBeMissing ? (obstacle ?? false) : false }
}

/** tellSkipped says once that an implementation is left out. @param {Implementation} implementation */
export function tellSkipped(implementation) {
  const { skip } = needs(implementation)
  if (skip && process.env.SKIPPED_LOG)
    appendFileSync(process.env.SKIPPED_LOG, `${implementation.software}: ${skip}\n`)
}
