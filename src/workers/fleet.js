/**
 * The seam between a run and the machines that hold its workers. Without a fleet workers are forked on this machine. Only types live here.
 *
 * @typedef {Omit<import('./forked-process.js').ForkedProcess, 'pid'> & Placed} HeldProcess - a process of ours, wherever it is
 *
 * @typedef {object} Placed
 * @property {number | null} pid - null: it is on another machine
 * @property {{ there: (ns: bigint) => bigint, here: (ns: bigint) => bigint }} [clock] - of its machine: turns times of our monotonic clock
 *   into its, and back; none: it is the same
 * @property {(lateMs: number) => void} [began] - is told how late it began, by its own clock
 *
 * @typedef {Parameters<typeof import('./forked-process.js').startForkedProcess>[0]} StartOptions
 *
 * @typedef {object} LostAgent
 * @property {string} name - in messages
 * @property {readonly number[]} workers - that it held
 * @property {Error} error
 * @property {boolean} goesOn - the run goes on without it
 *
 * @typedef {object} FleetTrouble
 * @property {(lost: LostAgent) => void} onLost
 * @property {(error: Error) => void} onBusLost
 *
 * @typedef {object} Fleet
 * @property {(worker: number, options: StartOptions) => Promise<HeldProcess>} start - on the machine of a worker; calls to one that is lost
 *   fail with the code AGENT_LOST
 * @property {(worker: number) => NonNullable<HeldProcess['clock']>} clockOf - a worker's machine
 * @property {string} address - of this machine, at which they reach what listens here
 * @property {readonly string[]} peers - addresses that they come from to this machine, where anything of it listens
 * @property {(worker: number) => string} addressOf - its machine, at which others reach what listens there
 * @property {(worker: number, workers: number) => boolean} hasCoreToSpare - of its machine
 * @property {number} startAfterMs - time for all to hear of a start
 * @property {(trouble: FleetTrouble) => void} watch - says who is told of what goes wrong
 * @property {() => Promise<void>} settle - measures clocks once more
 * @property {(sinceBeginMs: (ns: bigint) => number) => import('../result/types.js').AgentRow[]} agents
 * @property {() => NonNullable<import('../result/types.js').Result['run']['starts']> | null} starts - that were agreed ahead; null: there were none
 *
 * @typedef {object} Fleets - machines that are held for all runs of a study
 * @property {(plan: import('../plan/plan.js').AnyPlan) => Promise<Lent>} forRun - throws an error with a code where they cannot be had
 *   any more
 *
 * @typedef {object} Lent - for one run
 * @property {Fleet} fleet
 * @property {() => Promise<void>} close
 */
export {}
