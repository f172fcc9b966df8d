import { notWritten } from '../report/views.js'
import { ResultFileError } from '../result/read-result.js'
import { compareAb, isFailed } from '../studies/comparison/ab-comparison.js'
import { makeAbFolder, writeAb } from '../studies/comparison/ab-folder.js'
import { heldAgainst } from '../studies/comparison/baseline.js'
import { runAb } from '../studies/comparison/run-ab.js'
import { readSide } from '../studies/comparison/sides.js'
import { AB_FILES, comparisonJson, writeAbViews } from '../studies/comparison/view/ab-views.js'
import { comparisonPage } from '../studies/comparison/view/comparison-page.js'
import { newHead } from '../studies/study.js'
import { EXIT } from './exit-codes.js'
import { AB_GOSSIP_OPTIONS, AB_OPTIONS, planAb } from './plan-ab.js'
import { refuse } from './refuse.js'
import { conductStudy } from './run-study-command.js'
import { takeFolder } from './take-folder.js'

/**
 * @typedef {import('../studies/comparison/ab-folder.js').AbDocument} AbDocument
 * @typedef {import('../result/folder.js').RunFolder} RunFolder
 * @typedef {import('../studies/comparison/ab-comparison.js').AbRead} AbRead
 * @typedef {import('./arguments.js').Arguments} Arguments
 * @typedef {import('./arguments.js').CommandHelp} CommandHelp
 * @typedef {import('./plan-ab.js').PlannedAb} PlannedAb
 * @typedef {import('./surroundings.js').Surroundings} Surroundings
 */

const EXIT_CODES =
  'Exit codes: 0 compared, 1 a run failed, 3 a --fail-on rule, the baseline or a threshold of a run failed, 130 interrupted: complete pairs are kept and compared.'

const PLANS =
  "A plan is a YAML or JSON file as for --config, or options in quotes with a space in them; '' is what the other options say. These hold for both plans, go before files, and stand behind quoted options."

/** Both plans of a gossip network. @type {CommandHelp} */
const AB_GOSSIP = Object.freeze({
  options: AB_GOSSIP_OPTIONS,
  examples: /** @type {[string, string][]} */ ([
    [
      'what changed from one generation of libp2p to the next?',
      "ab gossip '--stack libp2p-2' '--stack libp2p-3' --nodes 30 --rate 5 --messages 300"
    ],
    ['do fast message ids pay?', "ab gossip '--fastMsgId off' '--fastMsgId on'"]
  ]),
  epilogue: `${PLANS} How it is decided: docs/comparison.md. ${EXIT_CODES}`
})

/** @type {CommandHelp} */
export const AB = Object.freeze({
  options: AB_OPTIONS,
  examples: /** @type {[string, string][]} */ ([
    [
      'does one long-lived stream make a difference?',
      `ab '--streamPerOperation true' '--streamPerOperation false' --benchmarkType DISCOVER`
    ],
    ['two plan files, 12 runs each', 'ab before.yaml after.yaml --runs 12'],
    ['how much does this machine scatter?', `ab '' '' --nClients 10`],
    ['fail when p99 is worse by more than 10 %', `ab before.yaml after.yaml --fail-on "p99 > +10%"`],
    [
      'has the program become slower since last week?',
      'ab plan.yaml plan.yaml --baseline results/20261120-0712-ab-7/a'
    ],
    ['two plans of a gossip network: options of its own', 'ab gossip --help']
  ]),
  epilogue: `${PLANS} How it is decided: docs/comparison.md. ${EXIT_CODES}`,
  forms: Object.freeze({ gossip: AB_GOSSIP })
})

/**
 * abCommand runs two plans in turn and compares them.
 *
 * @param {Arguments} args
 * @param {Surroundings} surroundings
 * @returns {Promise<number>} exit code
 */
export async function abCommand(args, surroundings) {
  const { problems, ...made } = /** @type {{ planned?: PlannedAb, problems?: any }} */ (
    await planAb(args, surroundings.findScenario)
  )
  const asked = args.words[0] === 'gossip' ? 'ab gossip' : 'ab'
  if (made.planned === undefined) return refuse(asked, problems, surroundings)
  const folder = await folderFor(made.planned, surroundings)
  return 'problem' in folder
    ? refuse(asked, [folder.problem], surroundings)
    : run(made.planned, folder, surroundings)
}

/** @param {PlannedAb} planned @param {Surroundings} surroundings */
const folderFor = ({ arms, output: { outputDir } }, { now }) =>
  takeFolder(outputDir, () => makeAbFolder(outputDir, now(), arms.a.plan))

/** @param {PlannedAb} planned @param {RunFolder} folder @param {Date} now @returns {AbDocument} */
const documentOf = ({ arms, runs, failOn, baseline }, { id }, now) => ({
  ...newHead(id, now),
  arms,
  failOn: failOn.map(({ text }) => text),
  baseline,
  held: null,
  pairs: Array.from({ length: runs }, () => ({ a: null, b: null }))
})

/** @param {PlannedAb} planned @param {RunFolder} folder @param {Surroundings} surroundings */
async function run(planned, folder, surroundings) {
  const { stdout, now, findScenario } = surroundings
  const { output, arms } = planned
  const document = documentOf(planned, folder, now())
  const { interrupted, viewOf, complain } = await conductStudy(
    {
      document,
      shown: [arms.a.plan],
      output,
      run: components => runAb(document, folder, components),
      incomplete: 'not all runs are complete'
    },
    surroundings
  )
  const compared = await comparisonOf(document, planned, folder, findScenario)
  if (compared === null) complain('no pair of runs is complete: there is nothing to compare\n')
  else {
    const { scenario } = viewOf(arms.a.plan)
    await writeAbViews(folder.path, compared, scenario).catch(error =>
      complain(notWritten(error, folder.path))
    )
    stdout.write(output.json ? comparisonJson(compared.comparison) : text(compared, folder))
  }
  return exitCode(document, compared, interrupted)
}

/**
 * @param {AbDocument} document
 * @param {PlannedAb} planned
 * @param {RunFolder} folder
 * @param {import('../scenarios/index.js').FindScenario} find
 * @returns {Promise<AbRead | null>}
 */
async function comparisonOf(document, { baseline, failOn }, { path }, find) {
  try {
    const read = await compareAb(path, find)
    if (baseline === null) return read
    const rules = failOn.length > 0 ? failOn : undefined
    document.held = heldAgainst(await readSide(baseline, find), read.sides[1], rules)
    await writeAb(path, document)
    return { ...read, document, comparison: { ...read.comparison, baseline: document.held } }
  } catch (error) {
    if (error instanceof ResultFileError) return null
    throw error
  }
}

/** @param {AbRead} compared @param {RunFolder} folder */
const text = ({ comparison }, { path }) =>
  `${comparisonPage(comparison)}\n${path}/   ${AB_FILES.join(' · ')}\n`

/** @param {AbDocument} document @param {AbRead | null} compared @param {boolean} interrupted */
function exitCode({ status, reason }, compared, interrupted) {
  if (status !== 'complete' && interrupted) return EXIT.INTERRUPTED
  // a run that a threshold broke off did what was asked for
  if (reason?.code === 'THRESHOLD_FAILED') return EXIT.NOT_MET
  if (status !== 'complete' || compared === null) return EXIT.FAILED
  return isFailed(compared.comparison) ? EXIT.NOT_MET : EXIT.DONE
}
