import { remainingMs } from '../plan/estimate.js'
import { runKept } from './run-kept.js'

/**
 * A study is many plans run in turn: the next plan is run, kept and judged, and the document of the study says at any time what is
 * known. What a study does next, and what it makes of what came of a run, is its own; all else is here.
 *
 * @typedef {import('../result/types.js').Reason} Reason
 * @typedef {import('./run-kept.js').Ended} Ended
 * @typedef {import('./run-kept.js').RunComponents} RunComponents
 *
 * @typedef {object} Head - what the document of every study has
 * @property {1} schemaVersion
 * @property {string} id - also the name of its folder
 * @property {'running' | 'complete' | 'partial'} status - `running` is left behind only by a process that was killed
 * @property {Reason | null} reason - why it is partial
 * @property {string} startedAt - ISO 8601
 * @property {string | null} finishedAt
 *
 * @typedef {import('../result/folder.js').RunFolder & { inside?: string }} TurnFolder - `inside`: its path in the folder of the study
 *
 * @typedef {object} Turn - a run of a study
 * @property {string} label
 * @property {any} plan
 * @property {number} index - among the runs of the study, from 1
 * @property {number} total - of them, as far as it is known
 * @property {readonly any[]} left - plans that are still to be run, this one too
 * @property {() => Promise<TurnFolder>} makeFolder - of the run
 * @property {(folder: TurnFolder) => void} [begin] - what the document says while it goes on
 * @property {(ended: Ended, folder: TurnFolder) => void | Promise<void>} keep - what came of it
 *
 * @typedef {(turn: Turn) => Promise<Ended>} RunTurn
 *
 * @typedef {object} Study
 * @property {Head} document - grows
 * @property {() => Promise<void>} save - the document
 * @property {(run: RunTurn) => Promise<void>} conduct - runs what is left of it
 * @property {() => Reason | null} open - why it is not complete where nothing ended it
 * @property {() => void | Promise<void>} [conclude] - what its runs came to
 * @property {readonly { plan: any, tookMs: number | null }[]} [before] - runs that were made before it was gone on with
 * @property {number} [parallel] - so many runs go on side by side
 */

/** StudyEndedError ends a study early, for a reason that its document keeps. */
export class StudyEndedError extends Error {
  name = 'StudyEndedError'

  /** @param {Reason} reason */
  constructor(reason) {
    super(reason.message)
    this.code = reason.code
  }
}

/**
 * newHead begins the document of a study.
 *
 * @param {string} id
 * @param {Date} now
 * @returns {Head}
 */
export const newHead = (id, now) => ({
  schemaVersion: 1,
  id,
  status: 'running',
  reason: null,
  startedAt: now.toISOString(),
  finishedAt: null
})

/** @param {unknown} error @param {AbortSignal} signal @returns {Reason} @throws what is neither an interruption nor an early end */
function reasonOf(error, signal) {
  if (signal.aborted) return { code: 'INTERRUPTED', message: signal.reason.message }
  if (error instanceof StudyEndedError) return { code: error.code, message: error.message }
  throw error
}

/** @param {Study} study @param {RunComponents} components @returns {RunTurn} */
function turnRunner({ save, before = [], parallel = 1 }, components) {
  const { viewOf, signal } = components
  const estimateMs = (/** @type {any} */ plan) => viewOf(plan).scenario.estimateMs(plan)
  const done = before.flatMap(({ plan, tookMs }) =>
    tookMs === null ? [] : [{ estimateMs: estimateMs(plan), tookMs }]
  )
  return async ({ left, makeFolder, begin, keep, ...turn }) => {
    signal.throwIfAborted()
    const etaMs = remainingMs(done, left.map(estimateMs)) / parallel
    const folder = await makeFolder()
    if (begin !== undefined) {
      begin(folder)
      await save()
    }
    const ended = await runKept({ ...turn, etaMs }, folder, components)
    done.push({ estimateMs: estimateMs(turn.plan), tookMs: ended.tookMs })
    await keep(ended, folder)
    await save()
    signal.throwIfAborted()
    return ended
  }
}

/**
 * runStudy runs what is left of a study. Its document is kept up to date, so that what was measured is there whatever happens.
 *
 * @param {Study} study
 * @param {RunComponents & { now: () => Date }} components
 * @throws what is neither an interruption nor a run that did not come to its end
 */
export async function runStudy(study, components) {
  const { document, save, conduct, open, conclude } = study
  const { signal, now } = components
  Object.assign(document, { status: 'running', reason: null, finishedAt: null })
  await save()
  try {
    await conduct(turnRunner(study, components))
  } catch (error) {
    document.reason = reasonOf(error, signal)
  }
  document.reason ??= open()
  document.status = document.reason === null ? 'complete' : 'partial'
  document.finishedAt = now().toISOString()
  await conclude?.()
  await save()
}
