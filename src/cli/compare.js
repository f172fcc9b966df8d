import { readCommandOptions } from '../plan/command-options.js'
import { failRules, UNREAD_RULES } from '../plan/fail-rules.js'
import { ALLOW_UNDECIDED } from '../plan/gate-options.js'
import { GROUP, OUTPUT_OPTIONS } from '../plan/shared-options.js'
import { path } from '../plan/values.js'
import { outputFileProblem } from '../report/output-file.js'
import { onTerminal } from '../report/terminal-text.js'
import { ResultFileError } from '../result/read-result.js'
import { compareAb, isFailed, isUndecided, withRules } from '../studies/comparison/ab-comparison.js'
import { compare, comparisonDocument, IncomparableError } from '../studies/comparison/comparison.js'
import { comparisonChecks } from '../studies/comparison/comparison-checks.js'
import { armsOf, readSide } from '../studies/comparison/sides.js'
import { sideBySide } from '../studies/comparison/view/all-figures.js'
import { comparisonPage } from '../studies/comparison/view/comparison-page.js'
import { folderKind } from '../studies/folder-kind.js'
import { changeWords } from '../studies/overlay/view/change-words.js'
import { carriedOverTime } from '../studies/qa/result/carried-over-time.js'
import { documentText } from '../studies/study-document.js'
import { EXIT } from './exit-codes.js'
import { refuse, unreadable } from './refuse.js'
import { showDifferences, undecidedPair } from './show-differences.js'
import { tellChecks } from './tell-checks.js'

/**
 * @typedef {import('../plan/read-options.js').Problem} Problem
 * @typedef {import('../studies/comparison/comparison.js').Comparison} Comparison
 * @typedef {import('../studies/comparison/comparison.js').Side} Side
 * @typedef {import('../plan/fail-rule.js').FailRule} FailRule
 * @typedef {import('../scenarios/index.js').FindScenario} FindScenario
 * @typedef {import('./arguments.js').Arguments} Arguments
 * @typedef {import('./arguments.js').CommandHelp} CommandHelp
 *
 * @typedef {{ comparisons: Comparison[], sides: readonly Side[], leftOut: string[] }} Compared
 */

const COMMAND_OPTIONS = {
  failOn: {
    group: GROUP.VERDICT,
    ...UNREAD_RULES,
    describe:
      'what makes the exit code 3, such as "p99 > +10%", or "latency.p99 > +10%" of gossip runs; can be repeated'
  },
  allowUndecided: ALLOW_UNDECIDED,
  junit: OUTPUT_OPTIONS.junit,
  page: {
    group: OUTPUT_OPTIONS.json.group,
    ...path(),
    describe: 'of saturate and qa: also a page that lays them over one another, in this file'
  },
  json: { ...OUTPUT_OPTIONS.json, describe: 'print the comparisons as JSON and nothing else' }
}

const NO_RULES = 'needs --failOn, or a folder of ab with rules: nothing is held to anything'

/** @type {CommandHelp} */
export const help = {
  options: COMMAND_OPTIONS,
  examples: /** @type {[string, string][]} */ ([
    [
      'two runs: ratios, but no verdict',
      'compare results/20261120-0712-rendezvous-7 results/20261120-0730-rendezvous-7'
    ],
    [
      'two profiles: what CPU time went to, by category',
      'compare results/20261120-0712-profile-1 results/20261120-0730-profile-1'
    ],
    ['what ab measured, once more', 'compare results/20261120-0712-ab-7'],
    [
      'releases over one another: folders of saturate or qa',
      'compare results/20261120-0712-qa-rendezvous-1 results/20261127-0712-qa-rendezvous-1 --page releases.html'
    ],
    [
      'repeated runs of two ab folders, failing when p99 became worse by more than 10 %',
      'compare results/20261120-0712-ab-7/a results/20261127-0712-ab-7/a --fail-on "p99 > +10%"'
    ]
  ]),
  epilogue:
    'Name runs, folders of repeated runs, one folder of ab, or folders of saturate and qa, of which qa stands for the runs of its examined cell beside runs. How it is decided: docs/comparison.md. Exit codes: 0 compared, 3 a --fail-on rule failed or is left undecided, or what an ab folder was held to; --allowUndecided lets what is open pass.'
}

/**
 * run compares results that are there.
 *
 * @param {Arguments} args
 * @param {import('./surroundings.js').Surroundings} surroundings
 * @returns {Promise<number>} exit code
 */
export async function run({ options, words }, surroundings) {
  const { own, problems: misread } = readCommandOptions(COMMAND_OPTIONS, options)
  const { junit = null, page } = own
  const unwritable = [
    junit === null ? null : await outputFileProblem(junit, '--junit'),
    page === undefined ? null : await outputFileProblem(page, '--page')
  ]
  const problems = [...misread, ...unwritable.filter(problem => problem !== null)]
  if (problems.length > 0) return refuse('compare', problems, surroundings)
  const { showReleases } = await import('./show-releases.js')
  const released = await showReleases(
    words,
    { json: own.json, page, failOn: own.failOn, junit },
    surroundings
  )
  if (released !== null) return released
  if (page !== undefined) {
    const allowed = 'needs folders of saturate or qa: those of runs have pages of their own'
    return refuse('compare', [{ flag: '--page', value: page, allowed }], surroundings)
  }
  const undecided = await undecidedPair(words, surroundings.findScenario)
  if (undecided !== null)
    return showDifferences(undecided, { json: own.json, failOn: own.failOn, junit }, surroundings)
  const compared = await comparedWords(words, surroundings.findScenario)
  if ('problem' in compared) return refuse('compare', [compared.problem], surroundings)
  const { leftOut, sides } = compared
  const { rules, misread: unfit } = rulesFor(options, sides[0].scenario.compared)
  if (unfit.length > 0) return refuse('compare', unfit, surroundings)
  const { stdout, stderr } = surroundings
  if (leftOut.length > 0) stderr.write(onTerminal(`left out, not complete: ${leftOut.join(', ')}\n`, stderr))
  const comparisons = compared.comparisons.map(comparison =>
    rules === undefined ? comparison : withRules(comparison, rules)
  )
  const checked = checkedOf(comparisons, own, surroundings.now())
  if (junit !== null && checked.checks.length === 0)
    return refuse('compare', [{ flag: '--junit', value: junit, allowed: NO_RULES }], surroundings)
  stdout.write(
    own.json
      ? documentText(comparisons.map(comparisonDocument))
      : onTerminal(await text(comparisons, sides), stdout)
  )
  const notMet = comparisons.some(isFailed) || (!own.allowUndecided && comparisons.some(isUndecided))
  const exitCode = notMet ? EXIT.NOT_MET : EXIT.DONE
  return tellChecks(checked, { junit, exitCode }, surroundings)
}

/** @param {Comparison[]} comparisons @param {Record<string, any>} own @param {Date} now @returns {import('../report/ci/checks.js').Checked} */
function checkedOf(comparisons, { allowUndecided }, now) {
  const several = comparisons.length > 1
  return {
    kind: 'compare',
    name: comparisons.map(({ base, candidate }) => `${base.label} ${candidate.label}`).join(', '),
    startedAt: now.toISOString(),
    allowUndecided,
    figures: () => comparisons.map(comparison => comparisonPage(comparison)).join('\n'),
    checks: comparisons.flatMap(comparison =>
      comparisonChecks(comparison).map(check => ({
        ...check,
        group: several ? `${check.group} of ${comparison.candidate.label}` : check.group
      }))
    )
  }
}

/**
 * What rules can be about is known when the runs are.
 *
 * @param {Arguments['options']} options
 * @param {import('../measure/figure.js').Comparable} compared
 * @returns {{ rules: FailRule[] | undefined, misread: Problem[] }} `rules`: undefined: none were given
 */
function rulesFor(options, compared) {
  const failOn = { ...COMMAND_OPTIONS.failOn, ...failRules(compared) }
  const { own, problems } = readCommandOptions({ ...COMMAND_OPTIONS, failOn }, options)
  return { rules: own.failOn, misread: problems }
}

/** @param {Comparison[]} comparisons @param {readonly Side[]} sides */
const text = async (comparisons, sides) =>
  [
    ...comparisons.map(comparison => comparisonPage(comparison)),
    `${await sideBySide(sides)}\n`,
    ...slopesOf(sides)
  ].join('\n')

/** Where some come and go, what is carried while they do is looked at over time. @param {readonly Side[]} sides @returns {string[]} */
function slopesOf(sides) {
  if (!sides.every(({ results: [{ outcome }] }) => 'rotation' in outcome)) return []
  const lines = sides.map(({ label, results: [result] }) => {
    const { points, slope } = carriedOverTime(result)
    return `- ${label}: ${changeWords(slope, points.length)}.`
  })
  return [`${lines.join('\n')}\n`]
}

/** @param {string[]} words @param {FindScenario} find @returns {Promise<Compared | { problem: Problem }>} */
async function comparedWords(words, find) {
  try {
    if (words.length === 1 && (await folderKind(words[0])) === 'ab') return await ofAb(words[0], find)
    if (words.length >= 2) return await ofFolders(words, find)
  } catch (error) {
    if (error instanceof IncomparableError)
      return { problem: { flag: words.join(' '), value: '', allowed: error.message } }
    if (error instanceof ResultFileError) return { problem: unreadable(error) }
    throw error
  }
  const allowed = 'must name a base and at least one candidate, or one folder of ab'
  return { problem: { flag: 'folders', value: words.join(' '), allowed } }
}

/** @param {string} folder @param {FindScenario} find @returns {Promise<Compared>} */
async function ofAb(folder, find) {
  const { comparison, sides } = await compareAb(folder, find)
  return { comparisons: [comparison], sides, leftOut: [] }
}

/** @param {string[]} folders @param {FindScenario} find @returns {Promise<Compared>} */
async function ofFolders(folders, find) {
  const sides = await Promise.all(folders.map(folder => readSide(folder, find)))
  const [base, ...candidates] = sides
  const comparisons = []
  for (const [place, candidate] of candidates.entries()) {
    const alternated = await armsOf(folders[0], folders[place + 1])
    comparisons.push(compare(base, candidate, { alternated }))
  }
  return { comparisons, sides, leftOut: sides.flatMap(({ leftOut }) => leftOut) }
}
