/** EXIT holds every exit code of the command line. */
export const EXIT = {
  DONE: 0,
  /** the run failed or ended before its time, the server lost what it had confirmed, or nothing succeeded */
  FAILED: 1,
  /** options that cannot be run; nothing was started */
  USAGE: 2,
  /** a threshold, a comparison or a check of conformance failed, or a rule was left undecided */
  NOT_MET: 3,
  /** the load generator limited the result, and --strict was given */
  GENERATOR_LIMITED: 4,
  /** Ctrl-C, SIGTERM, SIGHUP or SIGQUIT; the partial result is kept */
  INTERRUPTED: 130
}

/**
 * exitCode says how a run or a study went: whether it came to its end, then whether it was good enough, then whether it can be believed.
 *
 * @param {{ status: string }} document - of a run or a study
 * @param {import('../studies/study-door.js').Verdict & { nothing?: boolean }} verdict - `nothing`: came of it that could be shown
 * @param {{ interrupted: boolean, strict: boolean, allowUndecided?: boolean }} how
 * @returns {number}
 */
export function exitCode(
  { status },
  { brokenOff, failed, notMet, undecided, generatorLimited, nothing },
  { interrupted, strict, allowUndecided = false }
) {
  if (status !== 'complete' && interrupted) return EXIT.INTERRUPTED
  // what a threshold broke off did what was asked for
  if (brokenOff) return EXIT.NOT_MET
  if (status !== 'complete' || failed || nothing) return EXIT.FAILED
  if (notMet || (undecided && !allowUndecided)) return EXIT.NOT_MET
  return strict && generatorLimited ? EXIT.GENERATOR_LIMITED : EXIT.DONE
}
