/** Each step of nice takes a process a fifth of its share (sched(7)). */
const STEP = 1.25
const MOST_NICE = 19
/** Of those that are started together (STARTS_AT_ONCE of src/workers) one succeeds at a time, where no other run is in their way. */
const TRIES = 25

/** niceOf gives what so many processes have together the share of one that is not nice with. @param {number} processes */
export const niceOf = processes => Math.min(MOST_NICE, Math.round(Math.log(processes) / Math.log(STEP)))

/**
 * afterRouter is a command that becomes another one, of which the router comes first where both want a core: a packet that waits for the router is
 * late, and a node is only slow. Linux shares cores among sessions before it looks into one, and a node has a session of its own: 95 of them
 * left the router a hundredth. So it is the session that is nice; a system without such groups takes what the process has. Without
 * rights ten sessions a second can be made nice (`proc_sched_autogroup_set_nice`), by all runs together, so it is tried for a while.
 *
 * @param {number} nodes - processes, on this machine
 * @returns {string[]}
 */
export function afterRouter(nodes) {
  const nice = niceOf(nodes)
  const session = '/proc/self/autogroup'
  const lower = `for _ in $(seq ${TRIES}); do { echo ${nice} > ${session}; } 2> /dev/null && break; sleep 0.2; done`
  return ['sh', '-c', `[ ! -w ${session} ] || ${lower}; exec nice -n ${nice} "$@"`, 'sh']
}
