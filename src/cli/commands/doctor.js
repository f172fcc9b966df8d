// The command that says what this machine can be believed for.

import { OUTPUT_OPTIONS } from '../../plan/options.js'
import { makePlan, readCommandOptions } from '../../plan/plan.js'
import { hostLines } from '../../report/describe-run.js'
import { onTerminal } from '../../report/text.js'
import { WATCHED_MS, watchedHost } from '../../run/lateness.js'
import { EXIT, refuse, strayWords } from '../exit.js'

const COMMAND_OPTIONS = {
  json: { ...OUTPUT_OPTIONS.json, describe: 'print what was found as JSON and nothing else' }
}

/** @type {import('../command-line.js').CommandHelp} */
export const DOCTOR = {
  options: COMMAND_OPTIONS,
  examples: /** @type {[string, string][]} */ ([['before a measurement', 'doctor']]),
  epilogue:
    'It takes 22 s, in which nothing else should run. What it finds of the machine stands in every result as run.host, late timers of a run in run.lateness, and what its clients measure of a null server in outcome.floor.'
}

/**
 * doctorCommand says what this machine can be believed for.
 *
 * @param {import('../command-line.js').Arguments} args
 * @param {import('../index.js').Surroundings} io
 * @returns {Promise<number>} exit code
 */
export async function doctorCommand({ options, words }, io) {
  const { own, problems } = readCommandOptions(COMMAND_OPTIONS, options)
  const all = [...problems, ...strayWords(words)]
  if (all.length > 0) return refuse('doctor', all, io)
  io.stderr.write(`looking for ${WATCHED_MS / 1000} s at how late timers are\n`)
  const { host, hiccups } = await watchedHost()
  io.stderr.write('asking a null server for 4 s\n')
  const { floor, text } = await floorHere()
  io.stdout.write(
    own.json
      ? `${JSON.stringify({ host, hiccups, floor }, null, 2)}\n`
      : onTerminal(
          [...hostLines(host, hiccups), ['floor here', text]]
            .map(([what, how]) => `${what.padEnd(22)}${how}\n`)
            .join(''),
          io.stdout
        )
  )
  return EXIT.DONE
}

/** What our clients measure here of a server that does nothing, and the same in words. */
async function floorHere() {
  const { FLOOR_OPTIONS, floorOfMachine } = await import('../../scenarios/rendezvous/worker-pool.js')
  const { floorText } = await import('../../scenarios/rendezvous/operation-description.js')
  const { RENDEZVOUS } = await import('../../scenarios/rendezvous/scenario.js')
  try {
    const { plan } = makePlan(RENDEZVOUS, FLOOR_OPTIONS)
    const floor = await floorOfMachine(
      /** @type {import('../../scenarios/rendezvous/options.js').Plan} */ (plan)
    )
    return { floor, text: `${floorText(floor)} (a null server, ${FLOOR_OPTIONS.nClients} clients)` }
  } catch (error) {
    return { floor: null, text: `not measured: ${/** @type {Error} */ (error).message}` }
  }
}
