import { listErrorWarnings, listStrictWarnings, WARNING_CODES } from '../../src/report/warnings.js'

const BEGIN = '<!-- The list of warnings is made by npm run docs -->\n'
const END = '<!-- End of the list of warnings -->\n'

const LATE = 'Churn or script ran over 1 s late. Use fewer nodes or peers, or a lower rate.'
const NOT_STARTED = 'Churn: nodes or peers did not start. Check limits of files, ports and connections.'
const INCOMPLETE = 'A file is incomplete; figures are complete. Check disk or collector.'
const HOSTILE =
  'More than 10 % of hostile traffic was late, or something else disturbed all pairs. Use a quiet machine.'

/** WARNING_NOTES are what each warning means, and what to do. Codes with the same note share a line. @type {Readonly<Record<string, string>>} */
export const WARNING_NOTES = {
  GENERATOR_LIMITED:
    'The load generator or machine alone was used up, or client overhead exceeds half of p50 or p99. Figures are lower bounds. Use more `--workers` or agents, fewer clients or nodes, or a lower rate.',
  NOT_DESCRIBED: '`describeResult` of a [custom scenario](extending.md) was invalid.',
  THROTTLED: 'The control group’s CPU quota stopped the tool. Raise it, or send less.',
  NOT_STATIONARY: 'p50 had not settled. Use a longer `--warmup` or run, or a lower rate.',
  STORE_AWAY: 'The database was unavailable for a while.',
  LEFT_BEHIND: 'A container or schema remains. Remove it as the warning says.',
  AGENT_LOST: 'An agent was lost: less load was offered. Check it and the bus.',
  CLOCKS_APART: 'Times between agents are uncertain by the stated error.',
  DROPPED: '`--maxInFlight` was reached: the server does not keep up. Use a lower rate.',
  REPLY_CHECK_FAILED: 'Replies violate the protocol. Read the server’s log.',
  SERVER_LIMITED: 'The limits per address were measured. Start the server with `--unlimitedFrom`.',
  REGISTRATIONS_MISSING: 'The server lost confirmed registrations. Check its log, limits and store.',
  LOOK_UP_INCOMPLETE: 'The look-up failed, or exceeded 10 s. Check DISCOVER.',
  NOTHING_LOOKED_UP: 'No registration could be looked up. Check DISCOVER, or use `--skipLookUp`.',
  NOTHING_SUCCEEDED: 'Times are those of failures. Check outcomes and server log.',
  LOCAL_PORTS_EXHAUSTED: 'This machine had no free port. Use a lower rate or fewer clients.',
  NAMESPACES_ADDED: '`--registerMode new` needed more namespaces. Use more `--nClients`.',
  LEFT_UNTIL_TTL: 'Registrations remain at the target until they expire. Use a shorter `--ttl`.',
  ONE_REQUEST_PER_STREAM: 'UNREGISTER times contain a second stream. Compare only such servers.',
  TTL_REFUSED: 'The target refuses this `--ttl`. Choose another. Only earlier releases warned and ran on.',
  PROBE_REFUSED: 'A probe before the load got an unexpected reply. Check outcomes.',
  SCHEDULE_LATE: '1 % of operations were over 10 ms late. Use a lower rate or more `--workers`.',
  OPERATIONS_FAILED: 'Some operations failed. Check the server’s log.',
  STORE_NOT_RESTORED: 'The number of registrations changed. Check errors and `--ttl`.',
  SERVER_RESTARTED: 'A planned restart emptied the memory store. Judge times before and after apart.',
  SERVER_MEMORY_GROWS: 'Server memory still grew. Run longer.',
  GENERATOR_MEMORY_GROWS: 'Memory of this tool grew. Please report it.',
  MESH_NOT_FORMED: 'Publishing began too early. Use a longer `--warmup timeout=60s`, or more neighbours.',
  DELIVERIES_MISSING: 'Reasons are listed. Use a lower rate or a longer `--cooldown`.',
  NOTHING_PUBLISHED: 'The nodes were idle. Use a longer `--duration` or a higher rate.',
  NOT_PUBLISHED: '`--duration` ended before all messages were published. Use a lower rate or fewer nodes.',
  MESSAGES_SKIPPED: 'Write buffers exceeded `--maxBacklog`. Use a lower rate.',
  PUBLISH_FAILED: 'gossipsub refused messages. Check nodes without peers, and `--messageBytes`.',
  STREAMS_ABORTED: 'gossipsub aborted streams to slow readers. Use a lower rate or smaller messages.',
  PUBLISH_LATE:
    '1 % of messages were late by over 10 ms and a tenth of the interval. Use a lower rate or fewer nodes.',
  TRACES_NOT_WRITTEN: INCOMPLETE,
  DELIVERIES_NOT_WRITTEN: 'The file of `--deliveries` lacks rows; figures are complete. Free disk space.',
  SPANS_LOST: INCOMPLETE,
  NOTHING_CARRIED: 'Only in results of earlier releases.',
  MEMORY_CEILING: 'Publishing ended at `--memoryCeiling`. Raise it, or use fewer nodes.',
  DIALS_FAILED: 'The network lacks connections. Check limits of files and ports.',
  CLOCK_ANOMALY:
    'Impossible times, such as delivery before publication. Run again; report it if it persists.',
  NOT_CONNECTED: 'The topology has separate parts. Choose another `--topology` or `--seed`.',
  BACKLOG_GROWING: 'Write buffers grew throughout. Use a lower rate.',
  PROFILE_NOT_WRITTEN: INCOMPLETE,
  SERVER_NOT_PROFILED: 'Only workers were profiled. Use `--server process`.',
  STARTS_FAILED: NOT_STARTED,
  ROTATION_LATE: LATE,
  ACTIONS_FAILED: 'Nodes missed planned actions. Their deliveries count as missing.',
  SCRIPT_LATE: LATE,
  PEERS_NOT_STARTED: NOT_STARTED,
  PEERS_LATE: LATE,
  NETWORK_NOT_AS_ASKED: 'Links lack the planned latency, loss or rate. Use a quiet machine or fewer nodes.',
  CONGESTION_CONTROL_NOT_SET: 'TCP used another congestion control. Run outside a container.',
  ROUTER_LATE: 'Links were slower than planned. Use a lower rate or longer latency.',
  ROUTER_OVERFLOWED: 'The router lost packets. Use a lower rate or bandwidth.',
  HOSTILE_NOT_SENT: HOSTILE,
  HOSTILE_DISTURBED: HOSTILE,
  SERVER_NOT_SAMPLED: 'Server CPU and memory are unknown. Use `--targetPid` or `--targetContainer`.'
}

/** Codes of errors that end a run. Results of earlier releases have them as warnings. */
const ENDS_RUN = ['TTL_REFUSED']

/** What a warning does to the exit code. @param {string} code */
function effectOf(code) {
  if (ENDS_RUN.includes(code)) return 'Error that ends the run, exit code 1'
  const result = /** @type {any} */ ({ status: 'complete', run: { warnings: [{ code, values: {} }] } })
  if (listErrorWarnings(result).length > 0) return 'Exit code 1'
  return listStrictWarnings(result).length > 0 ? 'Exit code 4 with `--strict`' : 'No effect on the exit code'
}

const EFFECTS = [
  'Error that ends the run, exit code 1',
  'Exit code 1',
  'Exit code 4 with `--strict`',
  'No effect on the exit code'
]

/**
 * warningList is the list of all warnings in docs/warnings.md, by what they do to the exit code.
 *
 * @throws {Error} for a warning without a note
 */
export function warningList() {
  const nameless = WARNING_CODES.filter(code => !Object.hasOwn(WARNING_NOTES, code))
  if (nameless.length > 0) throw new Error(`${nameless.join(', ')}: no note in warning-list.js`)
  return EFFECTS.map(effect => {
    /** @type {Map<string, string[]>} */
    const lines = new Map()
    for (const code of WARNING_CODES.filter(each => effectOf(each) === effect).sort())
      lines.set(WARNING_NOTES[code], [...(lines.get(WARNING_NOTES[code]) ?? []), `\`${code}\``])
    return `### ${effect}\n\n${[...lines].map(([note, codes]) => `- ${codes.join(', ')}: ${note}\n`).join('')}\n`
  }).join('')
}

/** withWarningList puts it into a text, in place of the one that is there. @param {string} text */
export function withWarningList(text) {
  const [before, rest = ''] = text.split(BEGIN)
  const [, after] = rest.split(END)
  if (after === undefined) throw new Error('there is no place for the list of warnings')
  return `${before}${BEGIN}\n${warningList()}${END}${after}`
}
