// The `doctor` command: checks whether this machine is fit to measure on.

import { OUTPUT_OPTIONS } from '../../plan/options.js'
import { makePlan, parseCommandOptions } from '../../plan/plan.js'
import { describeHost } from '../../report/describe-run.js'
import { wrapForTerminal } from '../../report/text.js'
import { HOST_WATCH_MS, measureHost } from '../../run/lateness.js'
import { EXIT, makeStrayWordProblems, refuse } from '../exit.js'

const COMMAND_OPTIONS = {
  json: { ...OUTPUT_OPTIONS.json, describe: 'print only the findings, as JSON' }
}

/** @type {import('../command-line.js').CommandHelp} */
export const DOCTOR = {
  options: COMMAND_OPTIONS,
  examples: /** @type {[string, string][]} */ ([['before measuring', 'doctor']]),
  epilogue:
    'Takes 22 s; run nothing else meanwhile. Each result has run.host (machine), run.lateness (late timers) and outcome.floor (null server).'
}

/**
 * doctorCommand says what this machine can be believed for.
 *
 * @param {import('../command-line.js').Arguments} args
 * @param {import('../index.js').ProcessIo} io
 * @returns {Promise<number>} exit code
 */
export async function doctorCommand({ options, words }, io) {
  const { own, problems } = parseCommandOptions(COMMAND_OPTIONS, options)
  const all = [...problems, ...makeStrayWordProblems(words)]
  if (all.length > 0) return refuse('doctor', all, io)
  io.stderr.write(`measuring timer lateness for ${HOST_WATCH_MS / 1000} s\n`)
  const { host, hiccups } = await measureHost()
  io.stderr.write('asking a null server for 4 s\n')
  const { floor, text } = await measureLocalFloor()
  io.stdout.write(
    own.json
      ? `${JSON.stringify({ host, hiccups, floor }, null, 2)}\n`
      : wrapForTerminal(
          [...describeHost(host, hiccups), ['null server', text]]
            .map(([what, how]) => `${what.padEnd(22)}${how}\n`)
            .join(''),
          io.stdout
        )
  )
  return EXIT.DONE
}

/** What our clients measure here of a server that does nothing, and the same in words. */
async function measureLocalFloor() {
  const { FLOOR_OPTIONS, measureMachineFloor: floorOfMachine } = await import(
    '../../scenarios/rendezvous/worker-pool.js'
  )
  const { describeFloor } = await import('../../scenarios/rendezvous/operation-description.js')
  const { RENDEZVOUS } = await import('../../scenarios/rendezvous/scenario.js')
  try {
    const { plan } = makePlan(RENDEZVOUS, FLOOR_OPTIONS)
    const floor = await floorOfMachine(
      /** @type {import('../../scenarios/rendezvous/options.js').Plan} */ (plan)
    )
    return { floor, text: `${describeFloor(floor)} (a null server, ${FLOOR_OPTIONS.nClients} clients)` }
  } catch (error) {
    return { floor: null, text: `not measured: ${/** @type {Error} */ (error).message}` }
  }
}
