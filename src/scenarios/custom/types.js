/**
 * What a scenario of a user's own says of itself. Only types live here; docs/extending.md shows one.
 *
 * @typedef {import('../../plan/option.js').Option} Option
 * @typedef {import('../../report/description/description.js').Description} Description
 * @typedef {typeof import('../../plan/values.js') & typeof import('../../plan/target-address.js')} Kinds
 *
 * @typedef {Omit<Option, 'group'> & { group?: string, needed?: boolean }} CustomOption - `needed`: it has to be given
 *
 * @typedef {(signal: AbortSignal) => Promise<unknown>} Operation - `signal`: aborted when its time is over or the run is ended; it
 *   fails by throwing
 *
 * @typedef {object} Tools - what a run is handed
 * @property {<T>(name: string, work: (signal: AbortSignal) => Promise<T> | T) => Promise<T>} phase - a part of the run that is shown
 *   with its time, and left at once when there is trouble
 * @property {(operations: Readonly<Record<string, Operation>>) => Promise<void>} measure - does these in turn, by their names, until
 *   --duration is over; once in a run
 * @property {(close: () => unknown) => void} onEnd - what is to be ended with the run, last first
 * @property {AbortSignal} signal - aborted when the run is ended
 *
 * @typedef {object} CustomModule - the default export of its file
 * @property {string} name
 * @property {string} [describe]
 * @property {(kinds: Kinds) => Readonly<Record<string, CustomOption>>} [options] - by flag
 * @property {readonly import('../../plan/option.js').Rule[]} [rules] - of options that cannot be run
 * @property {readonly string[]} operations - names of what is measured: thresholds can be set on them
 * @property {(plan: Readonly<Record<string, any>>, tools: Tools) => Promise<unknown>} run
 * @property {(result: any) => Description | Promise<Description>} [describeResult] - tables and plots of its own, of a partial result too
 *
 * @typedef {object} CustomPlan
 * @property {string} scenario - `run-` and the name
 * @property {number} seed
 * @property {number} durationMs
 * @property {number} warmupMs
 * @property {number} timeoutMs - of an operation
 * @property {number} inFlight - operations under way at once
 * @property {readonly import('../../plan/threshold.js').Threshold[]} thresholds
 * @property {string} commandLine - that makes it
 *
 * @typedef {Pick<import('../../result/types.js').Result['outcome'], 'operations' | 'measuredMs' | 'perSecond' | 'secondsPerPoint'
 *   | 'thresholds'> & { description?: Description }} CustomOutcome
 */
export {}
