import { readCommandOptions } from '../plan/command-options.js'
import { OUTPUT_OPTIONS } from '../plan/shared-options.js'
import { hostLines } from '../report/host-lines.js'
import { onTerminal } from '../report/terminal-text.js'
import { WATCHED_MS, watchedHost } from '../workers/watched-host.js'
import { EXIT } from './exit-codes.js'
import { refuse } from './refuse.js'

const COMMAND_OPTIONS = {
  json: { ...OUTPUT_OPTIONS.json, describe: 'print what was found as JSON and nothing else' }
}

/** @type {import('./arguments.js').CommandHelp} */
export const DOCTOR = {
  options: COMMAND_OPTIONS,
  examples: /** @type {[string, string][]} */ ([['before a measurement', 'doctor']]),
  epilogue:
    'It takes 16 s, in which nothing else should run. What it finds, but for late timers, stands in every result as run.host; those of a run in run.lateness.'
}

/**
 * doctorCommand says what this machine can be believed for.
 *
 * @param {import('./arguments.js').Arguments} args
 * @param {import('./surroundings.js').Surroundings} surroundings
 * @returns {Promise<number>} exit code
 */
export async function doctorCommand({ options, words }, surroundings) {
  const { own, problems } = readCommandOptions(COMMAND_OPTIONS, options)
  const strays = words.map(word => ({ flag: word, value: '', allowed: 'has no use here' }))
  if (problems.length + strays.length > 0) return refuse('doctor', [...problems, ...strays], surroundings)
  surroundings.stderr.write(`looking for ${WATCHED_MS / 1000} s at how late timers are\n`)
  const { host, hiccups } = await watchedHost()
  surroundings.stdout.write(
    own.json
      ? `${JSON.stringify({ host, hiccups }, null, 2)}\n`
      : onTerminal(
          hostLines(host, hiccups)
            .map(([what, how]) => `${what.padEnd(22)}${how}\n`)
            .join(''),
          surroundings.stdout
        )
  )
  return EXIT.DONE
}
