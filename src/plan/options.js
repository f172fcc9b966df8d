// What all options share: tables for a command, groups in help, option families, text parsing, output options, removed
// options.
import { groupBy } from '../kit/collections.js'
import { isMapping } from '../kit/files.js'
import { path, portOrAny, wholeNumber, yesOrNo } from './values.js'

/**
 * @typedef {import('./plan.js').ExplicitOption} ExplicitOption
 * @typedef {import('./plan.js').OptionTable} OptionTable
 *
 * @typedef {object} OptionText
 * @property {string} group - heading in --help
 * @property {string} describe
 * @property {string} [short] - the letter it can be given by, too
 * @property {readonly string[]} [formerly] - names that it had, by which it can be given, too
 * @property {string} [family] - the option that holds it, by a name: another one of the table, or one of OPTION_FAMILIES
 * @property {string} [member] - that name; default: its own
 * @property {boolean} [unlisted] - help leaves it out: another option says the same
 * @property {boolean} [common] - among the few that the short help shows
 * @property {unknown} [default] - as it would be typed; undefined: none
 * @property {string} [defaultText] - says the default where it depends on something
 * @property {string} [planKey] - its key in the plan where that carries a unit
 * @property {(value: any) => string} [write] - how a value of the plan is typed
 * @property {boolean} [canBeOutOfForce] - another option can put it out of force, which makes it null in the plan
 * @property {boolean} [ofSomePlans] - a plan that has no use for it is without its key
 * @property {'plan' | 'output' | 'config'} [part] - where it goes; default: the plan
 *
 * @typedef {object} Condition - what an option has no use without: a network, a load model, a target
 * @property {string} of - what the option is of: `the closed model`
 * @property {readonly string[]} needs - options that are looked at
 * @property {(values: Record<string, any>) => boolean} met
 * @property {string} otherwise - what is said of the option where it is not met
 * @property {(value: any) => boolean} [asks] - whether a value asks for anything; default: each does
 * @property {'simulated'} [lacks] - as of a Rule
 *
 * @typedef {object} OptionScope - where an option holds, and what follows from it elsewhere
 * @property {Readonly<Record<string, string>>} [notIn] - commands and studies that have no use for it, and why
 * @property {Readonly<Condition>} [only] - what it has no use without
 * @property {string} [fixed] - why nobody can give it here: it has its default. Made by optionsIn
 * @property {unknown} [anyway] - what it is where it is fixed: this can be given there, as a flag for many rows is
 * @property {unknown} [added] - its value in results from before there was the option
 * @property {boolean} [ofCase] - plans of a published case agree in it
 *
 * @typedef {OptionText & OptionScope & import('./values.js').OptionValueKind} Option
 *
 * @typedef {object} Rule - a combination of options that cannot be run
 * @property {string} flag - the option it is said of
 * @property {readonly string[]} [needs] - further options it looks at; it is skipped when the value of one is not allowed
 * @property {'simulated'} [lacks] - what has to exist for the combination to be run: makePlanOf can make its plan all the same
 * @property {(values: Record<string, any>, explicit: Map<string, ExplicitOption>) => string | false | null | undefined} refuse - says
 *   what to change, or nothing when the combination can be run
 */

/**
 * makeCommandOptions gives the table of a command that takes the options of another one: what has no use there is fixed.
 *
 * @param {string} place - the command or study
 * @param {OptionTable} table
 * @param {object} [how]
 * @param {readonly string[]} [how.never] - conditions that are not met there, by what options are of
 * @returns {OptionTable}
 */
export function makeCommandOptions(place, table, { never = [] } = {}) {
  /** @param {Option} option */
  const fixed = ({ notIn, only }) =>
    notIn?.[place] ?? (only !== undefined && never.includes(only.of) ? `it belongs to ${only.of}` : undefined)
  return Object.freeze(
    Object.fromEntries(
      Object.entries(table).map(([key, option]) => [key, Object.freeze({ ...option, fixed: fixed(option) })])
    )
  )
}

/** listUsableOptions gives the options of a table that can be given. @param {OptionTable} table @returns {OptionTable} */
export const listUsableOptions = table =>
  Object.freeze(Object.fromEntries(Object.entries(table).filter(([, { fixed }]) => fixed === undefined)))

/** describeNoUse is said of an option that is fixed. @param {string} why @param {string} [where] */
export const describeNoUse = (why, where = 'does not apply here') => `${where}: ${why}`

/**
 * describeRefusedOptions says of the options of a table that cannot be given why.
 *
 * @param {OptionTable} table
 * @param {string} [where] - they have no use
 * @returns {Record<string, string>} by option
 */
export const describeRefusedOptions = (table, where) =>
  Object.fromEntries(
    Object.entries(table).flatMap(([key, { fixed }]) =>
      fixed === undefined ? [] : [[key, describeNoUse(fixed, where)]]
    )
  )

/** makeConditionRules refuse options without what they have no use without. @param {OptionTable} table @returns {Rule[]} */
export const makeConditionRules = table =>
  Object.entries(table).flatMap(([flag, { only }]) => {
    if (only === undefined) return []
    const { needs, lacks, met, otherwise, asks = () => true } = only
    return [
      {
        flag,
        needs,
        lacks,
        refuse: (values, explicit) => explicit.has(flag) && asks(values[flag]) && !met(values) && otherwise
      }
    ]
  })

/** listAddedValues gives what plans have that were written before there was the option. @param {OptionTable} table @returns {Record<string, any>} by key of the plan */
export const listAddedValues = table =>
  Object.fromEntries(
    Object.entries(table).flatMap(([key, { planKey = key, ...option }]) =>
      'added' in option ? [[planKey, option.added]] : []
    )
  )

/** listCaseKeys gives the keys in which plans of a published case agree. @param {OptionTable} table @returns {string[]} */
export const listCaseKeys = table =>
  Object.entries(table).flatMap(([key, { planKey = key, ofCase }]) => (ofCase ? [planKey] : []))

/** toCamelCase turns `n-clients` into `nClients` and leaves other names alone. @param {string} name */
export const toCamelCase = name => name.replace(/-+([a-z])/gi, (_, letter) => letter.toUpperCase())

/** OPTION_FAMILIES are options that only hold others by their names, as `--gossipsub D=4,D_low=3` does, each with what they are. */
export const OPTION_FAMILIES = Object.freeze({
  gossipsub: 'parameters of gossipsub by their names in its specification, such as D=4,D_low=3',
  limits: 'limits as name=value, separated by commas',
  unixfs: 'how files become blocks, such as chunkSize=256KiB,rawLeaves=false',
  handshakes: 'how connections are opened, such as rate=10/s,for=1s',
  diagnostics: 'what else is recorded, such as blocks=true,memory=simple'
})

/** @typedef {Readonly<Record<string, Pick<Option, 'family' | 'member' | 'flag'>>>} FamilyTable */

/** @param {FamilyTable} table @param {string} family @returns {Map<string, string>} keys by the names of its members */
const membersOf = (table, family) =>
  new Map(
    Object.entries(table).flatMap(([key, option]) =>
      option.family === family ? [[option.member ?? key, key]] : []
    )
  )

/** listMembers lists what a family can hold. @param {FamilyTable} table @param {string} family @returns {string[]} */
export const listMembers = (table, family) => [...membersOf(table, family).keys()]

/** @param {string} text - `D=4,D_low=3` @returns {[name: string, value: unknown, text: string][]} */
const pairsOf = text =>
  text.split(',').map(pair => {
    const [name, ...value] = pair.trim().split('=')
    return [name, value.length === 0 ? true : value.join('='), pair]
  })

/**
 * Takes the members of a family out of one value of it.
 *
 * @param {unknown} raw - as typed, or a mapping of YAML
 * @param {Map<string, string>} members
 * @returns {{ inner: [key: string, value: unknown][], rest: unknown }} `rest`: what is left; undefined: nothing
 */
function splitFamily(raw, members) {
  const isText = typeof raw === 'string'
  if (!isText && !isMapping(raw)) return { inner: [], rest: raw }
  const pairs = isText ? pairsOf(raw) : Object.entries(raw)
  const isMember = (/** @type {readonly [string, ...unknown[]]} */ [name]) => members.has(name)
  const others = pairs.filter(pair => !isMember(pair))
  const rest = isText ? others.map(([, , text]) => text).join(',') : Object.fromEntries(others)
  return {
    inner: pairs.filter(isMember).map(([name, value]) => [/** @type {string} */ (members.get(name)), value]),
    rest: others.length === 0 ? undefined : rest
  }
}

/**
 * unfoldFamilies puts what an option holds for others in their place: `gossipsub: 'D=4'` is `D: '4'`. A flag that holds something is set.
 *
 * @param {Record<string, unknown>} options - by name, as typed or as in YAML
 * @param {FamilyTable} table
 * @returns {{ name: string, raw: unknown, family?: string }[]} `family`: by which it was given, as typed
 */
export function unfoldFamilies(options, table) {
  return Object.entries(options).flatMap(([name, raw]) => {
    const family = toCamelCase(name)
    const members = membersOf(table, family)
    if (raw == null || members.size === 0) return [{ name, raw }]
    const parts = [raw].flat().map(each => splitFamily(each, members))
    const inner = parts.flatMap(part =>
      part.inner.map(([key, value]) => ({ name: key, raw: value, family: name }))
    )
    const rests = parts.flatMap(({ rest }) => (rest === undefined ? [] : [rest]))
    if (Object.hasOwn(table, family)) {
      if (rests.length === 0) return table[family].flag ? [{ name, raw: true }, ...inner] : inner
      return [{ name, raw: rests.length === 1 ? rests[0] : rests }, ...inner]
    }
    const unknown = rests.flatMap(rest => {
      const pairs =
        typeof rest === 'string' ? pairsOf(rest) : isMapping(rest) ? Object.entries(rest) : [['', '']]
      return pairs.map(([member, value]) => ({ name: String(member), raw: value, family: name }))
    })
    return [...inner, ...unknown]
  })
}

/**
 * foldFamilies puts each family in the place of its first option, for --help.
 *
 * @template {Pick<Option, 'describe' | 'default' | 'family' | 'member' | 'flag' | 'choices' | 'unlisted'>} O
 * @param {Readonly<Record<string, O>>} table
 * @returns {Record<string, O>}
 */
export function foldFamilies(table) {
  const listed = Object.entries(table).filter(([, { unlisted }]) => !unlisted)
  const folded = groupBy(listed, ([key, { family }]) => family ?? key)
  return Object.fromEntries(
    folded.map(([name, options]) => {
      const own = options.find(([, { family }]) => family === undefined)
      const [, option] = own ?? options[0]
      if (options.length === 1 && own !== undefined) return [name, option]
      const members = options
        .filter(([, { family }]) => family !== undefined)
        .map(
          ([key, { member = key, describe, default: usual }]) =>
            `${member}: ${describe}${usual === undefined ? '' : ` [${usual}]`}`
        )
      const text =
        own === undefined
          ? OPTION_FAMILIES[/** @type {keyof typeof OPTION_FAMILIES} */ (name)]
          : option.describe
      const describe = `${text}. ${own === undefined ? '' : 'With '}${members.join('; ')}`
      return [name, own === undefined ? { ...option, ...WITHOUT_VALUE, describe } : { ...option, describe }]
    })
  )
}

/** firstSentence gives the first part of an option's description: what it is. @param {string} text */
export const firstSentence = text => text.split(/[.;] |\.$/, 1)[0]

const WITHOUT_VALUE = { flag: false, choices: undefined, default: undefined, defaultText: undefined }

/**
 * nameOption names an option as it is typed, without dashes: `nClients`, `gossipsub D`.
 *
 * @param {string} key
 * @param {Pick<Option, 'family' | 'member'> | undefined} option
 */
export const nameOption = (key, option) =>
  option?.family === undefined ? key : `${option.family} ${option.member ?? key}`

/** PARSER_OPTIONS is how a command line is taken apart: values stay as they were typed. */
export const PARSER_OPTIONS = {
  'parse-numbers': false,
  'parse-positional-numbers': false,
  'dot-notation': false,
  'short-option-groups': false
}

/**
 * keepTypedNames keeps only the name that was typed: yargs gives a dashed option under its camelCase name too.
 *
 * @param {Record<string, unknown>} parsed
 * @param {string[]} argv
 */
export function keepTypedNames({ _, $0, help, version, ...options }, argv) {
  const typed = argv.map(word => /^--?([^=]+)/.exec(word)?.[1] ?? '')
  const keys = Object.keys(options).filter(key => toCamelCase(key) === key || !(toCamelCase(key) in options))
  return Object.fromEntries(
    keys.map(key => [typed.find(name => toCamelCase(name) === key) ?? key, options[key]])
  )
}

/**
 * parseOptionText reads options from a string, as a shell would take it apart.
 *
 * @param {string} text - `--inFlight 4 --rate 100/s`
 * @param {Readonly<Record<string, { flag?: boolean }>>} options - there are
 * @returns {Promise<{ options: Record<string, unknown>, words: string[] }>} `words`: that belong to no option
 */
export async function parseOptionText(text, options) {
  const { default: yargs } = await import('yargs')
  const flags = Object.keys(options).filter(name => options[name].flag)
  const cli = yargs()
    .parserConfiguration(PARSER_OPTIONS)
    .help(false)
    .version(false)
    .exitProcess(false)
    .boolean(flags)
  const parsed = await cli.parseAsync(text)
  const typed = Object.fromEntries(Object.entries(parsed).filter(([, value]) => value !== undefined))
  return {
    options: keepTypedNames(/** @type {any} */ (typed), text.split(/\s+/)),
    words: parsed._.map(String)
  }
}

/** Headings in --help that all scenarios share. */
export const OPTION_GROUPS = {
  MEASURE: 'How it is measured:',
  VERDICT: 'Pass or fail:',
  OUTPUT: 'Output:'
}

/** Why options of several scenarios have no use in trials of how much load is carried. */
export const CONSTANT_LOAD_REASON = 'each load runs for --duration'
export const FAILING_TRIALS_REASON = 'loads beyond saturation are expected to fail'

/** STANDARD_OUTPUT stands for standard output in place of the path of a file. */
export const STANDARD_OUTPUT = '-'

/** Why --prometheus has no use where many plans are run. */
const IN_TURN = 'runs follow one another'

/**
 * groupOptions gives options that stand under one heading of --help and go to one part of what is made of them.
 *
 * @template {string} K
 * @param {string} group
 * @param {Option['part']} part - of those that name none
 * @param {Record<K, Omit<Option, 'group'>>} options
 * @returns {Readonly<Record<K, Readonly<Option>>>}
 */
export const groupOptions = (group, part, options) =>
  /** @type {any} */ (
    Object.fromEntries(
      Object.entries(options).map(([key, option]) => [
        key,
        { group, part, .../** @type {object} */ (option) }
      ])
    )
  )

/**
 * STRICT_OPTION, an option of every scenario.
 *
 * @type {Readonly<Record<'strict', Readonly<Option>>>}
 */
export const STRICT_OPTION = groupOptions(OPTION_GROUPS.VERDICT, 'output', {
  strict: {
    default: false,
    ...yesOrNo(),
    notIn: { ab: 'a warning of the comparison says how many runs were generator-limited' },
    describe: 'exit code 4 if the load generator limited the result'
  }
})

/**
 * OUTPUT_OPTIONS say what is made of a result, whatever the scenario.
 *
 * @type {OptionTable}
 */
export const OUTPUT_OPTIONS = groupOptions(OPTION_GROUPS.OUTPUT, 'output', {
  outputFile: { ...path(), describe: 'append a row to this markdown file' },
  outputDir: { default: 'results', ...path(), describe: 'parent folder of the run folders' },
  junit: {
    ...path(),
    notIn: { trial: FAILING_TRIALS_REASON },
    describe: 'write results of thresholds, rules and baseline as JUnit XML, for CI'
  },
  jsonLines: {
    ...path(),
    describe: 'write progress as JSON lines to this file; -: standard output, which then has nothing else'
  },
  dashboard: {
    planKey: 'dashboardPort',
    ...portOrAny(),
    describe: 'serve a live page on this port of 127.0.0.1; without a number: any free port'
  },
  dryRun: {
    default: false,
    ...yesOrNo(),
    describe: 'show what would be run, started and contacted; with time and memory; nothing is run'
  },
  csv: { default: false, ...yesOrNo(), describe: "also write the figures as CSV to the run's folder" },
  json: { default: false, ...yesOrNo(), describe: 'print only the result document' },
  quiet: { default: false, ...yesOrNo(), describe: 'print only the table and errors' },
  prometheus: {
    planKey: 'prometheusPort',
    ...wholeNumber(0, 65_535),
    notIn: { trial: IN_TURN, ab: IN_TURN },
    describe: 'serve live metrics of the run on this port of 127.0.0.1; 0: any free port'
  },
  config: {
    part: 'config',
    ...path(),
    notIn: {
      trial: 'give the options themselves',
      ab: 'name the file as a plan',
      matrix: 'set options for its rows in the defaults of the matrix file'
    },
    describe: 'read options from a YAML or JSON file; -: from standard input. Flags override them'
  }
})

/**
 * @typedef {'cpu' | 'heap'} Profilable
 * @typedef {{ profiled?: readonly Profilable[] }} Profiling - of a plan: what is sampled; absent: nothing
 */

const PROFILABLE = /** @type {const} */ (['cpu', 'heap'])

/** @param {unknown} value - `cpu,heap`, or a list in YAML @returns {Profilable[] | undefined} undefined: not allowed */
function parseProfiled(value) {
  const words = (Array.isArray(value) ? value.map(String) : String(value).split(',')).map(word => word.trim())
  if (!words.every(word => PROFILABLE.some(each => each === word))) return undefined
  return PROFILABLE.filter(each => words.includes(each))
}

/**
 * makeProfileOption samples the processes of a load.
 *
 * @param {string} whose - processes
 * @returns {Readonly<Record<'profile', Readonly<Option>>>}
 */
export const makeProfileOption = whose => ({
  profile: {
    group: OPTION_GROUPS.MEASURE,
    allowed: 'must be cpu, heap or cpu,heap',
    choices: ['cpu', 'heap', 'cpu,heap'],
    schema: z => z.preprocess(parseProfiled, z.array(z.enum(PROFILABLE)).min(1)),
    write: profiled => profiled.join(','),
    planKey: 'profiled',
    ofSomePlans: true,
    only: {
      of: 'a profiled run',
      needs: [],
      met: ({ profile }) => profile !== undefined,
      asks: () => false,
      otherwise: ''
    },
    notIn: { trial: 'sampling takes time from what is measured' },
    describe: `profile ${whose}: cpu (CPU time), heap (allocations) or cpu,heap; see docs/gossip.md`
  }
})

/** PROFILE_SAME is what two plans that are compared agree in: sampling slows what is measured. @type {import('../measure/figure.js').Comparable<any>['same']} */
export const PROFILE_SAME = {
  '--profile (sampling slows a run)': ({ profiled }) => profiled?.join(',') ?? 'none'
}

/**
 * @typedef {object} RemovedOption - an option of an earlier release
 * @property {string} instead - what to do now
 * @property {string} [planKey] - in the plan of a result of that release; default: its name
 * @property {unknown} [was] - what it was in a plan where nobody gave it; default: null, 0, false or an empty list
 * @property {readonly string[]} [of] - scenarios that had it, where others still do; default: all
 */

const SEARCH = 'use saturate gossip --search to find the highest sustainable rate'

const LINKED = ['rendezvous', 'transfer']

/** @param {string} [planKey] @returns {RemovedOption} */
const ofGossip = planKey => ({ instead: 'only gossip has it', of: LINKED, planKey })

/**
 * REMOVED_OPTIONS say what to do instead of options that earlier releases had, by their names.
 *
 * @type {Readonly<Record<string, RemovedOption>>}
 */
export const REMOVED_OPTIONS = Object.freeze({
  abuse: { instead: 'use --hostile, such as --hostile frames=10' },
  autoDuration: { was: 30_000, planKey: 'autoDurationMs', instead: SEARCH },
  autoFrom: { was: 1, planKey: 'autoFromPerSecond', instead: SEARCH },
  balance: { was: 'round-robin', instead: 'clients are distributed to the servers in turn' },
  baselines: {
    instead: 'list them in --protocols, such as perf,tcp,tls,http,http2',
    of: ['transfer']
  },
  batchPublish: { instead: 'the library encodes each message' },
  congestionControl: ofGossip(),
  downBandwidth: ofGossip('downBandwidthBytesPerSecond'),
  formedMesh: { instead: 'rows run with the mesh that forms; --runs 3 shows how meshes vary' },
  latencyRate: { instead: 'a run measures one load: give --rate to see latency at a rate' },
  linkBandwidth: ofGossip('linkBandwidthBytesPerSecond'),
  linkJitter: ofGossip(),
  linkLatency: { instead: 'use --latencies', of: ['transfer'] },
  lowerRate: { instead: 'give a --rate that this machine sustains: warnings name rows that were too fast' },
  maxDiscoverLimit: {
    was: 1000,
    instead: 'our server has a limit of 1,000; for another limit use another server as --target'
  },
  partition: ofGossip('partitions'),
  probeRate: {
    planKey: 'probeRatePerSecond',
    instead: 'there is no second client during the load; results state the overhead of the load generator'
  },
  profileWorkers: { was: 'all', instead: 'all worker processes are sampled' },
  samplingInterval: {
    planKey: 'samplingIntervalMicros',
    was: 1000,
    instead: 'processes are sampled every millisecond'
  },
  upBandwidth: {
    planKey: 'upBandwidthBytesPerSecond',
    instead: 'use --bandwidths',
    of: ['transfer']
  },
  vary: { instead: 'a matrix file has vary, a list of values for an option: docs/studies.md' }
})

/** Figures of the second phase that rendezvous runs of earlier releases had. */
const REMOVED_FIGURE = /^latency\.((?:[a-z]+\.)?(?:errorRate|avg|min|max|p[\d.]+))$/i

/**
 * describeRemovedFigure says what to do instead of a figure that earlier releases had.
 *
 * @param {string} name - that is not known
 * @param {(name: string) => { name: string } | undefined} figureNow - the figure of a name
 * @returns {string | null} null: there was none
 */
export function describeRemovedFigure(name, figureNow) {
  const [, of = ''] = REMOVED_FIGURE.exec(name) ?? []
  const now = figureNow(of)
  return now === undefined ? null : `${name} was removed: a run measures one load; use --rate and ${now.name}`
}
