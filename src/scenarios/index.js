// Registry of all scenarios, which loads one by its name. Also defines the interface that every scenario implements.
import { COMMAND as GOSSIP } from './gossip/command.js'
import { RENDEZVOUS_COMMAND as RENDEZVOUS } from './rendezvous/command.js'
import { COMMAND as TRANSFER } from './transfer/command.js'

/**
 * @typedef {(name: string) => Promise<Scenario | undefined>} LoadScenario - undefined: there is none of that name
 *
 * @typedef {object} ScenarioEntry
 * @property {Readonly<CommandText>} command - that runs it
 * @property {() => Promise<Scenario['options']>} options - for help, which needs no more
 * @property {() => Promise<Scenario>} open - imports the scenario
 *
 * @typedef {import('../report/schema.js').Result
 *   | import('./gossip/outcome.js').GossipResult} AnyResult
 * @typedef {AnyResult['plan']} AnyPlan
 */

/**
 * SCENARIOS by their name in plans and results. The first one is the default.
 *
 * @type {Readonly<Record<string, ScenarioEntry>>}
 */
export const SCENARIOS = {
  rendezvous: {
    command: RENDEZVOUS,
    options: async () => (await import('./rendezvous/options.js')).RENDEZVOUS_OPTIONS,
    open: async () => (await import('./rendezvous/scenario.js')).RENDEZVOUS
  },
  gossip: {
    command: GOSSIP,
    options: async () => (await import('./gossip/options.js')).GOSSIP_OPTIONS,
    open: async () => (await import('./gossip/scenario.js')).GOSSIP
  },
  transfer: {
    command: TRANSFER,
    options: async () => (await import('./transfer/options.js')).TRANSFER_OPTIONS,
    open: async () => (await import('./transfer/scenario.js')).TRANSFER
  }
}

/** Former scenarios that are properties of another one now, by their name in documents of earlier releases. @type {Readonly<Record<string, keyof typeof SCENARIOS>>} */
const FORMER_NAMES = {
  perf: 'transfer',
  profile: 'gossip',
  rotation: 'gossip',
  'rotation-rendezvous': 'rendezvous'
}

/**
 * loadScenario imports a scenario.
 *
 * @type {LoadScenario}
 */
export async function loadScenario(storedName) {
  const name = Object.hasOwn(FORMER_NAMES, storedName) ? FORMER_NAMES[storedName] : storedName
  if (Object.hasOwn(SCENARIOS, name)) return SCENARIOS[name].open()
  const { isCustom, makeStoredScenario } = await import('./custom/scenario.js')
  return isCustom(name) ? makeStoredScenario(name) : undefined
}

/** loadDefaultScenario imports the default scenario. */
export const loadDefaultScenario = () => Object.values(SCENARIOS)[0].open()

/** loadAllScenarios imports all scenarios. @returns {Promise<Scenario[]>} */
export const loadAllScenarios = () => Promise.all(Object.values(SCENARIOS).map(({ open }) => open()))

/**
 * @template {unknown[]} Args
 * @template Made
 * @typedef {{ of(...args: Args): Made }['of']} OfScenario - a function of a scenario that is only called with plans and results of that
 *   scenario. Its parameters may be narrower, like those of a method
 */

/**
 * The interface of a scenario. `cli`, `plan`, `report` and `studies` know scenarios only through it, none by name.
 *
 * @typedef {import('../plan/plan.js').OptionTable} OptionTable
 * @typedef {import('../plan/options.js').Rule} Rule
 * @typedef {import('../report/schema.js').RunRecord} RunRecord
 * @typedef {object} CommandText - the command of a scenario, with its help
 * @property {string} words - behind the program's name: `gossip`; empty: it runs without a command
 * @property {string} describe
 * @property {readonly Readonly<[string, string]>[]} examples - what for, and the command after the program's name
 * @property {string} epilogue
 *
 * @typedef {object} PlanKind - how the plans of a scenario are made
 * @property {OptionTable} options - the one table of its flags
 * @property {readonly Rule[]} combinations - of options that cannot be run
 * @property {readonly (readonly [flag: string, rival: string])[]} rivals - the first one overrides the
 *   second one, if that has a lower priority
 * @property {(values: Record<string, any>, explicit: ReadonlyMap<string, unknown>) => Record<string, any>} [implied] - all values by their flags,
 *   with values that follow from others; none: there are no such values
 * @property {(picked: Record<string, any>, values: Record<string, any>, machine: { cores: number }) => object} toPlan - from the
 *   options of the plan by their keys there, and all values by their flags
 * @property {OfScenario<[plan: AnyPlan], Record<string, any>>} flat - the plan with a value for each option by its key in the plan
 * @property {OfScenario<[plan: AnyPlan], readonly string[]>} unsaid - keys of a plan that need no flag
 *
 * @typedef {object} PlanViews - how plans of a scenario are named, estimated and scaled
 * @property {import('../plan/matrix-case.js').CaseNaming} [naming] - of the cases of a matrix; none: by the options that are given
 * @property {OfScenario<[plan: AnyPlan, goesOn?: boolean], number>} estimateMs - duration of a run in all, with identities from the cache;
 *   `goesOn`: with what the previous run has started
 * @property {OfScenario<[plan: AnyPlan, goesOn?: boolean], number>} [fixedMs] - the part of it that is the same on any machine; none: 0
 * @property {OfScenario<[one: AnyPlan, other: AnyPlan], boolean>} [sameParts] - whether a run of one plan can use what a run of the other
 *   has started; none: never
 * @property {OfScenario<[plan: AnyPlan, scales: import('../plan/matrix-case.js').AllScales, kept: Set<string>], Record<string, any>>} [scaled] - keys of a plan that change; none: no
 *   key changes
 * @property {OfScenario<[plan: AnyPlan], boolean>} [endless] - it runs until its user interrupts it; none: never
 *
 * @typedef {PlanKind & PlanViews} Planning
 *
 * @typedef {object} Published - published cases
 * @property {import('../studies/matrix/row-table.js').RowFigures} [rowFigures] - headings of the first table of a run, for the tables of matrices
 * @property {readonly string[]} [case] - keys in which a plan must agree with a published case; none: there are no published cases
 * @property {readonly string[]} [rates] - of these, the keys of rates: figures of other rates are compared separately
 * @property {(z: typeof import('zod').z) => Record<string, import('zod').ZodType<number | number[]>>} [reference] - published figures of a row, by name
 *
 * @typedef {object} Differences - differences of two runs, without a verdict
 * @property {OfScenario<[plan: AnyPlan], boolean>} ofPlan - whether runs of a plan can be compared so
 * @property {OfScenario<[result: AnyResult], string | null>} missing - why a result has nothing to compare; null: it has
 * @property {OfScenario<[base: AnyResult, candidate: AnyResult], readonly object[]>} list
 * @property {OfScenario<[base: AnyResult, candidate: AnyResult], import('../report/schema.js').Description>} describe
 *
 * @typedef {object} Documents - how the results of a scenario are written and read
 * @property {() => Promise<{ plan: import('zod').ZodType, outcome: import('zod').ZodType, files?: () => Promise<Record<string, object>> }>} schemas - `files`:
 *   the JSON Schemas of files that its options name
 * @property {(document: Record<string, any>) => Record<string, any>} filled - with keys that were added since the first release
 * @property {readonly import('../measure/figure.js').Figure[]} figures - all figures, in the order of most views
 * @property {import('../measure/figure.js').Comparable | null} compared - how its runs are compared; null: not at all
 * @property {() => Promise<OfScenario<[results: readonly AnyResult[]], AnyResult>>} [merged] -
 *   merges the results of several runs of a plan; none: the median run represents them
 * @property {() => Promise<Differences>} [differences] - compares two of its runs even so
 *
 * @typedef {object} RunOptions
 * @property {string} id - of the run
 * @property {string} [folder] - path of the run's folder
 * @property {string | null} [deliveries] - path of a file with a row for each delivery of a network; null: there is none
 * @property {AbortSignal} [signal] - ends the run early; its measurements are kept
 * @property {string | null} [cacheDir] - where identities are kept between runs; null: nowhere
 * @property {import('../run/fleet.js').Fleet} [fleet] - machines that hold the workers; none: this one does
 * @property {'process' | 'docker'} [server] - the choice of --server auto; default: see chooseServer
 * @property {import('../run/run.js').Handover} [handover] - passes servers and processes on to the next run of a study; none: each run starts its own
 *
 * @typedef {Required<Pick<RunOptions, 'id' | 'folder' | 'signal' | 'cacheDir'>> & RunOptions} StudyRunOptions
 *
 * @typedef {OfScenario<[plan: AnyPlan, options: RunOptions], AsyncGenerator<RunRecord>>} Run - does not throw errors of the run: the last record is always the
 *   result, with `status` and `reason`
 *
 * @typedef {object} ScenarioCore
 * @property {string} name - in plans and results
 * @property {CommandText} command
 * @property {(plan: AnyPlan) => string} [commandLine] - the command that makes a plan, if its options do not suffice
 * @property {() => Promise<Run>} run - imported when needed
 * @property {() => Promise<import('../report/schema.js').Describe>} describe - imported when needed
 * @property {readonly import('../report/prometheus.js').GaugeSpec[]} [gauges] - of Prometheus, beside the figures
 *
 * @typedef {Readonly<ScenarioCore & Planning & Published & Documents>} Scenario
 * @typedef {Scenario & { compared: import('../measure/figure.js').Comparable }} ComparableScenario
 */
