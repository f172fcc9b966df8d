import { path, portOrAny, wholeNumber, yesOrNo } from './values.js'

/**
 * @typedef {import('./option.js').Option} Option
 */

/** Headings in --help that all scenarios share. */
export const GROUP = {
  MEASURE: 'How it is measured:',
  VERDICT: 'What is good enough:',
  OUTPUT: 'What comes out:'
}

/** Why options of several scenarios have no use in trials of how much load is carried. */
export const HELD = 'a load is held for --duration'
export const FAILING = 'loads beyond saturation are there to fail'

/** STANDARD_OUTPUT is named so where a file could be. */
export const STANDARD_OUTPUT = '-'

/** Why it has none where many are run. */
const IN_TURN = 'runs follow one another'

/**
 * STRICT, an option of every scenario.
 *
 * @type {Readonly<Record<'strict', Readonly<Option>>>}
 */
export const STRICT = {
  strict: {
    group: GROUP.VERDICT,
    part: 'output',
    default: false,
    ...yesOrNo(),
    notIn: { ab: 'a warning of the comparison says how many runs were generator-limited' },
    describe: 'exit with 4 where the load generator, not what is under test, limited the result'
  }
}

/**
 * OUTPUT_OPTIONS say what is made of a result, whatever the scenario.
 *
 * @type {Readonly<Record<string, Readonly<Option>>>}
 */
export const OUTPUT_OPTIONS = {
  outputFile: {
    group: GROUP.OUTPUT,
    part: 'output',
    ...path(),
    describe: 'append a row to this markdown file'
  },
  outputDir: {
    group: GROUP.OUTPUT,
    part: 'output',
    default: 'results',
    ...path(),
    describe: "folder in which each run's folder is made"
  },
  junit: {
    group: GROUP.OUTPUT,
    part: 'output',
    ...path(),
    notIn: { trial: FAILING },
    describe: 'write what was held to thresholds, rules and a baseline as JUnit XML, for a CI server'
  },
  jsonLines: {
    group: GROUP.OUTPUT,
    part: 'output',
    ...path(),
    describe:
      'write what goes on into this file, a JSON document a line; - for standard output, which then has nothing else'
  },
  dashboard: {
    group: GROUP.OUTPUT,
    part: 'output',
    planKey: 'dashboardPort',
    ...portOrAny(),
    describe:
      'serve a page of what goes on while it goes on, on this port of 127.0.0.1; without one on any that is free'
  },
  dryRun: {
    group: GROUP.OUTPUT,
    part: 'output',
    default: false,
    ...yesOrNo(),
    describe:
      'say what would be run, what that starts and contacts, how long it takes and how much memory; nothing is done'
  },
  csv: {
    group: GROUP.OUTPUT,
    part: 'output',
    default: false,
    ...yesOrNo(),
    describe: "also write the figures as CSV into the run's folder"
  },
  json: {
    group: GROUP.OUTPUT,
    part: 'output',
    default: false,
    ...yesOrNo(),
    describe: 'print the result document and nothing else'
  },
  quiet: {
    group: GROUP.OUTPUT,
    part: 'output',
    default: false,
    ...yesOrNo(),
    describe: 'print the table and errors only'
  },
  prometheus: {
    group: GROUP.OUTPUT,
    part: 'output',
    planKey: 'prometheusPort',
    ...wholeNumber(0, 65_535),
    notIn: { trial: IN_TURN, ab: IN_TURN },
    describe: "serve the run's own metrics on this port of 127.0.0.1 while it goes on; 0: any that is free"
  },
  config: {
    group: GROUP.OUTPUT,
    part: 'config',
    ...path(),
    notIn: {
      trial: 'give the options themselves',
      ab: 'name the file as a plan',
      matrix: 'the defaults of a matrix file hold options for its rows'
    },
    describe: 'take options from a YAML or JSON file, - for standard input; flags win over it'
  }
}
