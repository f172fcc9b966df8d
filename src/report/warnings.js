// The warnings of a run: their texts, those that fail the run or --strict, and whether the load generator was the
// bottleneck.
import { joinWords, omitMissing } from '../kit/collections.js'
import { capitalize, formatCount, formatDuration, formatSignificant, formatWhole } from '../kit/numbers.js'
import { QUANTILES } from '../measure/histogram.js'
import { formatLimitedBy } from '../measure/limited-by.js'
import { hasOwnRates } from '../plan/arrivals.js'

/**
 * The parts of a result that advice depends on. A warning of a run that goes on comes without them.
 *
 * @typedef {object} AdvisedRun
 * @property {object} [plan]
 * @property {{ agents?: readonly unknown[], machine?: { cores: number }, host?: { quotaCores?: number | null } }} [run]
 *
 * @typedef {Record<string, any>} AnyOptions - of a plan of any scenario
 */

/**
 * advise makes a sentence of the measures that can be taken; empty where there are none.
 *
 * @param {string} verb
 * @param {readonly (string | false | null)[]} measures
 * @param {string} [after]
 * @returns {string} begins with a space
 */
function advise(verb, measures, after = '') {
  const all = omitMissing(measures)
  const text = all.length < 3 ? all.join(' or ') : `${all.slice(0, -1).join(', ')}, or ${all.at(-1)}`
  return text === '' ? '' : ` ${verb} ${text}${after}.`
}

/** Whether clients of a plan are providers or discoverers. @param {AnyOptions} [plan] */
const hasRoles = ({ providers, discoverers } = {}) => providers != null || discoverers != null

/** The option that lowers the offered load; null: the plan has none, as in the closed model. @param {AdvisedRun} about */
function lowerRate({ plan }) {
  if (plan === undefined) return 'a lower --rate'
  const { ratePerSecond, arrivals, thinkTimeMs, publishers, ...more } = /** @type {AnyOptions} */ (plan)
  if (more.handshakeRatePerSecond !== undefined) return 'a lower --handshakes rate'
  if (arrivals !== undefined && hasOwnRates(arrivals)) return 'slower --arrivals'
  if (more.providerRatePerSecond != null || more.discovererRatePerSecond != null)
    return 'a lower --providerRate or --discovererRate'
  if (ratePerSecond != null) return 'a lower --rate'
  if (publishers === 'every') return 'a longer --publishers interval'
  return thinkTimeMs != null ? 'a longer --thinkTime' : null
}

/** The options by which messages are published sooner. @param {AdvisedRun} about */
function soonerMessages({ plan }) {
  const { ratePerSecond, arrivals, publishers, durationMs } = /** @type {AnyOptions} */ (plan ?? {})
  const longer = (durationMs != null || plan === undefined) && 'a longer --duration'
  if (arrivals !== undefined && hasOwnRates(arrivals)) return [longer, 'faster --arrivals']
  if (publishers === 'every') return [longer, 'a shorter --publishers interval']
  return [longer, (plan === undefined || ratePerSecond != null) && 'a higher --rate']
}

/**
 * Why no message was due, behind a colon: the first one would have come after the end of the run. Empty: the reason is another one.
 *
 * @param {AdvisedRun} about
 */
function noMessageReason(about) {
  const { ratePerSecond, arrivals, publishers, durationMs, intervalMs } = planOf(about)
  if (durationMs == null) return ''
  const duration = `: --duration is ${formatDuration(durationMs)}`
  if (publishers === 'every' && intervalMs !== undefined && durationMs < intervalMs.max)
    return `${duration}, and each node waits ${[...new Set([intervalMs.min, intervalMs.max])].map(ms => formatDuration(ms)).join(' to ')} before it publishes (--publishers interval)`
  if (publishers === 'every' || ratePerSecond == null || hasOwnRates(arrivals)) return ''
  const betweenMs = 1000 / ratePerSecond
  if (durationMs > betweenMs) return ''
  return `${duration}, and at --rate there is a message each ${formatDuration(betweenMs)} on average`
}

/** How more processes send, where there are clients and cores for them. @param {AdvisedRun} about */
function moreWorkers({ plan, run }) {
  if (plan === undefined) return 'more --workers'
  const { workers, nClients = Infinity, target, servers = 1 } = /** @type {AnyOptions} */ (plan)
  if (workers === undefined) return null
  if (run?.agents !== undefined) return nClients > workers && 'more --agents'
  // servers of ours are on the same machine
  const taken = workers + (target === null ? servers : 0)
  const cores = Math.min(run?.machine?.cores ?? Infinity, run?.host?.quotaCores ?? Infinity)
  return workers < nClients && taken < cores && 'more --workers'
}

/** The option that lowers the number of clients, peers or nodes. @param {AdvisedRun} about @param {'--nClients' | '--nodes'} usual - where the plan is not known */
function fewerPeers({ plan }, usual) {
  if (plan === undefined) return `fewer ${usual}`
  const { nClients, clients, nodes, topology } = /** @type {AnyOptions} */ (plan)
  if (hasRoles(plan)) return 'fewer --providers or --discoverers'
  if (nClients !== undefined) return nClients > 1 && 'fewer --nClients'
  // a topology of a file has its own number of nodes
  if (nodes !== undefined) return nodes > 2 && topology?.path === undefined && 'fewer --nodes'
  return clients > 1 && 'fewer --clients'
}

/** The option by which the measurement lasts longer. @param {AdvisedRun} about @returns {string} */
function longerRun({ plan }) {
  const { durationMs, benchmarkRuns } = /** @type {AnyOptions} */ (plan ?? {})
  if (plan === undefined || durationMs != null) return 'a longer --duration'
  return benchmarkRuns == null ? 'a longer run' : 'more --benchmarkRuns'
}

/**
 * @typedef {import('./schema.js').Warning} Warning
 */

/** @param {unknown} n */
const whole = n => formatWhole(Number(n))

/** @param {number} ms */
const seconds = ms => `${(ms / 1000).toFixed(1)} s`

/**
 * describeOutage says that the database of a run went away.
 *
 * @param {{ whose: string, atMs: number, forMs: number, back: boolean }} outage
 */
export const describeOutage = ({ whose, atMs, forMs, back }) =>
  `${whose} became unavailable ${seconds(atMs)} after the run began, ${back ? `for ${seconds(forMs)}` : `and was still unavailable ${seconds(forMs)} later`}`

/** @param {unknown} ms */
const time = ms => `${formatSignificant(Number(ms))} ms`

/** @param {import('./schema.js').Trend} trend - of bytes */
const growth = ({ perHour, low, high }) =>
  `${formatSignificant(perHour / 1e6)} MB an hour (95 % interval ${formatSignificant(low / 1e6)} to ${formatSignificant(high / 1e6)})`

/** The properties of a link that differ from what was asked for. @param {Record<string, any>} link */
const linkDifferences = ({ roundTrip, loss, rate }) =>
  omitMissing([
    !roundTrip.asAsked &&
      `round trip ${roundTrip.foundMs === null ? 'none' : time(roundTrip.foundMs)} for ${time(roundTrip.askedMs)}`,
    loss !== null &&
      !loss.asAsked &&
      `loss ${formatSignificant(100 * loss.found)} % for ${formatSignificant(100 * loss.asked)} %`,
    rate !== null &&
      !rate.asAsked &&
      `rate ${rate.found === null ? 'none' : `${formatSignificant(rate.found / 1e6)} MB/s`} for ${formatSignificant(rate.asked / 1e6)} MB/s`
  ]).join(', ')

/** @param {unknown} outcomes - counts by outcome */
const outcomesOf = outcomes =>
  Object.entries(/** @type {Record<string, number>} */ (outcomes))
    .filter(([, count]) => count > 0)
    .map(([outcome, count]) => `${formatWhole(count)} ${outcome}`)
    .join(', ')

/** @param {AdvisedRun} about @returns {Record<string, any>} */
const planOf = ({ plan }) => plan ?? {}

/** The option that sets the latency of links. @param {AdvisedRun} about */
function latencyOption(about) {
  const { latenciesMs, linkLatency } = planOf(about)
  return linkLatency != null || latenciesMs === undefined ? '--linkLatency' : '--latencies'
}

/** How a network of nodes gets less load. @param {AdvisedRun} about @param {(string | false | null)[]} more */
const lowerLoad = (about, ...more) => advise('Use', [lowerRate(about), fewerPeers(about, '--nodes'), ...more])

/** How the load generator gets less load. @param {AdvisedRun} about @param {boolean} waited - nodes of one process waited for one another */
function relieveGenerator(about, waited) {
  const { nodes, scenario, ratePerSecond, arrivals, linkLatencyMs, linkLatencies } = planOf(about)
  if (nodes !== undefined) {
    // beside links with latency, the waiting of nodes for one another is a small part
    const slower =
      linkLatencyMs > 0 || linkLatencies != null ? 'a longer --linkLatency' : '--linkLatency 100ms'
    const canSearch = scenario === 'gossip' && ratePerSecond !== null
    const search = 'saturate gossip --search, which finds what this machine carries'
    return lowerLoad(about, waited && slower, canSearch && search)
  }
  const isClosed = ratePerSecond === null && !hasRoles(about.plan) && !hasOwnRates(arrivals)
  const openModel = (about.plan === undefined || isClosed) && '--rate for the open model'
  const lower = about.plan === undefined ? null : lowerRate(about)
  return advise('Try', [moreWorkers(about), fewerPeers(about, '--nClients'), lower || openModel])
}

/**
 * One sentence for people, and what to do, for every code. The advice depends on the plan: it names no option that is in use already.
 *
 * @type {Readonly<Record<string, (values: Record<string, any>, about: AdvisedRun) => string>>}
 */
const TEXTS = {
  GENERATOR_LIMITED: ({ busy, limitedBy, overheads }, about) =>
    `Generator-limited: ${joinWords([
      ...(busy === null
        ? []
        : [`worker ${busy.worker} of the load generator was ${Math.round(busy.utilization * 100)} % busy`]),
      ...(limitedBy === undefined ? [] : [`it was limited by ${formatLimitedBy(limitedBy)}`]),
      ...overheads.map(
        (/** @type {ReturnType<typeof overheadsOf>[number]} */ { of, share, ms, overheadMs }) =>
          `client overhead is ${formatSignificant(overheadMs)} of ${time(ms)} at ${of} p${100 * share}`
      )
    ])}. The figures reflect the load generator, not ${planOf(about).nodes === undefined ? 'the server' : 'the protocol'}.${relieveGenerator(about, overheads.length > 0)}`,
  NOT_DESCRIBED: ({ why }) =>
    `The scenario's result description is left out: ${String(why).replace(/\.$/, '')}. docs/extending.md shows the format.`,
  THROTTLED: ({ ms, quotaCores }) =>
    `The load generator was throttled for ${formatDuration(ms)} of the measurement, because it reached the CPU quota of its control group${quotaCores === null ? '' : ` (${formatSignificant(quotaCores)} ${quotaCores === 1 ? 'core' : 'cores'})`}: this limits times and throughput. Raise the quota or lower the load.`,
  NOT_STATIONARY: ({ type, firstMs, lastMs }, about) =>
    `${type} p50 went from ${time(firstMs)} in the first third to ${time(lastMs)} in the last: it had not settled.${advise('Use', ['a longer --warmup', longerRun(about), lowerRate(about)])}`,
  STORE_AWAY: values => `${capitalize(describeOutage(/** @type {any} */ (values)))}.`,
  LEFT_BEHIND: ({ text }) => capitalize(String(text)),
  AGENT_LOST: ({ why, clients, nodes, of, goesOn }) =>
    `${capitalize(why)}. Its ${whole(clients ?? nodes)} of ${formatCount(of, nodes === undefined ? 'client' : 'node')} (${formatSignificant((100 * (clients ?? nodes)) / of)} %) ${goesOn ? 'sent nothing since and were not replaced: the offered load was below plan.' : 'ended the run.'} Check that machine and its connection to the bus; see also --onLostAgent.`,
  CLOCKS_APART: ({ errorMs }) =>
    `The load came from several machines; their clock offsets are known to ± ${time(errorMs)}. Times between two machines have up to this error; smaller values are left out.`,
  DROPPED: ({ count }, about) =>
    `${formatCount(count, 'operation was', 'operations were')} due but never sent, because --maxInFlight was reached: the times are lower bounds, and the server does not keep up.${advise('Use', [lowerRate(about)])}`,
  REPLY_CHECK_FAILED: ({ type, count, detail }) =>
    `${formatCount(count, `${type} reply`, `${type} replies`)} failed the check (${detail}): the server violates the protocol. Check its log before trusting these figures.`,
  SERVER_LIMITED: ({ count }) =>
    `${formatCount(count, 'reply', 'replies')} were delayed by the server's per-address limits, as the server reports: these limits were measured, not its speed. Start it with --unlimitedFrom and the load generator's address.`,
  REGISTRATIONS_MISSING: ({ missing, lookedUp }) =>
    `${whole(missing)} of ${formatCount(lookedUp, 'registration')} that the server has confirmed cannot be discovered at the end: it lost them, or never had them. Look at its log, its limits and what it stores.`,
  LOOK_UP_INCOMPLETE: ({ left, drawn, problem }) =>
    `${whole(left)} of ${formatCount(drawn, 'registration')} could not be looked up at the end: ${problem}. Their state is unknown; check how the server answers DISCOVER.`,
  NOTHING_LOOKED_UP: ({ drawn, problem }) =>
    `Not one of ${formatCount(drawn, 'registration')} that the server has confirmed could be looked up at the end: ${problem}. Their state is unknown: check how the server answers DISCOVER, or skip the look-up with --skipLookUp.`,
  NOTHING_SUCCEEDED: ({ count }) =>
    `Not one of ${formatCount(count, 'operation')} succeeded: the times are those of failures. Look at the outcomes, and at the server's log.`,
  LOCAL_PORTS_EXHAUSTED: ({ count }, about) =>
    `${formatCount(count, 'connection')} could not be opened because this machine ran out of local ports.${advise('Use', [lowerRate(about), fewerPeers(about, '--nClients'), (about.plan === undefined || planOf(about).connectionPerOperation) && 'connections that stay, without --connectionPerOperation'])}`,
  NAMESPACES_ADDED: ({ count }, about) =>
    `${formatCount(count, 'namespace')} beyond --nNamespaces were used, because a client can have only one registration in each.${hasRoles(about.plan) ? ' More --providers' : ' More --nClients'} or --registerMode refresh avoid it.`,
  LEFT_UNTIL_TTL: ({ count, ttlSeconds }) =>
    `${formatCount(count, 'registration')} could not be unregistered and stay on the server until their TTL of ${formatDuration(ttlSeconds * 1000)} expires. A shorter --ttl removes them sooner.`,
  ONE_REQUEST_PER_STREAM: () =>
    'The target serves one request on each stream: an UNREGISTER is confirmed on a second stream, which its times include. Compare them only with other servers of this kind.',
  TTL_REFUSED: ({ ttlSeconds, text }) =>
    `The target refuses a time to live of ${formatDuration(ttlSeconds * 1000)} (${text}): no REGISTER can succeed. Choose another --ttl. Current versions end such a run with an error.`,
  PROBE_REFUSED: ({ text }) =>
    `A probe at the start, before any load, was not answered as the protocol requires: ${text}. The run continued; check the outcomes of its operations.`,
  SCHEDULE_LATE: ({ p99Ms }, about) =>
    `Operations were sent late, 1 % of them by more than ${time(p99Ms)}; they count from when they were due.${advise('Use', [lowerRate(about), moreWorkers(about)])}`,
  OPERATIONS_FAILED: ({ type, outcomes }) =>
    `Not every ${type} succeeded: ${outcomesOf(outcomes)}. Each counts with the time it waited; see the server's log.`,
  STORE_NOT_RESTORED: ({ expected, actual }) =>
    `The server has ${whole(actual)} registrations after the run, not ${whole(expected)}. Look for errors above, or for a --ttl shorter than the run.`,
  SERVER_RESTARTED: ({ atMs, lost }) =>
    `The server was started again at ${(atMs / 1000).toFixed(1)} s, as planned, with an empty store: ${lost === null ? 'all registrations were' : formatCount(lost, 'registration was', 'registrations were')} lost, and not registered again. After that, DISCOVER finds only new registrations; read times before and after the restart separately.`,
  SERVER_MEMORY_GROWS: ({ trend }) =>
    `The server's memory grew by ${growth(trend)} after the first third of the run: it may not level off. Look at the plot, and run longer.`,
  GENERATOR_MEMORY_GROWS: ({ process, trend }) =>
    `Memory use of our ${process} grew by ${growth(trend)} after the first third of the run: a long run may be slowed by the load generator itself. Please report it with result.json.`,
  MESH_NOT_FORMED: ({ missing }, about) =>
    `The mesh had not formed when the warm-up was over (${missing.join('; ')}): the first messages went through a mesh that was still changing. Use a longer ${planOf(about).warmupMs == null ? '--warmup timeout' : '--warmup'}, or a --topology in which every node has enough neighbours.`,
  DELIVERIES_MISSING: ({ pairs, expected, byReason }, about) =>
    `${whole(pairs)} of ${formatCount(expected, 'delivery', 'deliveries')} did not arrive: ${outcomesOf(byReason)}. Affected percentiles are lower bounds.${byReason.unreachable === pairs ? '' : advise('Use', [lowerRate(about), 'a longer --cooldown'], ' to see whether they are late or lost')}`,
  NOTHING_PUBLISHED: ({ brokenOff }, about) =>
    brokenOff
      ? 'No message was published before the run was interrupted. Nothing was delivered, and resource figures are of idle nodes. Run for longer.'
      : `Not one message was published${noMessageReason(about)}. Nothing was delivered, and resource figures are of idle nodes.${advise('Use', soonerMessages(about))}`,
  NOT_PUBLISHED: ({ count, planned }, about) =>
    `${whole(count)} of ${formatCount(planned, 'message')} were not published, because --duration ended first: the nodes did not keep up with the schedule.${lowerLoad(about)}`,
  MESSAGES_SKIPPED: ({ count }, about) =>
    `${formatCount(count, 'message was', 'messages were')} not published, because the publisher's streams had buffered more than --maxBacklog: the network does not carry the rate.${advise('Use', [lowerRate(about)])}`,
  PUBLISH_FAILED: ({ count, errors = {} }) =>
    `${formatCount(count, 'message')} could not be published: ${outcomesOf(errors) || 'the library refused'}. Look for nodes without peers, and at --messageBytes.`,
  STREAMS_ABORTED: ({ count }, about) =>
    `${formatCount(count, 'outbound gossipsub stream')} ended while the connection stayed open: the library aborts a stream whose reader does not keep up, and its queued data is lost.${advise('Use', [lowerRate(about), 'fewer --messageBytes'])}`,
  PUBLISH_LATE: ({ p99Ms }, about) =>
    `Messages were published late, 1 % of them by more than ${time(p99Ms)}: the network was not loaded as planned. Times count from the publish call.${lowerLoad(about)}`,
  TRACES_NOT_WRITTEN: ({ count, error }) =>
    `${formatCount(count, 'trace')} could not be written completely: ${error}. The figures are complete; free space in --outputDir, or leave out --traces.`,
  DELIVERIES_NOT_WRITTEN: ({ error }) =>
    `The file of --deliveries lacks rows: ${error}. The figures are complete; free disk space, or name a file on another disk.`,
  SPANS_LOST: ({ count, error }) =>
    `${formatCount(count, 'span')} of --traces or --otlpEndpoint could not be kept (${error}). The figures are complete; check that the collector runs, and that --outputDir has free space.`,
  NOTHING_CARRIED: ({ perSecond }) =>
    `Not even ${formatSignificant(perSecond)} messages/s, where --rate auto of an earlier release began, was carried: the figures are those of that trial.`,
  MEMORY_CEILING: ({ workers }, about) =>
    `Publishing ended early, because ${formatCount(workers, 'worker process', 'worker processes')} reached --memoryCeiling: fewer messages were sent than planned.${lowerLoad(about, 'a higher ceiling')}`,
  DIALS_FAILED: ({ count }, about) =>
    `${formatCount(count, 'dial')} failed: the network has fewer connections than its topology.${advise('Use', [fewerPeers(about, '--nodes')])} Look at this system's limits of open files and ports.`,
  CLOCK_ANOMALY: ({ count }) =>
    `${formatCount(count, 'event was', 'events were')} impossible, such as deliveries before their publication (outcome.anomalies): clocks or processes failed, and no time of this run can be trusted. Run it again; if it recurs, report it with result.json.`,
  NOT_CONNECTED: ({ components }) =>
    `The topology is in ${formatCount(components, 'part')} that no message can pass between. Choose another --topology or --seed, or expect these deliveries to be missing.`,
  BACKLOG_GROWING: (_, about) =>
    `The nodes' write buffers kept growing while messages were published: the network does not sustain this rate. Times depend on the length of the run.${advise('Use', [lowerRate(about)])}`,
  PROFILE_NOT_WRITTEN: ({ worker, process = `worker ${worker}`, error }) =>
    `The profile of ${process} is in the figures, but its file could not be written: ${error}. Check the run's folder and the free space of its disk.`,
  SERVER_NOT_PROFILED: () =>
    'Only the worker processes were profiled, not the server: --profile needs a server that this run starts in a process (--server process).',
  STARTS_FAILED: ({ count }) =>
    `${formatCount(count, 'node')} could not start, or could not reach any node to dial: deliveries to such nodes count as missing. Look at outcome.churn.lives in result.json, and at this system's limits of open files and ports.`,
  ROTATION_LATE: ({ latestMs }, about) =>
    `Nodes were killed or started up to ${time(latestMs)} late: expected deliveries follow the schedule, not the actual times.${lowerLoad(about)}`,
  ACTIONS_FAILED: ({ count, error }) =>
    `${formatCount(count, 'planned action')} of nodes (leave, return, subscribe, unsubscribe) ${count === 1 ? 'was' : 'were'} not done: ${error ?? 'the process of the node exited'}. Expected deliveries assume that all were done: what such a node did not receive counts as missing.`,
  SCRIPT_LATE: ({ latestMs }, about) =>
    `Nodes subscribed or unsubscribed up to ${time(latestMs)} later than the network file's script says: deliveries are expected by the script.${lowerLoad(about)}`,
  PEERS_NOT_STARTED: ({ count }) =>
    `${formatCount(count, 'peer')} could not be started, or did not reach the server: fewer came than planned. Look at outcome.churn.lives in result.json, and at the server's limits on connections.`,
  PEERS_LATE: ({ latestMs }, about) =>
    `Peers were killed or started up to ${time(latestMs)} late: the figures use the actual times, but churn was lower than planned.${advise('Use', [lowerRate(about), fewerPeers(about, '--nClients')])}`,
  NETWORK_NOT_AS_ASKED: ({ what, ...values }, about) =>
    `Measured before the nodes started, ${what} is not as planned: ${linkDifferences(values)}.${advise('Use', [fewerPeers(about, '--nodes'), 'lower bandwidths'])} Run nothing else on this machine.`,
  CONGESTION_CONTROL_NOT_SET: ({ asked, found }) =>
    `TCP used ${found}, not --congestionControl ${asked}: /proc/sys is not writable here, as in a container. Use --congestionControl host, or run outside the container.`,
  ROUTER_LATE: ({ p99Ms, allowedMs }, about) =>
    `The router forwarded 1 % of the packets more than ${time(p99Ms)} late. The limit is ${time(allowedMs)}: 10 % of the planned latency, at least 1 ms. Links were slower than planned.${lowerLoad(about, `a longer ${latencyOption(about)}`)}`,
  ROUTER_OVERFLOWED: ({ count }, about) =>
    `${formatCount(count, 'packet was', 'packets were')} lost beyond the planned loss: nodes sent more than the router can forward.${lowerLoad(about, `a lower ${planOf(about).bandwidths === undefined ? '--upBandwidth' : '--bandwidths'}`)}`,
  HOSTILE_NOT_SENT: ({ name, percent }) =>
    `${formatSignificant(percent)} % of ${name} was not sent in time: hostile peers lacked CPU and sent less than planned. Run nothing else on this machine, or use a lower number.`,
  HOSTILE_DISTURBED: ({ pairs }) =>
    `All ${formatCount(pairs, 'pair')} of stretches were disturbed: the server was still busy with hostile peers when a stretch began, or other guests of the host took more than 1 % of the cores. Figures of hostile peers still include them.`,
  SERVER_NOT_SAMPLED: () =>
    'CPU and memory of the server are not known. Give its process with --targetPid, or its container with --targetContainer, if it runs on this machine.'
}

/** WARNING_CODES are the codes a result may carry. */
export const WARNING_CODES = Object.keys(TEXTS)

/**
 * describeWarning says a warning in words, with what to do.
 *
 * @param {Warning} warning
 * @param {AdvisedRun} [about] - the result that carries it: what to do goes by its plan
 * @returns {string}
 * @throws {RangeError} for a code without a text
 */
export function describeWarning({ code, values }, about = {}) {
  if (!Object.hasOwn(TEXTS, code))
    throw new RangeError(`warning ${code} has no text in src/report/warnings.js`)
  return TEXTS[code](values, about)
}

/**
 * @typedef {import('../scenarios/index.js').AnyResult} AnyResult
 */

/**
 * The warnings that --strict fails for: the load generator limited the figures, or the load was not the planned one. Other warnings are about
 * what the figures show or lack.
 */
const STRICT = new Set([
  'GENERATOR_LIMITED',
  'THROTTLED',
  'DROPPED',
  'LOCAL_PORTS_EXHAUSTED',
  'AGENT_LOST',
  'STORE_AWAY',
  // hostile peers did less than they should
  'HOSTILE_NOT_SENT',
  // or something else than them disturbed it
  'HOSTILE_DISTURBED',
  // the server did not do what it was measured at
  'SERVER_LIMITED',
  'REPLY_CHECK_FAILED',
  'REGISTRATIONS_MISSING',
  'NOTHING_LOOKED_UP',
  'NOTHING_SUCCEEDED',
  'STORE_NOT_RESTORED',
  // the nodes did not do what they would have done on machines of their own, or not what was planned
  'CLOCK_ANOMALY',
  'PUBLISH_LATE',
  'NOT_PUBLISHED',
  'NOTHING_PUBLISHED',
  'MEMORY_CEILING',
  'ROTATION_LATE',
  'ACTIONS_FAILED',
  'SCRIPT_LATE',
  'PEERS_LATE',
  // the nodes were joined by another network than was asked for
  'NETWORK_NOT_AS_ASKED',
  'CONGESTION_CONTROL_NOT_SET',
  'ROUTER_LATE',
  'ROUTER_OVERFLOWED'
])

/**
 * listStrictWarnings gives the warnings of a result that --strict fails for.
 *
 * @param {Pick<AnyResult, 'run'>} result
 * @returns {Warning[]}
 */
export const listStrictWarnings = ({ run }) => run.warnings.filter(({ code }) => STRICT.has(code))

/** The server lost registrations that it had confirmed: under any load that is an error. */
const TRIAL_ERRORS = ['REGISTRATIONS_MISSING', 'NOTHING_LOOKED_UP']

/** The warnings that make a complete run an error: also a server that did nothing at all, or a file that is not complete. */
const ERRORS = [...TRIAL_ERRORS, 'NOTHING_SUCCEEDED', 'DELIVERIES_NOT_WRITTEN']

/**
 * listErrorWarnings gives the warnings for which a run that came to its end must not pass.
 *
 * @param {Pick<AnyResult, 'status' | 'run'>} result
 * @param {{ trial?: boolean }} [of] - `trial`: of a load that may be more than is carried, so that nothing need come of it
 * @returns {Warning[]}
 */
export const listErrorWarnings = ({ status, run }, { trial = false } = {}) =>
  status === 'complete'
    ? run.warnings.filter(({ code }) => (trial ? TRIAL_ERRORS : ERRORS).includes(code))
    : []

/**
 * hasErrorWarnings says whether a run that came to its end must not pass.
 *
 * @param {Pick<AnyResult, 'status' | 'run'>} result
 */
export const hasErrorWarnings = result => listErrorWarnings(result).length > 0

/**
 * failsStrict says whether the figures of a result are those of something else than what was to be measured.
 *
 * @param {Pick<AnyResult, 'run'>} result
 */
export const failsStrict = result => listStrictWarnings(result).length > 0

/**
 * @typedef {import('./schema.js').Summary} Summary
 */

/** A worker that is busy for more than this share of its time sends late. */
const BUSY = 0.9

/** A percentile with a larger share of client overhead measures the load generator rather than the target. */
const MAX_OVERHEAD = 0.5

/** @param {readonly [of: string, summary: Partial<Summary>][]} times */
const overheadsOf = times =>
  times.flatMap(([of, summary]) =>
    /** @type {const} */ (['p50', 'p99']).flatMap(key => {
      const { ms = 0, overheadMs = 0 } = summary[key] ?? {}
      return overheadMs > MAX_OVERHEAD * ms ? [{ of, share: QUANTILES[key], ms, overheadMs }] : []
    })
  )

/**
 * Clients that wait for replies share what a server carries that is used up: their times follow from its throughput. Overhead does not make
 * them longer, it is time in which they would have waited at the server. Not where the load generator is used up as well: it may be what
 * holds both back.
 *
 * @param {import('./schema.js').LimitedBy} [limitedBy]
 */
const isServerLimited = limitedBy =>
  limitedBy?.by.length === 1 &&
  limitedBy.by[0] === 'server CPU' &&
  limitedBy.shares.every(({ name }) => name !== 'offered load')

/** Limits of the load generator: it was used up itself, or other programs had the cores that it needs. */
const GENERATOR_LIMITS = ['load generator', 'machine']

/**
 * findGeneratorLimit says whether a run measured its load generator rather than what is under test: the generator alone was used up, or client
 * overhead is more than half of p50 or p99. Overhead does not count where clients of the closed model used up the server, and nothing else.
 *
 * @param {object} measured
 * @param {readonly { worker: number, utilization: number }[]} measured.health
 * @param {import('./schema.js').LimitedBy} [measured.limitedBy] - absent: not looked at; then a worker counts as used up that was more than
 *   90 % busy
 * @param {readonly [of: string, summary: Partial<Summary>][]} [measured.times] - of operations or deliveries, by their names
 * @returns {Warning[]} one at most
 */
export function findGeneratorLimit({ health, limitedBy, times = [] }) {
  const overheads = isServerLimited(limitedBy) ? [] : overheadsOf(times)
  const [busiest] = health.toSorted((a, b) => b.utilization - a.utilization)
  const isUsedUp =
    limitedBy === undefined
      ? busiest !== undefined && busiest.utilization > BUSY
      : limitedBy.by.length > 0 && limitedBy.by.every(name => GENERATOR_LIMITS.includes(name))
  if (!isUsedUp && overheads.length === 0) return []
  const { worker = 0, utilization = 0 } = busiest ?? {}
  const usedUp = limitedBy === undefined ? { busy: { worker, utilization } } : { busy: null, limitedBy }
  return [{ code: 'GENERATOR_LIMITED', values: { ...(isUsedUp ? usedUp : { busy: null }), overheads } }]
}
