import { EXIT } from './exit-codes.js'

/**
 * trialsExitCode says how a command that tries loads went.
 *
 * @param {Pick<import('../studies/saturation/result/saturation-document.js').Head, 'status'>} document
 * @param {{ interrupted: boolean, strict: boolean, doubtful: boolean }} how - `doubtful`: a figure is not what it seems to be
 * @returns {number}
 */
export function trialsExitCode({ status }, { interrupted, strict, doubtful }) {
  if (status !== 'complete') return interrupted ? EXIT.INTERRUPTED : EXIT.FAILED
  return strict && doubtful ? EXIT.DOUBTFUL : EXIT.DONE
}
