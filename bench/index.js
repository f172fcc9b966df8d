// Figures beside their targets: npm run bench -- --help.
import { parseArgs } from 'node:util'
import { markdownTable } from 'markdown-table'
import { FIGURES, USUAL } from './figures.js'
import { NoCommitError } from './parts/checkout.js'
import { keepAwake } from './parts/quiet-machine.js'
import { verificationMicros } from './parts/verification.js'

const NUMBERS = /** @type {const} */ ({
  pairs: { least: 1, usual: 8, about: 'pairs of runs in turns' },
  seconds: {
    least: 1,
    usual: 10,
    about: 'of a run, or a stretch: fleet, hostile, independent, overhead, storeFloor'
  },
  runs: { least: 1, usual: 10, about: 'of each situation: limitedBy' },
  piece: {
    least: 0,
    usual: 0,
    about: 'how much one run or call does: hostile (pairs), falseAlarms (seconds)'
  }
})
const MOST = 3600

const HELP = `npm run bench -- [figure...] [options]: what it costs, beside its targets. Nothing else should run meanwhile.

Figures (${USUAL.join(', ')}, if none is named):
${Object.entries(FIGURES)
  .map(([name, { about }]) => `  ${name.padEnd(20)}${about}`)
  .join('\n')}

Options:
${Object.entries(NUMBERS)
  .map(([name, { usual, about }]) => `  --${name.padEnd(18)}${about} [${usual}]`)
  .join('\n')}
  --only <pattern>    some of a figure's rows, as in --only 'DISCOVER at*'
  --rows <names>      some of the rows of hostile, as in --rows frames,unread10
  --keep              write results/reference/<figure>.{json,md}; rows that are kept are not always measured again
  --awake             keep the cores from sleeping meanwhile, which steadies times on a virtual machine
  --help

BENCH_REPEATS=1 and BENCH_REGISTRATIONS=10000 make less of it, for a look.`

/** @param {string} problem @returns {never} */
function refuse(problem) {
  console.error(`${problem}\nnpm run bench -- --help tells what there is`)
  process.exit(2)
}

/** @param {string[]} args */
function parsed(args) {
  try {
    return parseArgs({
      args,
      allowPositionals: true,
      options: {
        ...Object.fromEntries(
          Object.keys(NUMBERS).map(name => [name, { type: /** @type {const} */ ('string') }])
        ),
        only: { type: 'string', default: '*' },
        rows: { type: 'string', default: '' },
        keep: { type: 'boolean', default: false },
        awake: { type: 'boolean', default: false },
        help: { type: 'boolean', default: false }
      }
    })
  } catch (error) {
    return refuse(/** @type {Error} */ (error).message)
  }
}

/** @param {Record<string, any>} values @returns {Record<string, number>} */
const numbersOf = values =>
  Object.fromEntries(
    Object.entries(NUMBERS).map(([name, { least, usual }]) => {
      const number = Number(values[name] ?? usual)
      if (!(number >= least && number <= MOST))
        refuse(`--${name} ${values[name]} must be a number from ${least} to ${MOST}`)
      return [name, number]
    })
  )

/** The commit stands behind `against`. @param {string[]} words */
function askedFor(words) {
  const names = [...words]
  const place = names.indexOf('against')
  const [commit] = place < 0 ? [] : names.splice(place + 1, 1)
  if (place >= 0 && commit === undefined)
    refuse('against must name a commit, as in npm run bench -- against 61268f3')
  const strange = names.filter(name => !Object.hasOwn(FIGURES, name))
  if (strange.length > 0)
    refuse(`no figure is called ${strange.join(', ')}: choose from ${Object.keys(FIGURES).join(', ')}`)
  return { names: names.length > 0 ? names : USUAL, commit }
}

/** @param {string} name @param {object} options */
async function measured(name, options) {
  try {
    return await FIGURES[name].measure(options)
  } catch (error) {
    if (!(error instanceof NoCommitError)) throw error
    return refuse(error.message)
  }
}

const { positionals, values } = parsed(process.argv.slice(2))
if (values.help) {
  console.log(HELP)
  process.exit(0)
}
const { names, commit } = askedFor(positionals)
const options = { ...values, ...numbersOf(values), commit }

// what was started ends with it
process.once('SIGINT', () => process.exit(130))
process.once('SIGTERM', () => process.exit(143))

const letSleep = values.awake ? keepAwake() : () => {}
console.log(
  `Node ${process.versions.node}, one Ed25519 verification takes ${verificationMicros().toFixed(0)} µs\n`
)
for (const name of names) {
  const { title, head, rows } = await measured(name, options)
  console.log(
    `${title}\n\n${markdownTable([head, ...rows], { align: ['l', ...head.slice(1).map(() => 'r')] })}\n`
  )
}
letSleep()
