import yargs from 'yargs'
import { environmentName, SERVER_OPTIONS } from './options.js'

/**
 * serverFlags adds the options of the server to a yargs parser, for parsing and --help. Values are left as typed:
 * readServerOptions validates them.
 *
 * @template {import('yargs').Argv<any>} T
 * @param {T} parser
 * @returns {T}
 */
export function serverFlags(parser) {
  for (const [name, { describe, flag, default: preset }] of Object.entries(SERVER_OPTIONS)) {
    const shown = preset === undefined || preset === '' ? '' : `, default ${preset}`
    parser.option(name, {
      describe: `${describe} [${environmentName(name)}${shown}]`,
      type: flag ? 'boolean' : 'string'
    })
  }
  return parser
}

/**
 * parseServerFlags reads the flags of a server, by name, as typed.
 *
 * @param {string[]} argv
 * @returns {Record<string, unknown>}
 */
export function parseServerFlags(argv) {
  const parser = serverFlags(yargs(argv))
    .scriptName('server')
    .usage('$0 [options]\n\nA rendezvous server: /rendezvous/1.0.0 over TCP, Noise and Yamux.')
    .version(false)
    .parserConfiguration({ 'strip-dashed': true, 'strip-aliased': true, 'duplicate-arguments-array': true })
  const { _, $0, help, ...flags } = /** @type {Record<string, any>} */ (parser.parseSync())
  for (const word of _) flags[String(word)] = true
  return flags
}
