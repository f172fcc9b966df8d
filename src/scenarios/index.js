// The table of all scenarios, with the interface that each one implements.
import { COMMAND as GOSSIP } from './gossip/command.js'
import { COMMAND as RENDEZVOUS } from './rendezvous/command.js'
import { COMMAND as TRANSFER } from './transfer/command.js'

/**
 * @typedef {(name: string) => Promise<Scenario | undefined>} FindScenario - undefined: there is none of that name
 *
 * @typedef {object} Entry
 * @property {Readonly<CommandText>} command - that runs it
 * @property {() => Promise<Scenario['options']>} options - that it takes: all that help needs beside
 * @property {() => Promise<Scenario>} open - its door
 *
 * @typedef {import('../report/schema.js').Result
 *   | import('./gossip/outcome.js').GossipResult} AnyResult
 * @typedef {AnyResult['plan']} AnyPlan
 */

/**
 * SCENARIOS are all there are, by the name that stands in plans and results. The first runs where no command is named.
 *
 * @type {Readonly<Record<string, Entry>>}
 */
export const SCENARIOS = {
  rendezvous: {
    command: RENDEZVOUS,
    options: async () => (await import('./rendezvous/options.js')).OPTIONS,
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

/** What is a property of another scenario now, by its name in older documents. @type {Readonly<Record<string, keyof typeof SCENARIOS>>} */
const FORMER = {
  perf: 'transfer',
  profile: 'gossip',
  rotation: 'gossip',
  'rotation-rendezvous': 'rendezvous'
}

/**
 * findScenario opens the door of a scenario.
 *
 * @type {FindScenario}
 */
export async function findScenario(asked) {
  const name = Object.hasOwn(FORMER, asked) ? FORMER[asked] : asked
  if (Object.hasOwn(SCENARIOS, name)) return SCENARIOS[name].open()
  const { isCustom, storedScenario } = await import('./custom/scenario.js')
  return isCustom(name) ? storedScenario(name) : undefined
}

/** usualScenario opens the door of what runs where no command is named. */
export const usualScenario = () => Object.values(SCENARIOS)[0].open()

/** allScenarios opens all doors. @returns {Promise<Scenario[]>} */
export const allScenarios = () => Promise.all(Object.values(SCENARIOS).map(({ open }) => open()))

/**
 * @template {unknown[]} Given
 * @template Made
 * @typedef {{ of(...given: Given): Made }['of']} Handed - a function of a scenario, which is handed plans and results of that scenario
 *   alone: it may ask for these, as a method of a class below may
 */

/**
 * What a scenario is to all other code. Only types live here: `cli`, `plan`, `result` and `report` are handed a scenario and know none
 * by its name.
 *
 * @typedef {import('../plan/plan.js').OptionTable} OptionTable
 * @typedef {import('../plan/options.js').Rule} Rule
 * @typedef {import('../report/schema.js').Record_} Record_
 * @typedef {object} CommandText - how a scenario is called and helped with
 * @property {string} words - behind the program's name: `gossip`; empty: it is what runs without a command
 * @property {string} describe
 * @property {readonly Readonly<[string, string]>[]} examples - what for, and the command after the program's name
 * @property {string} epilogue
 *
 * @typedef {object} Kind - how the plans of a scenario are made
 * @property {OptionTable} options - the one table of its flags
 * @property {readonly Rule[]} combinations - of options that cannot be run
 * @property {readonly (readonly [flag: string, rival: string])[]} rivals - the first puts the second one, given with less weight, out
 *   of force
 * @property {(values: Record<string, any>, given: ReadonlyMap<string, unknown>) => Record<string, any>} [implied] - all values by their flags,
 *   with what some say of others; none: nothing
 * @property {(picked: Record<string, any>, values: Record<string, any>, machine: { cores: number }) => object} toPlan - from the
 *   options of the plan by their keys there, and all values by their flags
 * @property {Handed<[plan: AnyPlan], Record<string, any>>} flat - the plan with a value for each option by its key in the plan
 * @property {Handed<[plan: AnyPlan], readonly string[]>} unsaid - keys of a plan that no flag is needed for
 *
 * @typedef {object} PlanViews - how plans of a scenario are named, estimated and scaled
 * @property {import('../plan/matrix-case.js').Naming} [naming] - of the cases of a matrix; none: by the options that are given
 * @property {Handed<[plan: AnyPlan, goesOn?: boolean], number>} estimateMs - about how long a run takes in all, with identities from the
 *   cache; `goesOn`: with what the run before has left up
 * @property {Handed<[plan: AnyPlan, goesOn?: boolean], number>} [fixedMs] - of that, what it takes on any machine; none: nothing
 * @property {Handed<[one: AnyPlan, other: AnyPlan], boolean>} [sameParts] - whether a run of the one can go on with what a run of the
 *   other has started; none: never
 * @property {Handed<[plan: AnyPlan, scales: import('../plan/matrix-case.js').AllScales, kept: Set<string>], Record<string, any>>} [scaled] - what of a plan changes; none: nothing
 * @property {Handed<[plan: AnyPlan], boolean>} [endless] - it goes on until its user has seen enough; none: never
 *
 * @typedef {Kind & PlanViews} Planning
 *
 * @typedef {object} Published - cases that others have measured
 * @property {import('../studies/matrix/row-table.js').RowFigures} [rowFigures] - headings of the first table of a run, for the tables of matrices
 * @property {readonly string[]} [case] - keys in which a plan must agree with a published case; none: there is none
 * @property {readonly string[]} [rates] - of these, those in which figures of another rate stand apart
 * @property {(z: typeof import('zod').z) => Record<string, import('zod').ZodType>} [reference] - figures that a row can have beside it, by name
 *
 * @typedef {object} Differences - in what two runs differ, where nothing is decided
 * @property {Handed<[plan: AnyPlan], boolean>} ofPlan - whether it is of runs of a plan
 * @property {Handed<[result: AnyResult], string | null>} missing - why there is nothing to show of one
 * @property {Handed<[base: AnyResult, candidate: AnyResult], readonly object[]>} list
 * @property {Handed<[base: AnyResult, candidate: AnyResult], import('../report/schema.js').Description>} describe
 *
 * @typedef {object} Documents - how the results of a scenario are written and read
 * @property {() => Promise<{ plan: import('zod').ZodType, outcome: import('zod').ZodType, files?: () => Promise<Record<string, object>> }>} schemas - `files`:
 *   the JSON Schemas of files that its options name
 * @property {(document: Record<string, any>) => Record<string, any>} filled - what was added to version 1 since it was first written
 * @property {readonly import('../measure/figure.js').Figure[]} figures - all that is measured, in the order of most views
 * @property {import('../measure/figure.js').Comparable | null} compared - what comparisons of its runs go by; null: they cannot be compared
 * @property {() => Promise<Handed<[results: readonly AnyResult[]], AnyResult>>} [merged] -
 *   one result of several runs of a plan; none: the median run stands for them
 * @property {() => Promise<Differences>} [differences] - imported when two of its runs are held against each other all the same
 *
 * @typedef {object} RunOptions
 * @property {string} id - of the run
 * @property {string} [folder] - path of the run's folder
 * @property {string | null} [deliveries] - path of a file with a row for each delivery of a network; null: there is none
 * @property {AbortSignal} [signal]
 * @property {string | null} [cacheDir] - where identities are kept between runs; null: nowhere
 * @property {import('../run/fleet.js').Fleet} [fleet] - machines that hold the workers; none: this one does
 * @property {'process' | 'docker'} [server] - where --server auto is to put our server; default: see chooseServer
 * @property {import('../run/run.js').Handover} [standing] - what runs of a study leave up for one another; none: each starts its own
 *
 * @typedef {Required<Pick<RunOptions, 'id' | 'folder' | 'signal' | 'cacheDir'>> & RunOptions} StudyRunOptions
 *
 * @typedef {Handed<[plan: AnyPlan, options: RunOptions], AsyncGenerator<Record_>>} Run - never throws for what goes wrong with the run: the last record
 *   is always the result, whose `status` and `reason` tell
 *
 * @typedef {object} Door
 * @property {string} name - in plans and results
 * @property {CommandText} command
 * @property {(plan: AnyPlan) => string} [commandLine] - that makes a plan, where its options are not enough to say
 * @property {() => Promise<Run>} run - imported when it is run
 * @property {() => Promise<import('../report/schema.js').Describe>} describe - imported when something is shown
 * @property {readonly import('../report/prometheus.js').GaugeSpec[]} [gauges] - that Prometheus has beside the figures
 *
 * @typedef {Readonly<Door & Planning & Published & Documents>} Scenario
 * @typedef {Scenario & { compared: import('../measure/figure.js').Comparable }} ComparableScenario
 */
