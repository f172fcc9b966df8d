import { parseArgs } from 'node:util'
import { visible } from '../kit/safe-text.js'
import { SIZE_NOTE } from '../plan/values.js'
import {
  environmentName,
  ListenError,
  readServerOptions,
  SERVER_OPTIONS,
  ServerOptionsError
} from './options.js'
import { KeyFileError } from './process/identity.js'
import { serve } from './server-process.js'
import { StoreOpenError } from './store.js'

/** @param {string} name - may be in kebab-case */
const camelCase = name => name.replace(/-([a-z])/g, (_, letter) => letter.toUpperCase())

/** @type {import('node:util').ParseArgsConfig['options']} */
const types = Object.fromEntries([
  ['help', { type: 'boolean' }],
  ...Object.entries(SERVER_OPTIONS).map(([name, { flag }]) => [name, { type: flag ? 'boolean' : 'string' }])
])

/**
 * parseServerFlags reads the flags of a server, by name, as typed; readServerOptions validates them. Names may be in
 * camelCase or kebab-case. It does without a library, which would take 4 MB of the server's memory.
 *
 * @param {string[]} argv
 * @returns {Record<string, unknown>} what was given several times is a list
 */
export function parseServerFlags(argv) {
  const args = argv.map(arg => (arg.startsWith('--') ? arg.replace(/^--[^=]+/, camelCaseFlag) : arg))
  const { tokens } = parseArgs({ args, options: types, strict: false, tokens: true })
  /** @type {Record<string, unknown>} */
  const flags = {}
  for (const token of tokens) {
    if (token.kind === 'option') add(flags, token.name, token.value)
    else if (token.kind === 'positional') add(flags, token.value, undefined)
  }
  return flags
}

/** @param {string} flag */
const camelCaseFlag = flag => `--${camelCase(flag.slice(2))}`

/** @param {Record<string, unknown>} flags @param {string} name @param {string | undefined} text */
function add(flags, name, text) {
  const value = text ?? (types?.[name]?.type === 'string' ? '' : true)
  flags[name] = flags[name] === undefined ? value : [flags[name], value].flat()
}

/** serverHelp lists the options of a server. */
export function serverHelp() {
  const lines = Object.entries(SERVER_OPTIONS).map(([name, { describe, default: preset }]) => {
    const shown = preset === undefined || preset === '' ? '' : `; default ${preset}`
    return `  --${name.padEnd(20)}  ${describe}\n${' '.repeat(26)}[${environmentName(name)}${shown}]`
  })
  return `A rendezvous server: /rendezvous/1.0.0 over TCP, Noise and Yamux.\n\nOptions:\n${lines.join('\n')}\n\n${SIZE_NOTE}\n`
}

const EXIT_FAILED = 1
const EXIT_BAD_USAGE = 2

/** @param {unknown} error */
function explain(error) {
  if (!(error instanceof ServerOptionsError)) {
    const { message, stack } = /** @type {Error} */ (error)
    const explained = [ListenError, KeyFileError, StoreOpenError].some(kind => error instanceof kind)
    process.stderr.write(visible(`the server failed: ${explained ? message : stack}\n`))
    return EXIT_FAILED
  }
  const lines = error.problems.map(({ flag, value, allowed }) => `  ${flag} ${value}  ${allowed}`)
  const many = `${lines.length} problem${lines.length > 1 ? 's' : ''}`
  process.stderr.write(visible(`${many}:\n${lines.join('\n')}\n`))
  return EXIT_BAD_USAGE
}

/** main runs a server as its flags and environment say. @returns {Promise<number>} exit code */
export async function main() {
  const { help, ...flags } = parseServerFlags(process.argv.slice(2))
  try {
    if (help) process.stdout.write(serverHelp())
    else await serve(readServerOptions(flags, process.env))
    return 0
  } catch (error) {
    return explain(error)
  }
}
