/** EXIT holds every exit code of the command line. */
export const EXIT = Object.freeze({
  DONE: 0,
  /** the run failed or ended before its time */
  FAILED: 1,
  /** options that cannot be run; nothing was started */
  USAGE: 2,
  /** a threshold, a comparison or a check of conformance failed */
  NOT_MET: 3,
  /** the result is doubtful, and --strict was given */
  DOUBTFUL: 4,
  /** Ctrl-C or SIGTERM; the partial result is kept */
  INTERRUPTED: 130
})
