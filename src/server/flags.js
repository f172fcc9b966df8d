import { parseArgs } from 'node:util'
import { SIZE_NOTE } from '../plan/values.js'
import { environmentName, SERVER_OPTIONS } from './options.js'

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
