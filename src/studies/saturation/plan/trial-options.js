import { OPTIONS } from '../../../scenarios/rendezvous/plan/options.js'

/** Options of a run that a trial has no use for, and what to do instead. @type {Readonly<Record<string, string>>} */
export const NOT_IN_A_TRIAL = Object.freeze({
  benchmarkRuns: 'has no use here: a load is held for --duration',
  minDuration: 'has no use here: a load is held for --duration',
  rate: 'has no use here: the command sets the rate of each trial',
  fault: 'has no use here: a load is held, and nothing else happens to the server',
  thinkTime: 'has no use here: it is of the closed model',
  threshold: 'has no use here: loads beyond saturation are there to fail',
  baseline: 'has no use here: hold single runs against earlier ones with compare',
  failOn: 'has no use here: it is a rule for a comparison',
  prometheus: 'has no use here: runs follow one another',
  config: 'has no use here: give the options themselves'
})

/** TRIAL_OPTIONS are those of a plan that a trial has a use for. */
export const TRIAL_OPTIONS = Object.freeze(
  Object.fromEntries(Object.entries(OPTIONS).filter(([key]) => !Object.hasOwn(NOT_IN_A_TRIAL, key)))
)
