import { PROGRAM } from '../kit/program.js'
import { camelCase } from '../plan/option-text.js'
import { onTerminal } from '../report/terminal-text.js'
import { environmentName, readServerOptions, SERVER_OPTIONS, ServerOptionsError } from '../server/options.js'
import { EXIT } from './exit-codes.js'
import { problemList } from './problem-list.js'

/**
 * @typedef {import('./arguments.js').Arguments} Arguments
 * @typedef {import('./arguments.js').CommandHelp} CommandHelp
 * @typedef {import('./surroundings.js').Surroundings} Surroundings
 */

/** @type {CommandHelp} */
export const SERVER = {
  options: Object.fromEntries(
    Object.entries(SERVER_OPTIONS).map(([name, option]) => [
      name,
      { ...option, group: 'The server:', describe: `${option.describe} (${environmentName(name)})` }
    ])
  ),
  examples: /** @type {[string, string][]} */ ([
    ['on every address of this machine', 'server --listen /ip4/0.0.0.0/tcp/8000'],
    ['the same peer id after a restart', 'server --keyFile server.key'],
    ['registrations that outlive the server', 'server --store postgres://loadtest@db/rendezvous'],
    [
      'several addresses, short-lived registrations',
      'server --listen /ip4/127.0.0.1/tcp/8000,/ip6/::1/tcp/8000 --minTtl 1s'
    ]
  ]),
  epilogue: 'Each option can also be given as the environment variable in brackets; a flag goes before it.'
}

/**
 * serverCommand runs a rendezvous server until it is told to stop.
 *
 * @param {Arguments} args
 * @param {Surroundings} surroundings
 * @returns {Promise<number>} exit code
 */
export async function serverCommand({ options, words }, { stdout, stderr, env, loadServe }) {
  const flags = Object.fromEntries(Object.entries(options).map(([name, value]) => [camelCase(name), value]))
  const { settings, problems } = settingsOf(flags, env)
  const stray = words.map(word => ({
    flag: word,
    value: '',
    allowed: 'is neither a command nor the value of an option'
  }))
  if (settings === undefined || stray.length > 0) {
    stderr.write(onTerminal(problemList([...stray, ...problems], `${PROGRAM} server --help`), stderr))
    return EXIT.USAGE
  }
  const serve = await loadServe()
  await serve(settings, stdout)
  return EXIT.DONE
}

/**
 * @param {Record<string, unknown>} flags
 * @param {Record<string, string | undefined>} env
 */
function settingsOf(flags, env) {
  try {
    return { settings: readServerOptions(flags, env), problems: [] }
  } catch (error) {
    if (error instanceof ServerOptionsError) return { problems: error.problems }
    throw error
  }
}
