import { nearWord } from '../kit/problem-words.js'
import { PROGRAM } from '../kit/program.js'
import { camelCase } from '../plan/option-text.js'
import { onTerminal } from '../report/terminal-text.js'
import { COMMANDS } from './commands.js'
import { EXIT } from './exit-codes.js'
import { problemList } from './problem-list.js'

const NAMES = COMMANDS.map(({ name }) => name)

/** @typedef {Record<string, unknown>} Options - as typed */

/** What `rotate` of an earlier release did by default. @type {Readonly<Record<string, { amount: string, every: string, down: string, usual: Options }>>} */
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
  const options = Object.fromEntries(Object.entries(typed).map(([name, value]) => [camelCase(name), value]))
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

/**
 * By the first word of a command of an earlier release, what replaces it.
 *
 * @type {Readonly<Record<string, (args: Pick<import('./arguments.js').Arguments, 'words' | 'options'>) => string>>}
 */
const REMOVED = {
  rotate: ({ words: [, scenario], options }) =>
    rotateNow(Object.hasOwn(ROTATED, scenario) ? scenario : 'gossip', options)
}

/**
 * refuseNearCommand says which command was meant by a first word that is none, if an earlier release had it or one is spelled like it.
 *
 * @param {Pick<import('./arguments.js').Arguments, 'words' | 'options'>} args - the first of their words is no command
 * @param {import('./surroundings.js').Surroundings} surroundings
 * @returns {number | null} exit code; null: it is like none
 */
export function refuseNearCommand(args, { stderr }) {
  const [word] = args.words
  const removed = Object.hasOwn(REMOVED, word) ? REMOVED[word](args) : null
  const name = removed === null ? nearWord(word, NAMES, 1) : null
  if (removed === null && name === null) return null
  const allowed =
    removed === null ? `is no command; did you mean ${name}?` : `is no command any more; instead: ${removed}`
  const problem = { flag: removed === null ? word : args.words.join(' '), value: '', allowed }
  stderr.write(onTerminal(problemList([problem], `${PROGRAM} --help`), stderr))
  return EXIT.USAGE
}
