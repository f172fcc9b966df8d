import { counted, grouped, significant, spell } from '../kit/numbers.js'

/** @typedef {import('./types.js').Warning} Warning */

const RELIEVE = 'Try more --workers, fewer --nClients, or --rate for the open model.'

/** @param {unknown} n */
const whole = n => grouped(Number(n))

/** @param {string} text */
const sentence = text => `${text.charAt(0).toUpperCase()}${text.slice(1)}`

/** @param {unknown} ms */
const time = ms => `${significant(Number(ms))} ms`

/** @param {import('./types.js').Trend} trend - of bytes */
const growth = ({ perHour, low, high }) =>
  `${significant(perHour / 1e6)} MB an hour (95 % interval ${significant(low / 1e6)} to ${significant(high / 1e6)})`

/** What figures are called in the table, where that is not their key. @type {Record<string, string>} */
const FIGURE_NAMES = { avg: 'average', p999: 'p99.9', max: 'maximum' }

/** @param {string[]} figures */
const listed = figures => figures.map(figure => FIGURE_NAMES[figure] ?? figure).join(', ')

/** What of a link was not as asked. @param {Record<string, any>} found */
const offIn = ({ roundTrip, loss, rate }) =>
  [
    roundTrip.asAsked ||
      `round trip ${roundTrip.foundMs === null ? 'none' : time(roundTrip.foundMs)} for ${time(roundTrip.askedMs)}`,
    loss === null ||
      loss.asAsked ||
      `loss ${significant(100 * loss.found)} % for ${significant(100 * loss.asked)} %`,
    rate === null ||
      rate.asAsked ||
      `rate ${rate.found === null ? 'none' : `${significant(rate.found / 1e6)} MB/s`} for ${significant(rate.asked / 1e6)} MB/s`
  ]
    .filter(words => words !== true)
    .join(', ')

/** @param {unknown} outcomes - counts by outcome */
const outcomesOf = outcomes =>
  Object.entries(/** @type {Record<string, number>} */ (outcomes))
    .filter(([, count]) => count > 0)
    .map(([outcome, count]) => `${grouped(count)} ${outcome}`)
    .join(', ')

/**
 * One sentence for people, and what to do, for every code.
 *
 * @type {Readonly<Record<string, (values: Record<string, any>) => string>>}
 */
const TEXTS = {
  GENERATOR_BUSY: ({ utilization, worker }) =>
    `Worker ${worker} of the load generator was ${Math.round(utilization * 100)} % busy: throughput is a lower bound and the times include its own queueing. ${RELIEVE}`,
  PERCENTILES_DOUBTFUL: ({ type, percentiles, cause }) =>
    cause === 'machine'
      ? `The machine added more than a tenth of ${type} ${listed(percentiles)}: the load generator waited for a core. Let nothing else run on it, or use fewer --workers than cores; doctor says what it can be believed for.`
      : cause === 'unknown'
        ? `What the load generator added to ${type} ${listed(percentiles)} is not known, for it was not counted for each operation: it may be more than a tenth. Please report it with result.json.`
        : `The load generator itself added more than a tenth of ${type} ${listed(percentiles)}. ${RELIEVE}`,
  NOT_STATIONARY: ({ type, firstMs, lastMs }) =>
    `${type} p50 went from ${time(firstMs)} in the first third to ${time(lastMs)} in the last: the run had not settled. Use a longer --warmup, a longer --minDuration, or a lower --rate.`,
  AGENT_LOST: ({ why, clients, nodes, of, goesOn }) =>
    `${sentence(why)}. Its ${whole(clients ?? nodes)} of ${counted(of, nodes === undefined ? 'client' : 'node')} (${significant((100 * (clients ?? nodes)) / of)} %) ${goesOn ? 'sent nothing since, and nobody in their place: less was offered than was planned.' : 'ended the run.'} Look at that machine and its way to the bus; --onLostAgent says what becomes of a run.`,
  CLOCKS_APART: ({ errorMs }) =>
    `The load was on several machines, and how their clocks stand to each other is known to ± ${time(errorMs)}: each time between two of them is off by up to that, and figures that are less are left out.`,
  DROPPED: ({ count }) =>
    `${counted(count, 'operation was', 'operations were')} due but never sent, because --maxInFlight was reached: the times are lower bounds. Lower --rate; the server does not keep up.`,
  REPLY_CHECK_FAILED: ({ type, count, detail }) =>
    `${counted(count, `${type} reply`, `${type} replies`)} failed the check (${detail}): the server does not answer as the protocol says. Look at its log before trusting these figures.`,
  REGISTRATIONS_MISSING: ({ missing, lookedUp }) =>
    `${whole(missing)} of ${counted(lookedUp, 'registration')} that the server has confirmed cannot be discovered at the end: it lost them, or never had them. Look at its log, its limits and what it stores.`,
  LOOK_UP_INCOMPLETE: ({ left, drawn, problem }) =>
    `${whole(left)} of ${counted(drawn, 'registration')} could not be looked up at the end: ${problem}. Nothing is known of them; look at how the server answers DISCOVER.`,
  NOTHING_LOOKED_UP: ({ drawn, problem }) =>
    `Not one of ${counted(drawn, 'registration')} that the server has confirmed could be looked up at the end: ${problem}. Whether it has them is not known: look at how it answers DISCOVER, or leave the look-up out with --skipLookUp.`,
  NOTHING_SUCCEEDED: ({ count }) =>
    `Not one of ${counted(count, 'operation')} succeeded: the times are those of failures. Look at the outcomes, and at the server's log.`,
  LOCAL_PORTS_EXHAUSTED: ({ count }) =>
    `${counted(count, 'connection')} could not be opened because this machine ran out of local ports. Lower --rate or --nClients, or leave out --connectionPerOperation.`,
  NAMESPACES_ADDED: ({ count }) =>
    `${counted(count, 'namespace')} beyond --nNamespaces came into use: a client is one peer and holds one registration in each. More --nClients or --registerMode refresh avoid it.`,
  LEFT_UNTIL_TTL: ({ count, ttlSeconds }) =>
    `${counted(count, 'registration')} could not be taken back and stay on the server until their time to live of ${spell(ttlSeconds * 1000)} has passed. A shorter --ttl leaves them for less long.`,
  ONE_REQUEST_PER_STREAM: () =>
    'The target serves one request on each stream: an UNREGISTER is confirmed on a second stream, which its times include. Compare them only with those of servers of that kind.',
  TTL_REFUSED: ({ ttlSeconds, text }) =>
    `The target refuses a time to live of ${spell(ttlSeconds * 1000)} (${text}): no REGISTER will succeed. Choose another --ttl.`,
  PROBE_REFUSED: ({ text }) =>
    `A probe at the start, before any load, was not served as the protocol says: ${text}. Operations are measured all the same; look at their outcomes.`,
  FEW_SAMPLES: ({ metric, samples }) =>
    `Only ${counted(samples, 'sample')} of ${metric}: too few for every figure. Run longer, with --minDuration or --duration.`,
  SCHEDULE_LATE: ({ p99Ms }) =>
    `Operations were sent late, 1 % of them by more than ${time(p99Ms)}; they count from when they were due. Lower --rate or use more --workers.`,
  OPERATIONS_FAILED: ({ type, outcomes }) =>
    `Not every ${type} succeeded: ${outcomesOf(outcomes)}. They count in the times as far as they waited; look at the server's log.`,
  STORE_NOT_RESTORED: ({ expected, actual }) =>
    `The server holds ${whole(actual)} registrations after the run, not ${whole(expected)}: rounds may not have begun from the same state. Look for errors above, or for a --ttl shorter than the run.`,
  SERVER_RESTARTED: ({ atMs, lost }) =>
    `The server was started again at ${(atMs / 1000).toFixed(1)} s, as planned, and held nothing: ${lost === null ? 'what it had held was' : counted(lost, 'registration was', 'registrations were')} lost, and not registered again. From then on DISCOVER finds only what the load itself registers; look at the times before and after it apart.`,
  SERVER_MEMORY_GROWS: ({ trend }) =>
    `The server's memory grew by ${growth(trend)} after the first third of the run: it may not come to rest. Look at the plot, and run longer.`,
  GENERATOR_MEMORY_GROWS: ({ process, trend }) =>
    `What our own ${process} has in use grew by ${growth(trend)} after the first third of the run: a long run may be slowed by the load generator itself. Please report it with result.json.`,
  MESH_NOT_FORMED: ({ missing }) =>
    `The mesh had not formed when the warm-up was over (${missing.join('; ')}): the first messages went through a mesh that was still changing. Use a longer --warmupTimeout or --warmup, or a --topology in which every node has enough neighbours.`,
  DELIVERIES_MISSING: ({ pairs, expected, byReason }) =>
    `${whole(pairs)} of ${counted(expected, 'delivery', 'deliveries')} did not come: ${outcomesOf(byReason)}. Times they reach into are lower bounds; lower --rate or use a longer --cooldown to see whether they are late or lost.`,
  NOT_PUBLISHED: ({ count, planned }) =>
    `${whole(count)} of ${counted(planned, 'message')} were not published, because --duration was over before their turn came: the nodes did not keep up with the schedule. Lower --rate, or use fewer --nodes.`,
  MESSAGES_SKIPPED: ({ count }) =>
    `${counted(count, 'message was', 'messages were')} not published, because the publisher's streams held more than --maxBacklog: the network does not carry the rate. Lower --rate.`,
  PUBLISH_FAILED: ({ count, errors = {} }) =>
    `${counted(count, 'message')} could not be published: ${outcomesOf(errors) || 'the library refused'}. Look for nodes without peers, and at --messageBytes.`,
  STREAMS_ABORTED: ({ count }) =>
    `${counted(count, 'outbound gossipsub stream')} ended while the connection stayed open: the library aborts a stream whose reader does not keep up, and what waited in it is lost. Lower --rate or --messageBytes.`,
  PUBLISH_LATE: ({ p99Ms }) =>
    `Messages were published late, 1 % of them by more than ${time(p99Ms)}: the network was not loaded as planned. Times count from the publish call. Lower --rate, or use fewer --nodes.`,
  TRACES_NOT_WRITTEN: ({ count, error }) =>
    `${counted(count, 'trace')} could not be written to the end: ${error}. The figures are whole; make room in --outputDir, or leave out --traces.`,
  SPANS_LOST: ({ count, error }) =>
    `${counted(count, 'span')} of --traces or --otlpEndpoint could not be kept (${error}). The figures are whole; see that the collector runs, and that there is room in --outputDir.`,
  NOTHING_CARRIED: ({ perSecond }) =>
    `Not even ${significant(perSecond)} messages/s, where --rate auto began, was carried: the figures are those of that trial. Use fewer --nodes, or a lower --autoFrom.`,
  NODES_BUSY: ({ worker, utilization }) =>
    `Worker ${worker} was ${Math.round(utilization * 100)} % busy and its nodes waited for one another: the figures are the machine's, not the protocol's. Use a lower --rate, fewer --nodes, or --rate auto, which finds what this machine carries.`,
  NODES_WAITED: ({ times, percentiles, cause }) =>
    cause === 'machine'
      ? `The machine added more than a tenth of ${times} ${listed(percentiles)}: nodes waited for a core. Let nothing else run on it; doctor says what it can be believed for.`
      : `Nodes that share a process added more than a tenth of ${times} ${listed(percentiles)}: messages waited there for one another. Links that take time, --linkLatency 100ms, make that a small part; so do fewer --nodes.`,
  MEMORY_CEILING: ({ workers }) =>
    `Publishing ended early, because ${counted(workers, 'worker process', 'worker processes')} reached --memoryCeiling: fewer messages were sent than planned. Lower --rate, use fewer --nodes, or raise the ceiling.`,
  DIALS_FAILED: ({ count }) =>
    `${counted(count, 'dial')} failed: the network has fewer connections than its topology. Use fewer --nodes, or look at this system's limits of open files and ports.`,
  CLOCK_ANOMALY: ({ count }) =>
    `${counted(count, 'thing was', 'things were')} told that cannot be, such as deliveries before their publication (outcome.anomalies): clocks or processes did not work as they must, and no time of this run can be trusted. Run it again; if it stays, report it with result.json.`,
  NOT_CONNECTED: ({ components }) =>
    `The topology is in ${counted(components, 'part')} that no message can pass between. Choose another --topology or --seed, or expect these deliveries to be missing.`,
  BACKLOG_GROWING: () =>
    'What waited in the write buffers of the nodes grew all the while messages were published: the network does not carry this rate, and times grow with the length of the run. Lower --rate.',
  PROFILE_NOT_WRITTEN: ({ worker, error }) =>
    `The figures of worker ${worker} are there, but not its .cpuprofile: ${error}. Look at the run's folder and at the room left on its disk.`,
  STARTS_FAILED: ({ count }) =>
    `${counted(count, 'node')} could not be started, or reached none of the nodes it was to dial: what such a node did not receive counts as missing. Look at outcome.rotation.lives in result.json, and at this system's limits of open files and ports.`,
  ROTATION_LATE: ({ latestMs }) =>
    `Nodes were killed or started up to ${time(latestMs)} late: deliveries are expected by the schedule, not by when it was done. Use a lower --rate or fewer nodes.`,
  PEERS_NOT_STARTED: ({ count }) =>
    `${counted(count, 'peer')} could not be started, or did not reach the server: fewer came than planned. Look at outcome.rotation.lives in result.json, and at the server's limits on connections.`,
  PEERS_LATE: ({ latestMs }) =>
    `Peers were killed or started up to ${time(latestMs)} late: the figures go by when it was done, but there was less rotation than planned. Use a lower --rate or fewer peers.`,
  NETWORK_NOT_AS_ASKED: ({ what, ...found }) =>
    `Measured before there were nodes, ${what} was not what was asked for: ${offIn(found)}. Use fewer --nodes or lower bandwidths, or let nothing else run on this machine.`,
  CONGESTION_CONTROL_NOT_SET: ({ asked, found }) =>
    `TCP went by ${found}, not by --congestionControl ${asked}: /proc/sys cannot be written here, as in a container. Take --congestionControl host, or run outside of it.`,
  ROUTER_LATE: ({ p99Ms, allowedMs }) =>
    `The router handed over 1 % of the packets more than ${time(p99Ms)} late, and ${time(allowedMs)} are a tenth of the latency asked for (1 ms where that is less): links were slower than asked. Use a lower --rate, fewer --nodes or a longer --linkLatency.`,
  ROUTER_OVERFLOWED: ({ count }) =>
    `${counted(count, 'packet was', 'packets were')} lost without being asked for, because the router did not keep up: nodes sent more than it carries. Use a lower --rate, fewer --nodes or a lower --upBandwidth.`,
  ABUSE_NOT_SENT: ({ name, percent }) =>
    `Of ${name} ${significant(percent)} % was not sent when it was due: hostile peers had no core for it, so it was less than its name says. Let nothing else run on this machine, or ask for fewer --times.`,
  SERVER_NOT_SAMPLED: () =>
    'CPU and memory of the server are not known. Give its process with --targetPid, or its container with --targetContainer, if it runs on this machine.'
}

/** WARNING_CODES are the codes a result may carry. */
export const WARNING_CODES = Object.keys(TEXTS)

/**
 * describeWarning says a warning in words, with what to do.
 *
 * @param {Warning} warning
 * @returns {string}
 * @throws {RangeError} for a code without a text
 */
export function describeWarning({ code, values }) {
  if (!Object.hasOwn(TEXTS, code))
    throw new RangeError(`warning ${code} has no text in src/result/warnings.js`)
  const text = TEXTS[code](values)
  return values.part === 'latency' ? `Latency: ${text}` : text
}
