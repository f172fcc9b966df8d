/** TrialFailedError says that a run did not come to its end where nothing of its load is to blame. */
export class TrialFailedError extends Error {
  name = 'TrialFailedError'
  code

  /** @param {Pick<import('../result/saturation/trial.js').Trial, 'name' | 'reason'>} trial */
  constructor({ name, reason }) {
    super(`${name}: ${reason?.message ?? 'it ended without a result'}`)
    this.code = reason?.code ?? 'NO_RESULT'
  }
}
