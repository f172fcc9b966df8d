// The `conform` command: checks a rendezvous server against the specification.
import { isLoopbackMultiaddr, isTcpPeerAddress } from '../../plan/addresses.js'
import { parseCommandOptions } from '../../plan/plan.js'
import { path, targetAddress, whyNoTarget, yesOrNo } from '../../plan/values.js'
import { replaceFile } from '../../report/result-folder.js'
import { findOutputFileProblem, writeView } from '../../report/run-report.js'
import { wrapForTerminal } from '../../report/text.js'
import { formatDryRun } from '../dry-run.js'
import { catchSignals, EXIT, refuse } from '../exit.js'
import { writeChecks } from '../outputs.js'

/**
 * @typedef {import('../command-line.js').Arguments} Arguments
 * @typedef {import('../command-line.js').CommandHelp} CommandHelp
 * @typedef {import('../index.js').ProcessIo} ProcessIo
 * @typedef {import('../../conformance/examination.js').CheckOutcome} CheckOutcome
 * @typedef {import('../../conformance/report.js').ConformanceDocument} ConformanceDocument
 * @typedef {import('../../report/schema.js').Description} Description
 *
 * @typedef {{ iOwnTheTarget: boolean, dryRun: boolean, restart?: string, junit?: string, markdown?: string, page?: string }} Own
 */

const GROUP = 'The target:'
const FILES = 'Files:'
const COMMAND_OPTIONS = {
  iOwnTheTarget: {
    group: GROUP,
    default: false,
    ...yesOrNo(),
    describe: 'also send broken frames and a thousand registrations; always on at loopback addresses'
  },
  restart: {
    group: GROUP,
    ...path(),
    allowed: "must be a command for the shell, such as 'docker restart rendezvous'",
    describe: 'command that restarts the target at its address; for checks of persistence'
  },
  dryRun: {
    group: GROUP,
    default: false,
    ...yesOrNo(),
    describe: 'show what would be done; do nothing'
  },
  junit: { group: FILES, ...path(), describe: 'JUnit XML file for CI' },
  markdown: {
    group: FILES,
    ...path(),
    describe: 'markdown file of all checks, with their specification sentences'
  },
  page: { group: FILES, ...path(), describe: 'HTML file of all checks' }
}

const FILE_FLAGS = /** @type {const} */ (['junit', 'markdown', 'page'])

/** @type {CommandHelp} */
export const help = {
  options: COMMAND_OPTIONS,
  examples: /** @type {[string, string][]} */ ([
    ['your own server', 'conform /ip4/127.0.0.1/tcp/8000/p2p/12D3KooW…'],
    ['in CI', 'conform /ip4/127.0.0.1/tcp/8000/p2p/12D3KooW… --junit conform.xml --page conform.html'],
    [
      'a server elsewhere, with all checks',
      "conform /dns4/rendezvous.example.org/tcp/8000/p2p/12D3KooW… --iOwnTheTarget --restart 'ssh rendezvous systemctl restart rendezvous'"
    ]
  ]),
  epilogue:
    'Verdicts: pass, fail, differs (allowed, not as recommended), not tested. What was registered is unregistered. All checks: docs/conformance.md.\nExit codes: 0 nothing failed, 1 target unreachable, 2 bad usage, 3 a check failed, 130 interrupted (results so far are shown).'
}

/**
 * run holds a rendezvous server against the specification.
 *
 * @param {Arguments} args
 * @param {ProcessIo} io
 * @returns {Promise<number>} exit code
 */
export async function run({ options, words }, io) {
  const { own, problems } = parseCommandOptions(COMMAND_OPTIONS, options)
  const all = [...addressProblems(words), ...problems, ...(await fileProblems(/** @type {Own} */ (own)))]
  if (all.length > 0) return refuse('conform', all, io)
  if (own.dryRun) {
    const { stdout } = io
    stdout.write(wrapForTerminal(plannedText(words[0], /** @type {Own} */ (own)), stdout))
    return EXIT.DONE
  }
  const { stderr, process } = io
  const { signal, release } = catchSignals(process, () =>
    stderr.write('stopping: taking back what was registered\n')
  )
  try {
    return await checked(words[0], /** @type {Own} */ (own), { ...io, signal })
  } catch (error) {
    if (signal.aborted) return EXIT.INTERRUPTED
    throw error
  } finally {
    release()
  }
}

/** @param {string} address @param {Own} own */
function plannedText(address, { iOwnTheTarget, restart, ...files }) {
  const all = iOwnTheTarget || isLoopbackMultiaddr(address)
  return formatDryRun([
    ['Plan', all ? 'all checks' : 'all checks but those that may harm the target'],
    ['Starts', restart ?? 'nothing'],
    ['Contacts', address],
    ['Takes', 'about 10 s'],
    ['Memory', 'about 100 MB'],
    ['Writes', FILE_FLAGS.flatMap(flag => files[flag] ?? []).join(', ') || 'nothing']
  ])
}

/** @param {string[]} words @returns {import('../../plan/plan.js').Problem[]} */
function addressProblems([address = '', ...more]) {
  const strays = more.map(word => ({ flag: word, value: '', allowed: 'is one address too many' }))
  if (isTcpPeerAddress(address)) return strays
  const allowed = whyNoTarget(address) ?? targetAddress().allowed
  return [{ flag: address === '' ? 'address' : address, value: '', allowed }, ...strays]
}

/** @param {Own} own @returns {Promise<import('../../plan/plan.js').Problem[]>} */
async function fileProblems(own) {
  const problems = await Promise.all(
    FILE_FLAGS.map(flag => {
      const file = own[flag]
      return file === undefined ? null : findOutputFileProblem(file, `--${flag}`)
    })
  )
  return problems.filter(problem => problem !== null)
}

/** @typedef {ProcessIo & { signal: AbortSignal }} During */

/**
 * @param {string} address
 * @param {Own} own
 * @param {During} io
 * @returns {Promise<number>} exit code
 */
async function checked(address, { junit, ...own }, io) {
  const { makeConformanceChecks } = await import('../../conformance/report.js')
  const about = { address, version: io.version, startedAt: io.now().toISOString() }
  const tell = (
    /** @type {import('../../report/checks.js').CheckReport} */ checked,
    /** @type {number} */ exitCode
  ) => writeChecks(checked, { junit: junit ?? null, exitCode }, io)
  try {
    const document = await examined(about, own, io)
    const { aborted } = io.signal
    return await tell(
      makeConformanceChecks(document, aborted ? 'interrupted' : undefined),
      aborted ? EXIT.INTERRUPTED : exitCodeOf(document.outcomes)
    )
  } catch (error) {
    if (!io.signal.aborted) await tell(makeConformanceChecks(about, error), EXIT.FAILED)
    throw error
  }
}

/** @param {readonly CheckOutcome[]} outcomes */
const exitCodeOf = outcomes => (outcomes.some(({ verdict }) => verdict === 'fail') ? EXIT.NOT_MET : EXIT.DONE)

/**
 * @param {Pick<ConformanceDocument, 'address' | 'version' | 'startedAt'>} about
 * @param {Omit<Own, 'junit'>} own
 * @param {During} io
 * @returns {Promise<ConformanceDocument>}
 */
async function examined(about, { iOwnTheTarget, restart, ...files }, { stdout, signal }) {
  const { address, version } = about
  const { examineServer } = await import('../../conformance/examination.js')
  const { makeRestart } = await import('../../conformance/examination.js')
  const { formatConformanceHeading: heading, formatCheckOutcome: outcomeText } = await import(
    '../../conformance/report.js'
  )
  const say = (/** @type {string} */ text) => void stdout.write(wrapForTerminal(text, stdout))
  /** @type {CheckOutcome[]} */
  const outcomes = []
  /** @type {number | null} */
  let left = 0
  const examination = examineServer(address, {
    own: iOwnTheTarget || isLoopbackMultiaddr(address),
    restart: restart === undefined ? null : makeRestart(restart),
    signal
  })
  for await (const record of examination) {
    if (record.type === 'end') {
      left = record.left
      continue
    }
    const { outcome } = record
    if (outcomes.length === 0) say(heading(address, version))
    if (outcomes.at(-1)?.group !== outcome.group) say(`\n${outcome.group}\n`)
    say(outcomeText(outcome))
    outcomes.push(outcome)
  }
  const document = { ...about, outcomes, left }
  const { describeConformance } = await import('../../conformance/report.js')
  const description = describeConformance(document)
  say(`\n${endText(description)}`)
  await writeFiles(files, description, version)
  return document
}

/** Checks that failed were shown where they were made. @param {Description} description */
const endText = ({ headline, warnings }) =>
  [headline, ...warnings.flatMap(({ code, text }) => (code === 'REGISTRATIONS_LEFT' ? [`⚠ ${text}`] : []))]
    .map(line => `${line}\n`)
    .join('')

/** @param {Pick<Own, 'markdown' | 'page'>} files @param {Description} description @param {string} version - of this tool */
async function writeFiles({ markdown, page }, description, version) {
  if (markdown !== undefined) {
    const { writeMarkdownReport } = await import('../../report/text.js')
    await writeView(markdown, writeMarkdownReport(description))
  }
  if (page !== undefined) {
    const { writeDescriptionPage } = await import('../../report/page.js')
    await replaceFile(page, writeDescriptionPage(description, { head: { version } }))
  }
}
