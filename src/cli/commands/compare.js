// The `compare` command: compares stored results of a candidate with those of a base.

import { ALLOW_UNDECIDED, failRulesKind, UNPARSED_FAIL_RULES } from '../../plan/fail-rules.js'
import { OPTION_GROUPS, OUTPUT_OPTIONS } from '../../plan/options.js'
import { parseCommandOptions } from '../../plan/plan.js'
import { path } from '../../plan/values.js'
import { ResultFileError, readResultFile } from '../../report/read-result.js'
import { replaceFile } from '../../report/result-folder.js'
import { findOutputFileProblem, loadViews } from '../../report/run-report.js'
import { formatPipeTables, wrapForTerminal } from '../../report/text.js'
import { readFailRules } from '../../studies/compare/baseline.js'
import {
  compareAllSides,
  IncomparableError,
  judgeComparison,
  makeComparisonDocument
} from '../../studies/compare/comparison.js'
import {
  COMPARISON_DOCUMENT,
  COMPARISON_VERSION,
  sideLetter
} from '../../studies/compare/comparison-document.js'
import { areLoadStudies, readRelease } from '../../studies/compare/releases.js'
import { readSide, readSides } from '../../studies/compare/sides.js'
import { describeSides, makeComparisonChecks } from '../../studies/compare/study.js'
import { formatDocument } from '../../studies/study.js'
import { readFolderKind } from '../../studies/study-folders.js'
import { readStudy } from '../../studies/study-views.js'
import { EXIT, makeFileProblem, refuse } from '../exit.js'
import { writeChecks } from '../outputs.js'
import { writeDescription } from '../terminal.js'

/**
 * writePage writes a description as a page into a file that was asked for.
 *
 * @param {string} file
 * @param {import('../../report/schema.js').Description} description
 * @param {Pick<import('../index.js').ProcessIo, 'stderr'>} io
 */
async function writePage(file, description, { stderr }) {
  // its script is read from files: only where a page is made
  const { writeDescriptionPage } = await import('../../report/page.js')
  await replaceFile(file, writeDescriptionPage(description))
  stderr.write(`written: ${file}\n`)
}

/**
 * @typedef {import('../../scenarios/index.js').AnyResult} AnyResult
 * @typedef {import('../../scenarios/index.js').Differences} Differences
 * @typedef {{ results: [base: AnyResult, candidate: AnyResult], differences: Differences }} Pair
 */

/**
 * undecidedPair reads the results of two runs of which differences are shown and nothing is decided.
 *
 * @param {string[]} words - paths
 * @param {import('../../scenarios/index.js').LoadScenario} find
 * @returns {Promise<Pair | null>} null: they are something else
 */
async function undecidedPair(words, find) {
  if (words.length !== 2) return null
  const [base, candidate] = await Promise.all(words.map(word => readResultFile(word, find).catch(() => null)))
  if (base === null || base.scenario !== candidate?.scenario) return null
  const differences = await (await find(base.scenario))?.differences?.()
  const isOf = differences?.ofPlan(base.plan) && differences.ofPlan(candidate.plan)
  return differences && isOf ? { results: [base, candidate], differences } : null
}

/** Options that need a verdict, with how each is refused. @param {{ failOn?: unknown, junit: string | null }} own */
const needVerdict = ({ failOn, junit }) => [
  ...(failOn === undefined ? [] : [{ flag: '--failOn', value: '' }]),
  ...(junit === null ? [] : [{ flag: '--junit', value: junit }])
]

/**
 * showDifferences of two runs.
 *
 * @param {Pair} pair
 * @param {{ json: boolean, page?: string, failOn?: unknown, junit: string | null }} own - options of the command
 * @param {import('../index.js').ProcessIo} io
 * @returns {Promise<number>} exit code
 */
async function showDifferences({ results, differences }, { json, page, ...own }, io) {
  const { missing, list, describe } = differences
  for (const result of results) {
    const allowed = missing(result)
    if (allowed !== null) return refuse('compare', [{ flag: result.id, value: '', allowed }], io)
  }
  const allowed = 'needs figures that decide, and single profiled runs have none: leave it out'
  const refused = needVerdict(own).map(option => ({ ...option, allowed }))
  if (refused.length > 0) return refuse('compare', refused, io)
  const description = describe(...results)
  if (json) io.stdout.write(`${JSON.stringify(list(...results), null, 2)}\n`)
  else writeDescription(description, io)
  if (page !== undefined) await writePage(page, description, io)
  return EXIT.DONE
}

/**
 * @typedef {import('../../scenarios/index.js').LoadScenario} LoadScenario
 * @typedef {import('../command-line.js').Arguments} Arguments
 * @typedef {import('../command-line.js').CommandHelp} CommandHelp
 * @typedef {import('../index.js').ProcessIo} ProcessIo
 * @typedef {import('../../studies/compare/comparison.js').Side} Side
 * @typedef {import('../../studies/compare/releases.js').Release} Release
 * @typedef {import('../../studies/compare/comparison-document.js').ComparisonDocument} ComparisonDocument
 *
 * @typedef {object} Read - what is compared
 * @property {readonly Side[]} sides
 * @property {ComparisonDocument | null} document - of their study; null: they are of several
 * @property {string[]} leftOut - ids of runs that are not complete
 */

const COMMAND_OPTIONS = {
  failOn: {
    group: OPTION_GROUPS.VERDICT,
    ...UNPARSED_FAIL_RULES,
    describe:
      'change that causes exit code 3; for example "p99 > +10%", of gossip runs "latency.p99 > +10%"; can be repeated'
  },
  allowUndecided: ALLOW_UNDECIDED,
  junit: OUTPUT_OPTIONS.junit,
  page: {
    group: OUTPUT_OPTIONS.json.group,
    ...path(),
    describe: 'also write a page with overlaid plots to this file'
  },
  json: { ...OUTPUT_OPTIONS.json, describe: 'print only the comparison, as JSON' }
}

const NO_RULES = 'needs --failOn, or a folder with rules'

/** @type {CommandHelp} */
export const help = {
  options: COMMAND_OPTIONS,
  examples: /** @type {[string, string][]} */ ([
    [
      'two runs: ratios without a verdict',
      'compare results/20261120-0712-rendezvous-7 results/20261120-0730-rendezvous-7'
    ],
    [
      'two profiles: CPU time by category',
      'compare results/20261120-0712-profile-1 results/20261120-0730-profile-1'
    ],
    ['comparison of an ab folder', 'compare results/20261120-0712-ab-7'],
    [
      'overlaid plots of two releases',
      'compare results/20261120-0712-qa-rendezvous-1 results/20261127-0712-qa-rendezvous-1 --page releases.html'
    ],
    [
      'repeated runs: fail if p99 got worse',
      'compare results/20261120-0712-ab-7/a results/20261127-0712-ab-7/a --fail-on "p99 > +10%"'
    ]
  ]),
  epilogue:
    'Give runs, folders of repeated runs, one ab or --runs folder, or saturate and qa folders. Compared with runs, a qa folder counts as its chosen cell. Method: docs/studies.md.\nExit codes: 0 compared, 3 a rule or baseline failed or is undecided (passes with --allowUndecided).'
}

/**
 * run compares results that are there.
 *
 * @param {Arguments} args
 * @param {ProcessIo} io
 * @returns {Promise<number>} exit code
 */
export async function run({ options, words }, io) {
  const { own, problems: misread } = parseCommandOptions(COMMAND_OPTIONS, options)
  const { junit = null, page } = own
  const unwritable = [
    junit === null ? null : await findOutputFileProblem(junit, '--junit'),
    page === undefined ? null : await findOutputFileProblem(page, '--page')
  ]
  const problems = [...misread, ...unwritable.filter(problem => problem !== null)]
  if (problems.length > 0) return refuse('compare', problems, io)
  const undecided = await undecidedPair(words, io.findScenario)
  if (undecided !== null)
    return showDifferences(undecided, { json: own.json, page, failOn: own.failOn, junit }, io)
  try {
    if (await areLoadStudies(words)) return await compareLoads(words, { ...own, junit }, io)
    const read = await readWords(words, io.findScenario)
    if (read === null)
      return refuse('compare', [{ flag: 'folders', value: words.join(' '), allowed: TOO_FEW }], io)
    return await compareRuns(read, { options, own: { ...own, junit } }, io)
  } catch (error) {
    if (error instanceof IncomparableError)
      return refuse('compare', [{ flag: words.join(' '), value: '', allowed: error.message }], io)
    if (error instanceof ResultFileError) return refuse('compare', [makeFileProblem(error)], io)
    throw error
  }
}

/** @param {string[]} words @param {LoadScenario} find @returns {Promise<Read | null>} null: too few are named @throws {ResultFileError} */
async function readWords(words, find) {
  if (words.length === 1 && (await readFolderKind(words[0])) === 'comparison') {
    const document = await readStudy(COMPARISON_DOCUMENT, words[0])
    return { document, sides: await readSides(document, words[0], find), leftOut: [] }
  }
  if (words.length < 2) return null
  const sides = await Promise.all(words.map(word => readSide(word, find)))
  return { document: null, sides, leftOut: sides.flatMap(({ leftOut }) => leftOut) }
}

const TOO_FEW = 'must name a base and at least one candidate, or one folder of ab or of --runs'

/**
 * @param {Read} read
 * @param {{ options: Arguments['options'], own: Record<string, any> }} asked - `options`: as typed
 * @param {ProcessIo} io
 */
async function compareRuns({ sides, document, leftOut }, { options, own }, io) {
  const { compared } = sides[0].scenario
  // what rules can be about is known when the runs are
  const failOn = { ...COMMAND_OPTIONS.failOn, ...failRulesKind(compared) }
  const { own: read, problems } = parseCommandOptions({ ...COMMAND_OPTIONS, failOn }, options)
  if (problems.length > 0) return refuse('compare', problems, io)
  const rules = read.failOn ?? (document === null ? [] : readFailRules(document, compared))
  const comparison = compareAllSides(sides, { rules, held: document?.held })
  const checks = makeComparisonChecks(comparison)
  const { junit, page, json, allowUndecided } = own
  if (junit !== null && checks.length === 0)
    return refuse('compare', [{ flag: '--junit', value: junit, allowed: NO_RULES }], io)
  const { stdout, stderr, findScenario } = io
  if (leftOut.length > 0)
    stderr.write(wrapForTerminal(`left out, not complete: ${leftOut.join(', ')}\n`, stderr))
  const views = await loadViews(
    sides.map(({ scenario: { name } }) => ({ scenario: name })),
    findScenario
  )
  const description = describeSides(comparison, document, views)
  if (json) stdout.write(formatDocument(makeComparisonDocument(comparison, document ?? undefined)))
  else writeDescription(description, io)
  if (page !== undefined) await writePage(page, description, io)
  const { notMet, undecided } = judgeComparison(comparison)
  const exitCode = notMet || (undecided && !allowUndecided) ? EXIT.NOT_MET : EXIT.DONE
  const checked = {
    ...{ kind: 'compare', name: sides.map(({ label }) => label).join(', '), allowUndecided, checks },
    startedAt: io.now().toISOString(),
    figures: () => formatPipeTables(description)
  }
  return writeChecks(checked, { junit, exitCode }, io)
}

/** @param {string[]} words @param {Record<string, any>} own @param {ProcessIo} io @throws {ResultFileError | IncomparableError} */
async function compareLoads(words, { json, page, failOn, junit }, io) {
  if (failOn !== undefined || junit !== null) {
    const [flag, value] = failOn === undefined ? ['--junit', junit] : ['--failOn', '']
    return refuse('compare', [{ flag, value, allowed: NO_RUNS }], io)
  }
  const releases = await Promise.all(words.map(word => readRelease(word, io.findScenario)))
  const [{ scenario }] = releases
  const other = releases.find(release => release.scenario !== scenario)
  if (other !== undefined)
    throw new IncomparableError(`these cannot be compared: ${scenario} and ${other.scenario}`)
  const description = await describeExaminedRuns(releases, io.findScenario)
  if (json) {
    const document = {
      schemaVersion: COMPARISON_VERSION,
      scenario,
      sides: releases.map(({ runs, ...side }) => side)
    }
    io.stdout.write(formatDocument(document))
  } else writeDescription(description, io)
  if (page !== undefined) await writePage(page, description, io)
  return EXIT.DONE
}

/** Their examined cells are laid over each other too. @param {readonly Release[]} releases @param {LoadScenario} find */
async function describeExaminedRuns(releases, find) {
  const { describeReleases } = await import('../../studies/compare/releases.js')
  const examined = releases.flatMap(({ runs: { examined } }, place) =>
    examined === null ? [] : [{ label: sideLetter(place), result: examined }]
  )
  const viewOf = await loadViews(
    examined.map(({ result }) => result),
    find
  )
  const runs = examined.map(({ label, result }) => ({
    label,
    description: viewOf(result).describeResult(result)
  }))
  return describeReleases(releases, { runs })
}

const NO_RUNS = 'is about runs: parts of a quality report are decided by qa --baseline'
