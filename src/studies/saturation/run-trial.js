import { mkdir } from 'node:fs/promises'
import { join, posix } from 'node:path'
import { makeRunFolder } from '../../result/folder.js'
import { StudyEndedError } from '../study.js'
import { judgeOf } from './result/judges.js'

/**
 * @typedef {import('./result/trial.js').AnyTrial} Trial
 *
 * @typedef {object} Trials - what the trials of a study share
 * @property {import('../study.js').RunTurn} run
 * @property {string} folder - of all trials
 * @property {number} [inTimeMs] - within which a message of a gossip network is to reach everyone
 */

/** RUNS is the folder of the runs, in that of their document. */
const RUNS = 'runs'

/**
 * runTrial runs a trial, on a server of its own where the server is ours, and keeps its run. The trial says what became of it.
 *
 * @param {Trial} trial - is filled
 * @param {Pick<import('../study.js').Turn, 'label' | 'index' | 'total' | 'left'> & { judge?: () => void }} about - `judge`: what the
 *   trial shows, beside its figures
 * @param {Trials} trials
 */
export async function runTrial(trial, { judge, ...about }, { run, folder, inTimeMs }) {
  await run({
    ...about,
    plan: trial.plan,
    async makeFolder() {
      await mkdir(join(folder, RUNS), { recursive: true })
      return makeRunFolder(join(folder, RUNS), trial.name)
    },
    keep({ status, reason, tookMs, result }, { id }) {
      Object.assign(trial, {
        status,
        reason,
        tookMs,
        run: result === null ? null : posix.join(RUNS, id),
        // what was measured of a run that was broken off is no measure of its load
        point: result?.status === 'complete' ? judgeOf(trial.plan).pointOf(result, { inTimeMs }) : null
      })
      judge?.()
    }
  })
}

/**
 * blameless ends a study at a run that did not come to its end where nothing of its load is to blame.
 *
 * @param {Pick<Trial, 'name' | 'reason'>} trial
 * @returns {StudyEndedError}
 */
export const blameless = ({ name, reason }) =>
  new StudyEndedError({
    code: reason?.code ?? 'NO_RESULT',
    message: `${name}: ${reason?.message ?? 'it ended without a result'}`
  })
