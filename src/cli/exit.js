// How commands end: exit codes, refusals, interruptions, error texts.

import { hidePasswords } from '../kit/host-address.js'
import { PROGRAM } from '../kit/runtime.js'
import { wrapForTerminal } from '../report/text.js'

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
 * computeExitCode is the exit code of a run or a study: whether it is complete, then whether it met its thresholds, then whether the generator limited it.
 *
 * @param {{ status: string }} document - of a run or a study
 * @param {import('../studies/study-views.js').StudyVerdict & { nothing?: boolean }} verdict - `nothing`: it has no result to show
 * @param {{ interrupted: boolean, strict: boolean, allowUndecided?: boolean }} how
 * @returns {number}
 */
export function computeExitCode(
  { status },
  { brokenOff, failed, notMet, undecided, generatorLimited, nothing },
  { interrupted, strict, allowUndecided = false }
) {
  if (status !== 'complete' && interrupted) return EXIT.INTERRUPTED
  // a run that a threshold ended did as its plan demands
  if (brokenOff) return EXIT.NOT_MET
  if (status !== 'complete' || failed || nothing) return EXIT.FAILED
  if (notMet || (undecided && !allowUndecided)) return EXIT.NOT_MET
  return strict && generatorLimited ? EXIT.GENERATOR_LIMITED : EXIT.DONE
}

/**
 * refuse writes why a command cannot start.
 *
 * @param {string} command
 * @param {import('../plan/plan.js').Problem[]} problems
 * @param {import('./index.js').ProcessIo} io
 * @returns {number} exit code
 */
export function refuse(command, problems, { stderr }) {
  stderr.write(
    wrapForTerminal(
      formatProblemList(problems, [PROGRAM, command, '--help'].filter(Boolean).join(' ')),
      stderr
    )
  )
  return EXIT.USAGE
}

/**
 * makeStrayWordProblems are problems with words that a command does not take.
 *
 * @param {readonly string[]} words
 * @param {string} [allowed]
 * @returns {import('../plan/plan.js').Problem[]}
 */
export const makeStrayWordProblems = (words, allowed = 'is unexpected here') =>
  words.map(word => ({ flag: word, value: '', allowed }))

/**
 * readFolderArgument reads the one folder that a command takes, or finds the problem.
 *
 * @param {string[]} words
 * @param {string} what - the folder holds
 * @returns {{ folder: string, problems: never[] } | { folder: undefined, problems: import('../plan/plan.js').Problem[] }}
 */
export function readFolderArgument([folder, ...more], what) {
  if (folder !== undefined && more.length === 0) return { folder, problems: [] }
  const value = more.join(' ')
  const allowed = folder === undefined ? `must name ${what}` : 'must name one folder only'
  return { folder: undefined, problems: [{ flag: 'folder', value, allowed }] }
}

/**
 * makeFileProblem turns the error of a result file into a problem with it.
 *
 * @param {unknown} error
 * @returns {import('../plan/plan.js').Problem}
 * @throws the error, if it is another one
 */
export function makeFileProblem(error) {
  const { code, file, why } = /** @type {import('../report/read-result.js').ResultFileError} */ (error)
  // recognised by its code, since its class is loaded only by commands that read results
  if (code !== 'BAD_RESULT') throw error
  return { flag: file, value: '', allowed: why }
}

/** @typedef {import('../plan/plan.js').Problem} Problem */

/**
 * formatProblemList writes the problems of options, a line for each. Passwords are hidden: a stray word may be an address.
 *
 * @param {Problem[]} problems
 * @param {string} help - the command that shows what is allowed
 * @returns {string}
 */
export function formatProblemList(problems, help) {
  const inputs = problems.map(({ flag, value }) => hidePasswords(`${flag} ${value}`.trim()))
  const width = Math.min(50, Math.max(...inputs.map(text => text.length)))
  return [
    `${problems.length} problem${problems.length === 1 ? '' : 's'}:`,
    ...problems.map(({ allowed }, i) => `  ${inputs[i].padEnd(width)}  ${allowed}`),
    `See ${help}`,
    ''
  ].join('\n')
}

/**
 * @param {Error} error
 * @returns {Error[]} the error and its causes
 */
function chain(error) {
  return [error, ...(error.cause instanceof Error ? chain(error.cause) : [])]
}

/**
 * formatError writes an error for people: its message, with the messages of its causes. With DEBUG set it has the stacks.
 *
 * @param {unknown} error
 * @param {Record<string, string | undefined>} [env]
 * @returns {string}
 */
export function formatError(error, env = process.env) {
  if (!(error instanceof Error)) return `error: ${String(error)}\n`
  if (env.DEBUG)
    return `error: ${chain(error)
      .map(({ stack }) => stack)
      .join('\ncaused by ')}\n`
  return `error: ${chain(error)
    .map(({ message, name }) => message || name)
    .join(': ')}\n`
}

/** InterruptedError is the reason of the signal that ends a run. */
class InterruptedError extends Error {
  name = 'InterruptedError'
  code = 'INTERRUPTED'
}

/** @type {readonly NodeJS.Signals[]} */
const SIGNALS = ['SIGINT', 'SIGTERM', 'SIGHUP', 'SIGQUIT']

/**
 * catchSignals turns signals that end a program into an abort: the first lets the run stop cleanly, the second ends the process.
 * SIGHUP comes twice, from the kernel and from a shell.
 *
 * @param {Pick<NodeJS.Process, 'on' | 'off' | 'exit'>} process
 * @param {() => void} onFirst - tells the user
 * @returns {{ signal: AbortSignal, release: () => void }}
 */
export function catchSignals(process, onFirst) {
  const controller = new AbortController()
  /** @param {NodeJS.Signals} name */
  const interrupt = name => {
    if (controller.signal.aborted && name === 'SIGHUP') return
    if (controller.signal.aborted) process.exit(EXIT.INTERRUPTED)
    controller.abort(new InterruptedError(`interrupted by ${name}`))
    onFirst()
  }
  for (const name of SIGNALS) process.on(name, interrupt)
  const release = () => {
    for (const name of SIGNALS) process.off(name, interrupt)
  }
  return { signal: controller.signal, release }
}
