/** EXIT holds every exit code of the command line. */
export const EXIT = Object.freeze({
  DONE: 0,
  /** the run failed or ended before its time, the server lost what it had confirmed, or nothing succeeded */
  FAILED: 1,
  /** options that cannot be run; nothing was started */
  USAGE: 2,
  /** a threshold or a comparison failed */
  NOT_MET: 3,
  /** the result is doubtful, and --strict was given */
  DOUBTFUL: 4,
  /** Ctrl-C or SIGTERM; the partial result is kept */
  INTERRUPTED: 130
})
