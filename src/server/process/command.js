// Command line of the server: parses flags, prints help, starts the server, gives an exit code.
import { parseArgs } from 'node:util'
import { escapeInvisible } from '../../kit/safe-text.js'
import { SIZE_NOTE } from '../../plan/values.js'
import {
  ListenError,
  makeEnvironmentName,
  readServerOptions,
  SERVER_OPTIONS,
  ServerOptionsError
} from '../options.js'
import { runServerProcess } from '../server-process.js'
import { StoreOpenError } from '../store.js'
import { KeyFileError } from './identity.js'

/** @type {import('node:util').ParseArgsConfig['options']} */
const types = Object.fromEntries([
  ['help', { type: 'boolean' }],
  ['limits', { type: 'string' }],
  ...Object.entries(SERVER_OPTIONS).map(([name, { flag }]) => [name, { type: flag ? 'boolean' : 'string' }])
])

/**
 * parseServerFlags reads the flags of a server, by name, as typed; readServerOptions validates them. Names may be in camelCase or kebab-case.
 * It uses no library, which would take 4 MB of the server's memory.
 *
 * @param {string[]} argv
 * @returns {Record<string, unknown>} a repeated flag has a list of values
 */
export function parseServerFlags(argv) {
  const camelCase = (/** @type {string} */ flag) =>
    `--${flag.slice(2).replace(/-([a-z])/g, (_, letter) => letter.toUpperCase())}`
  const args = argv.map(arg => arg.replace(/^--[^=]+/, camelCase))
  const { tokens } = parseArgs({ args, options: types, strict: false, tokens: true })
  /** @type {Record<string, unknown>} */
  const flags = {}
  for (const token of tokens) {
    if (token.kind === 'option-terminator') continue
    const [name, text] = token.kind === 'option' ? [token.name, token.value] : [token.value]
    const value = text ?? (types?.[name]?.type === 'string' ? '' : true)
    flags[name] = flags[name] === undefined ? value : [flags[name], value].flat()
  }
  return flags
}

/** makeServerHelp lists the options of a server. */
export function makeServerHelp() {
  const lines = Object.entries(SERVER_OPTIONS).map(([name, { describe, default: preset }]) => {
    const shown = preset === undefined || preset === '' ? '' : `; default ${preset}`
    return `  --${name.padEnd(20)}  ${describe}\n${' '.repeat(26)}[${makeEnvironmentName(name)}${shown}]`
  })
  return `A rendezvous server: /rendezvous/1.0.0 over TCP, Noise and Yamux.\n\nOptions:\n${lines.join('\n')}\n\n${SIZE_NOTE}\n`
}

const EXIT_FAILED = 1
const EXIT_BAD_USAGE = 2

/** @param {unknown} error */
function printError(error) {
  if (!(error instanceof ServerOptionsError)) {
    const { message, stack } = /** @type {Error} */ (error)
    const explained = [ListenError, KeyFileError, StoreOpenError].some(kind => error instanceof kind)
    process.stderr.write(escapeInvisible(`the server failed: ${explained ? message : stack}\n`))
    return EXIT_FAILED
  }
  const lines = error.problems.map(({ flag, value, allowed }) => `  ${flag} ${value}  ${allowed}`)
  const many = `${lines.length} problem${lines.length > 1 ? 's' : ''}`
  process.stderr.write(escapeInvisible(`${many}:\n${lines.join('\n')}\n`))
  return EXIT_BAD_USAGE
}

/** runServerCommand runs a server as its flags and environment say. @returns {Promise<number>} exit code */
export async function runServerCommand() {
  const { help, ...flags } = parseServerFlags(process.argv.slice(2))
  try {
    if (help) process.stdout.write(makeServerHelp())
    else await runServerProcess(readServerOptions(flags, process.env))
    return 0
  } catch (error) {
    return printError(error)
  }
}
