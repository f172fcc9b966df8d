// Error messages for removed or misspelled commands, which name the command to use instead.
import { findNearWord } from '../kit/option-problems.js'
import { PROGRAM } from '../kit/runtime.js'
import { estimateHostileMs } from '../load/trials.js'
import { toCamelCase } from '../plan/options.js'
import { milliseconds } from '../plan/values.js'
import { wrapForTerminal } from '../report/text.js'
import { HOSTILE_KINDS } from '../scenarios/rendezvous/peer-options.js'
import { COMMANDS } from './commands.js'
import { EXIT, formatProblemList } from './exit.js'

const NAMES = COMMANDS.map(({ name }) => name)

/** @typedef {Record<string, unknown>} Options - as typed */

/** Defaults of the removed command `rotate`. @type {Readonly<Record<string, { amount: string, every: string, down: string, usual: Options }>>} */
const ROTATED = {
  gossip: {
    ...{ amount: 'nodes', every: '15s', down: '5s' },
    usual: { duration: '5m', rate: '2/s', topology: 'random-degree:k=6' }
  },
  rendezvous: {
    ...{ amount: 'nClients', every: '5s', down: '2s' },
    usual: {
      ...{ benchmarkType: 'DISCOVER', rate: '30/s', discoverLimit: 1000, ttl: '1m', duration: '5m' },
      ...{ nNamespaces: 1, initialRegistrations: 0 }
    }
  }
}

/** @param {Options} options */
const flagsOf = options =>
  Object.entries(options).map(([name, value]) => {
    if (typeof value === 'boolean') return value ? `--${name}` : `--no-${name}`
    return `--${name} ${/^[\w.,:=/%@-]+$/.test(String(value)) ? value : JSON.stringify(String(value))}`
  })

/** @param {string} scenario @param {Options} typed */
function rotateNow(scenario, typed) {
  const { amount, every, down, usual } = ROTATED[scenario]
  const options = Object.fromEntries(Object.entries(typed).map(([name, value]) => [toCamelCase(name), value]))
  const {
    stable = 20,
    ephemeral = 10,
    rotateEvery = every,
    downFor = down,
    dials,
    settle,
    ...others
  } = options
  const churn = [ephemeral, `every=${rotateEvery}`, `away=${downFor}`]
  if (dials !== undefined) churn.push(`dials=${dials}`)
  if (settle !== undefined) churn.push(`settle=${settle}`)
  const all = { [amount]: Number(stable) + Number(ephemeral), churn: churn.join(','), ...usual, ...others }
  return `${PROGRAM} ${scenario} ${flagsOf(all).join(' ')}`
}

/** Defaults of the removed command `abuse`. */
const ABUSED = Object.freeze({
  ...{ nClients: 4, rate: '200/s', benchmarkType: 'DISCOVER', discoverLimit: 20, warmup: '10s' }
})

/** A kind with how many times its rate: `frames`, `frames×10`. */
const ABUSE = /^([a-z]+)(?: ?[×x*] ?(\d+))?$/i

/** Each kind of abuse had a server of its own. @param {string[]} words @param {Options} typed */
function abuseNow([first = 'all'], typed) {
  const options = Object.fromEntries(Object.entries(typed).map(([name, value]) => [toCamelCase(name), value]))
  const {
    kinds = first,
    clients = ABUSED.nClients,
    pairs = 6,
    stretch = '5s',
    threshold,
    ...others
  } = options
  const kindNames =
    String(kinds).toLowerCase() === 'all' ? Object.keys(HOSTILE_KINDS) : String(kinds).split(',')
  const everyMs = milliseconds(String(stretch))
  return kindNames
    .map(kind => {
      const [, name = kind, times = 1] = ABUSE.exec(kind.trim()) ?? []
      const hostile = {
        hostile: `${name.toLowerCase()}=${times}`,
        hostileEvery: stretch,
        duration: `${Math.ceil(estimateHostileMs(Number(pairs), everyMs) / 1000)}s`
      }
      const flags = flagsOf({ ...hostile, ...ABUSED, nClients: clients, ...others })
      const thresholds = [threshold ?? []]
        .flat()
        .map(text => `--threshold ${JSON.stringify(figureNow(text))}`)
      return `${PROGRAM} rendezvous ${[...flags, ...thresholds].join(' ')}`
    })
    .join('\n  ')
}

/** @param {unknown} threshold */
const figureNow = threshold =>
  String(threshold)
    .replace(/^errors\.abused\b/, 'errors')
    .replace(/^/, 'hostile.')

/**
 * Replacements of removed commands, by their names.
 *
 * @type {Readonly<Record<string, (args: Pick<import('./command-line.js').Arguments, 'words' | 'options'>) => string>>}
 */
const REMOVED = {
  abuse: ({ words: [, ...words], options }) => abuseNow(words, options),
  rotate: ({ words: [, scenario], options }) =>
    rotateNow(Object.hasOwn(ROTATED, scenario) ? scenario : 'gossip', options)
}

/**
 * refuseUnknownCommand refuses a first word that is a removed or misspelled command, and names the replacement.
 *
 * @param {Pick<import('./command-line.js').Arguments, 'words' | 'options'>} args - the first of their words is no command
 * @param {import('./index.js').ProcessIo} io
 * @returns {number | null} exit code; null: it is neither
 */
export function refuseUnknownCommand(args, { stderr }) {
  const [word] = args.words
  const removed = Object.hasOwn(REMOVED, word) ? REMOVED[word](args) : null
  const name = removed === null ? findNearWord(word, NAMES, 1) : null
  if (removed === null && name === null) return null
  const allowed =
    removed === null ? `is not a command; did you mean ${name}?` : `was removed; instead: ${removed}`
  const problem = { flag: removed === null ? word : args.words.join(' '), value: '', allowed }
  stderr.write(wrapForTerminal(formatProblemList([problem], `${PROGRAM} --help`), stderr))
  return EXIT.USAGE
}
