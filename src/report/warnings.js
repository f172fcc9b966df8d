// Warnings of a run: what each of them says, which of them make its result doubtful.
import { enumerated, present } from '../kit/collections.js'
import { counted, grouped, significant, spell } from '../kit/numbers.js'
import { QUANTILES } from '../measure/histogram.js'
import { limitedByText } from '../measure/limited-by.js'
import { saysItsRates } from '../plan/arrivals.js'

/**
 * What a run was, as far as advice goes by it. Nothing is known of a warning that stands alone.
 *
 * @typedef {object} Advised
 * @property {object} [plan]
 * @property {{ agents?: readonly unknown[], machine?: { cores: number }, host?: { quotaCores?: number | null } }} [run]
 *
 * @typedef {Record<string, any>} AnyOptions - of a plan of any scenario
 */

/** @param {readonly (string | false | null)[]} ways */
const anyOf = ways => {
  const said = present(ways)
  return said.length < 3 ? said.join(' or ') : `${said.slice(0, -1).join(', ')}, or ${said.at(-1)}`
}

/**
 * tryOf gives a sentence with what can be done, none where nothing can.
 *
 * @param {string} verb
 * @param {readonly (string | false | null)[]} ways
 * @param {string} [after]
 * @returns {string} begins with a space
 */
function tryOf(verb, ways, after = '') {
  const said = anyOf(ways)
  return said === '' ? '' : ` ${verb} ${said}${after}.`
}

/** hasRoles says whether clients of a plan are providers or discoverers. @param {AnyOptions} [plan] */
const hasRoles = ({ providers, discoverers } = {}) => providers != null || discoverers != null

/**
 * less is the option by which less is offered each second; null: the plan has none, for nobody says when operations are due.
 *
 * @param {Advised} about
 */
function less({ plan }) {
  if (plan === undefined) return 'a lower --rate'
  const { ratePerSecond, arrivals, thinkTimeMs, publishers, ...more } = /** @type {AnyOptions} */ (plan)
  if (more.handshakeRatePerSecond !== undefined) return 'a lower --handshakeRate'
  if (arrivals !== undefined && saysItsRates(arrivals)) return 'slower --arrivals'
  if (more.providerRatePerSecond != null || more.discovererRatePerSecond != null)
    return 'a lower --providerRate or --discovererRate'
  if (ratePerSecond != null) return 'a lower --rate'
  if (publishers === 'every') return 'a longer --interval'
  return thinkTimeMs != null ? 'a longer --thinkTime' : null
}

/**
 * sooner is by which there are messages in less time.
 *
 * @param {Advised} about
 * @returns {string[]}
 */
function sooner({ plan }) {
  const { ratePerSecond, arrivals, publishers, durationMs } = /** @type {AnyOptions} */ (plan ?? {})
  const lasts = durationMs == null && plan !== undefined ? [] : ['a longer --duration']
  if (arrivals !== undefined && saysItsRates(arrivals)) return [...lasts, 'faster --arrivals']
  if (publishers === 'every') return [...lasts, 'a shorter --interval']
  return plan === undefined || ratePerSecond != null ? [...lasts, 'a higher --rate'] : lasts
}

/**
 * untilFirst says how long it takes until a message is due, where that is longer than it was published for; empty: nobody knows.
 *
 * @param {Advised} about
 */
function untilFirst({ plan }) {
  const { ratePerSecond, arrivals, publishers, durationMs, intervalMs } = /** @type {AnyOptions} */ (
    plan ?? {}
  )
  if (durationMs == null) return ''
  const lasts = `--duration is ${spell(durationMs)}`
  if (publishers === 'every' && intervalMs !== undefined && durationMs < intervalMs.max)
    return `${lasts}, and each node waits ${[...new Set([intervalMs.min, intervalMs.max])].map(ms => spell(ms)).join(' to ')} before it publishes (--interval)`
  if (publishers === 'every' || ratePerSecond == null || saysItsRates(arrivals)) return ''
  const betweenMs = 1000 / ratePerSecond
  return durationMs <= betweenMs
    ? `${lasts}, and at --rate there is a message each ${spell(betweenMs)} on average`
    : ''
}

/**
 * open is the other load model, where the plan could have it.
 *
 * @param {Advised} about
 * @param {{ part?: unknown }} [values]
 */
function open({ plan }, { part } = {}) {
  if (plan === undefined) return '--rate for the open model'
  const { ratePerSecond, arrivals } = /** @type {AnyOptions} */ (plan)
  const closed = ratePerSecond === null && !hasRoles(plan) && !saysItsRates(arrivals)
  return closed && part !== 'latency' && '--rate for the open model'
}

/** moreWorkers is how more processes send, where there are clients and cores for them. @param {Advised} about */
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

/** @param {AnyOptions} plan */
const isFixed = ({ topology }) => topology?.path !== undefined

/** fewer is by which there are fewer clients, peers or nodes, where there may be. @param {Advised} about @param {'--nClients' | '--nodes'} usual */
function fewer({ plan }, usual) {
  if (plan === undefined) return `fewer ${usual}`
  const { nClients, clients, nodes } = /** @type {AnyOptions} */ (plan)
  if (hasRoles(plan)) return 'fewer --providers or --discoverers'
  if (nClients !== undefined) return nClients > 1 && 'fewer --nClients'
  if (nodes !== undefined) return nodes > 2 && !isFixed(plan) && 'fewer --nodes'
  return clients > 1 && 'fewer --clients'
}

/** longer is by which more is measured. @param {Advised} about @returns {string} */
function longer({ plan }) {
  const { durationMs, benchmarkRuns } = /** @type {AnyOptions} */ (plan ?? {})
  if (plan === undefined || durationMs != null) return 'a longer --duration'
  return benchmarkRuns == null ? 'a longer run' : 'more --benchmarkRuns'
}

/**
 * @typedef {import('./schema.js').Warning} Warning
 */

/** What relieves the load generator. @param {Advised} about @param {Record<string, any>} values */
const relieve = (about, values) =>
  tryOf('Try', [
    moreWorkers(about),
    fewer(about, '--nClients'),
    // of a warning that stands alone, the plan is not known
    (about.plan !== undefined && less(about)) || open(about, values)
  ])

/** @param {unknown} n */
const whole = n => grouped(Number(n))

/** @param {string} text */
const sentence = text => `${text.charAt(0).toUpperCase()}${text.slice(1)}`

/** @param {number} ms */
const seconds = ms => `${(ms / 1000).toFixed(1)} s`

/**
 * awayWords says that the database of a run went away.
 *
 * @param {{ whose: string, atMs: number, forMs: number, back: boolean }} outage
 */
export const awayWords = ({ whose, atMs, forMs, back }) =>
  `${whose} went away ${seconds(atMs)} after the run began, ${back ? `for ${seconds(forMs)}` : `and was not back ${seconds(forMs)} later`}`

/** What follows a colon, if anything does. @param {string} reason */
const because = reason => (reason === '' ? '' : `: ${reason}`)

/** @param {unknown} ms */
const time = ms => `${significant(Number(ms))} ms`

/** @param {import('./schema.js').Trend} trend - of bytes */
const growth = ({ perHour, low, high }) =>
  `${significant(perHour / 1e6)} MB an hour (95 % interval ${significant(low / 1e6)} to ${significant(high / 1e6)})`

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

/** @param {Advised} about @returns {Record<string, any>} */
const planOf = ({ plan }) => plan ?? {}

/** What makes a network of nodes do less. @param {Advised} about @param {string} verb @param {(string | false | null)[]} more */
const calm = (about, verb, ...more) => tryOf(verb, [less(about), fewer(about, '--nodes'), ...more])

/** Whether connections are made for each operation, or may be. @param {Advised} about */
const perOperation = about => about.plan === undefined || Boolean(planOf(about).connectionPerOperation)

/** By which option it is said how long is waited for the mesh. @param {Advised} about */
const warmUpOf = about => (planOf(about).warmupMs == null ? '--warmupTimeout' : '--warmup')

/** By which option the latency of links is said. @param {Advised} about */
function latencyOf(about) {
  const { latenciesMs, linkLatency } = planOf(about)
  return linkLatency != null || latenciesMs === undefined ? '--linkLatency' : '--latencies'
}

/** By which option it is said how much nodes may send. @param {Advised} about */
function bandwidthOf(about) {
  return planOf(about).bandwidths === undefined ? '--upBandwidth' : '--bandwidths'
}

/** Whether the rate that is carried could be looked for. @param {Advised} about */
function findsRate(about) {
  const { scenario, ratePerSecond } = planOf(about)
  return about.plan === undefined || (scenario === 'gossip' && ratePerSecond !== null)
}

/** @param {{ of: string, share: number, ms: number, overheadMs: number }} overhead */
const overheadWords = ({ of, share, ms, overheadMs }) =>
  `client overhead is ${significant(overheadMs)} of ${time(ms)} at ${of} p${100 * share}`

/** @param {Advised} about */
const isOfNodes = about => planOf(about).nodes !== undefined

/** Nodes that share a process wait for one another; beside links that take time that is a small part. @param {Advised} about @param {boolean} waited */
function relieveNodes(about, waited) {
  const { linkLatencyMs, linkLatencies } = planOf(about)
  const slower = linkLatencyMs > 0 || linkLatencies != null ? 'a longer --linkLatency' : '--linkLatency 100ms'
  return calm(
    about,
    'Use',
    waited && slower,
    findsRate(about) && 'saturate gossip --search, which finds what this machine carries'
  )
}

/**
 * One sentence for people, and what to do, for every code. What to do goes by the plan: nobody is told to use what is used.
 *
 * @type {Readonly<Record<string, (values: Record<string, any>, about: Advised) => string>>}
 */
const TEXTS = {
  GENERATOR_LIMITED: ({ busy, limitedBy, overheads }, about) =>
    `Generator-limited: ${enumerated([
      ...(busy === null
        ? []
        : [`worker ${busy.worker} of the load generator was ${Math.round(busy.utilization * 100)} % busy`]),
      ...(limitedBy === undefined ? [] : [`it was limited by ${limitedByText(limitedBy)}`]),
      ...overheads.map(overheadWords)
    ])}. The figures are more the load generator's than ${isOfNodes(about) ? "the protocol's" : "the server's"}.${isOfNodes(about) ? relieveNodes(about, overheads.length > 0) : relieve(about, {})}`,
  NOT_DESCRIBED: ({ why }) =>
    `What the scenario says of its result is left out: ${String(why).replace(/\.$/, '')}. docs/extending.md shows what it may hold.`,
  THROTTLED: ({ ms, quotaCores }) =>
    `The machine held the load generator back for ${spell(ms)} of CPU time while it measured, for it had used what its control group may have${quotaCores === null ? '' : ` (${significant(quotaCores)} ${quotaCores === 1 ? 'core' : 'cores'})`}: times and throughput are limited by that. Give it more, or send less.`,
  NOT_STATIONARY: ({ type, firstMs, lastMs }, about) =>
    `${type} p50 went from ${time(firstMs)} in the first third to ${time(lastMs)} in the last: it had not settled.${tryOf('Use', ['a longer --warmup', longer(about), less(about)])}`,
  STORE_AWAY: values => `${sentence(awayWords(/** @type {any} */ (values)))}.`,
  LEFT_BEHIND: ({ text }) => sentence(String(text)),
  AGENT_LOST: ({ why, clients, nodes, of, goesOn }) =>
    `${sentence(why)}. Its ${whole(clients ?? nodes)} of ${counted(of, nodes === undefined ? 'client' : 'node')} (${significant((100 * (clients ?? nodes)) / of)} %) ${goesOn ? 'sent nothing since, and nobody in their place: less was offered than was planned.' : 'ended the run.'} Look at that machine and its way to the bus; --onLostAgent says what becomes of a run.`,
  CLOCKS_APART: ({ errorMs }) =>
    `The load was on several machines, and how their clocks stand to each other is known to ± ${time(errorMs)}: each time between two of them is off by up to that, and figures that are less are left out.`,
  DROPPED: ({ count }, about) =>
    `${counted(count, 'operation was', 'operations were')} due but never sent, because --maxInFlight was reached: the times are lower bounds, and the server does not keep up.${tryOf('Use', [less(about)])}`,
  REPLY_CHECK_FAILED: ({ type, count, detail }) =>
    `${counted(count, `${type} reply`, `${type} replies`)} failed the check (${detail}): the server does not answer as the protocol says. Look at its log before trusting these figures.`,
  SERVER_LIMITED: ({ count }) =>
    `${counted(count, 'reply', 'replies')} had to wait for the server's limits on one address, by its own word: the limits were measured, not its speed. Start it with --unlimitedFrom and the address that the load comes from.`,
  REGISTRATIONS_MISSING: ({ missing, lookedUp }) =>
    `${whole(missing)} of ${counted(lookedUp, 'registration')} that the server has confirmed cannot be discovered at the end: it lost them, or never had them. Look at its log, its limits and what it stores.`,
  LOOK_UP_INCOMPLETE: ({ left, drawn, problem }) =>
    `${whole(left)} of ${counted(drawn, 'registration')} could not be looked up at the end: ${problem}. Nothing is known of them; look at how the server answers DISCOVER.`,
  NOTHING_LOOKED_UP: ({ drawn, problem }) =>
    `Not one of ${counted(drawn, 'registration')} that the server has confirmed could be looked up at the end: ${problem}. Whether it has them is not known: look at how it answers DISCOVER, or leave the look-up out with --skipLookUp.`,
  NOTHING_SUCCEEDED: ({ count }) =>
    `Not one of ${counted(count, 'operation')} succeeded: the times are those of failures. Look at the outcomes, and at the server's log.`,
  LOCAL_PORTS_EXHAUSTED: ({ count }, about) =>
    `${counted(count, 'connection')} could not be opened because this machine ran out of local ports.${tryOf('Use', [less(about), fewer(about, '--nClients'), perOperation(about) && 'connections that stay, without --connectionPerOperation'])}`,
  NAMESPACES_ADDED: ({ count }, about) =>
    `${counted(count, 'namespace')} beyond --nNamespaces came into use: a client is one peer and holds one registration in each.${hasRoles(about.plan) ? ' More --providers' : ' More --nClients'} or --registerMode refresh avoid it.`,
  LEFT_UNTIL_TTL: ({ count, ttlSeconds }) =>
    `${counted(count, 'registration')} could not be taken back and stay on the server until their time to live of ${spell(ttlSeconds * 1000)} has passed. A shorter --ttl leaves them for less long.`,
  ONE_REQUEST_PER_STREAM: () =>
    'The target serves one request on each stream: an UNREGISTER is confirmed on a second stream, which its times include. Compare them only with those of servers of that kind.',
  TTL_REFUSED: ({ ttlSeconds, text }) =>
    `The target refuses a time to live of ${spell(ttlSeconds * 1000)} (${text}): no REGISTER will succeed. Choose another --ttl.`,
  PROBE_REFUSED: ({ text }) =>
    `A probe at the start, before any load, was not served as the protocol says: ${text}. Operations are measured all the same; look at their outcomes.`,
  SCHEDULE_LATE: ({ p99Ms }, about) =>
    `Operations were sent late, 1 % of them by more than ${time(p99Ms)}; they count from when they were due.${tryOf('Use', [less(about), moreWorkers(about)])}`,
  OPERATIONS_FAILED: ({ type, outcomes }) =>
    `Not every ${type} succeeded: ${outcomesOf(outcomes)}. They count in the times as far as they waited; look at the server's log.`,
  STORE_NOT_RESTORED: ({ expected, actual }) =>
    `The server holds ${whole(actual)} registrations after the run, not ${whole(expected)}. Look for errors above, or for a --ttl shorter than the run.`,
  SERVER_RESTARTED: ({ atMs, lost }) =>
    `The server was started again at ${(atMs / 1000).toFixed(1)} s, as planned, and held nothing: ${lost === null ? 'what it had held was' : counted(lost, 'registration was', 'registrations were')} lost, and not registered again. From then on DISCOVER finds only what the load itself registers; look at the times before and after it apart.`,
  SERVER_MEMORY_GROWS: ({ trend }) =>
    `The server's memory grew by ${growth(trend)} after the first third of the run: it may not come to rest. Look at the plot, and run longer.`,
  GENERATOR_MEMORY_GROWS: ({ process, trend }) =>
    `What our own ${process} has in use grew by ${growth(trend)} after the first third of the run: a long run may be slowed by the load generator itself. Please report it with result.json.`,
  MESH_NOT_FORMED: ({ missing }, about) =>
    `The mesh had not formed when the warm-up was over (${missing.join('; ')}): the first messages went through a mesh that was still changing. Use a longer ${warmUpOf(about)}, or a --topology in which every node has enough neighbours.`,
  DELIVERIES_MISSING: ({ pairs, expected, byReason }, about) =>
    `${whole(pairs)} of ${counted(expected, 'delivery', 'deliveries')} did not come: ${outcomesOf(byReason)}. Times they reach into are lower bounds.${byReason.unreachable === pairs ? '' : tryOf('Use', [less(about), 'a longer --cooldown'], ' to see whether they are late or lost')}`,
  NOTHING_PUBLISHED: ({ brokenOff }, about) =>
    brokenOff
      ? 'Not one message was published, for the run was broken off before: there is nothing that was delivered, and what was used is that of nodes at rest. Let it run for longer.'
      : `Not one message was published${because(untilFirst(about))}. There is nothing that was delivered, and what was used is that of nodes at rest.${tryOf('Use', sooner(about))}`,
  NOT_PUBLISHED: ({ count, planned }, about) =>
    `${whole(count)} of ${counted(planned, 'message')} were not published, because --duration was over before their turn came: the nodes did not keep up with the schedule.${calm(about, 'Use')}`,
  MESSAGES_SKIPPED: ({ count }, about) =>
    `${counted(count, 'message was', 'messages were')} not published, because the publisher's streams held more than --maxBacklog: the network does not carry the rate.${tryOf('Use', [less(about)])}`,
  PUBLISH_FAILED: ({ count, errors = {} }) =>
    `${counted(count, 'message')} could not be published: ${outcomesOf(errors) || 'the library refused'}. Look for nodes without peers, and at --messageBytes.`,
  STREAMS_ABORTED: ({ count }, about) =>
    `${counted(count, 'outbound gossipsub stream')} ended while the connection stayed open: the library aborts a stream whose reader does not keep up, and what waited in it is lost.${tryOf('Use', [less(about), 'fewer --messageBytes'])}`,
  PUBLISH_LATE: ({ p99Ms }, about) =>
    `Messages were published late, 1 % of them by more than ${time(p99Ms)}: the network was not loaded as planned. Times count from the publish call.${calm(about, 'Use')}`,
  TRACES_NOT_WRITTEN: ({ count, error }) =>
    `${counted(count, 'trace')} could not be written to the end: ${error}. The figures are whole; make room in --outputDir, or leave out --traces.`,
  DELIVERIES_NOT_WRITTEN: ({ error }) =>
    `The file of --deliveries lacks rows: ${error}. The figures are whole; make room, or name a file on another disk.`,
  SPANS_LOST: ({ count, error }) =>
    `${counted(count, 'span')} of --traces or --otlpEndpoint could not be kept (${error}). The figures are whole; see that the collector runs, and that there is room in --outputDir.`,
  NOTHING_CARRIED: ({ perSecond }) =>
    `Not even ${significant(perSecond)} messages/s, where --rate auto of an earlier release began, was carried: the figures are those of that trial.`,
  MEMORY_CEILING: ({ workers }, about) =>
    `Publishing ended early, because ${counted(workers, 'worker process', 'worker processes')} reached --memoryCeiling: fewer messages were sent than planned.${calm(about, 'Use', 'a higher ceiling')}`,
  DIALS_FAILED: ({ count }, about) =>
    `${counted(count, 'dial')} failed: the network has fewer connections than its topology.${tryOf('Use', [fewer(about, '--nodes')])} Look at this system's limits of open files and ports.`,
  CLOCK_ANOMALY: ({ count }) =>
    `${counted(count, 'thing was', 'things were')} told that cannot be, such as deliveries before their publication (outcome.anomalies): clocks or processes did not work as they must, and no time of this run can be trusted. Run it again; if it stays, report it with result.json.`,
  NOT_CONNECTED: ({ components }) =>
    `The topology is in ${counted(components, 'part')} that no message can pass between. Choose another --topology or --seed, or expect these deliveries to be missing.`,
  BACKLOG_GROWING: (_, about) =>
    `What waited in the write buffers of the nodes grew all the while messages were published: the network does not carry this rate, and times grow with the length of the run.${tryOf('Use', [less(about)])}`,
  PROFILE_NOT_WRITTEN: ({ worker, process = `worker ${worker}`, error }) =>
    `The profile of ${process} is in the figures, but its file could not be written: ${error}. Look at the run's folder and at the room left on its disk.`,
  SERVER_NOT_PROFILED: () =>
    'The server was not sampled, only the worker processes: --profile takes a server that this run starts in a process (--server process).',
  STARTS_FAILED: ({ count }) =>
    `${counted(count, 'node')} could not be started, or reached none of the nodes it was to dial: what such a node did not receive counts as missing. Look at outcome.churn.lives in result.json, and at this system's limits of open files and ports.`,
  ROTATION_LATE: ({ latestMs }, about) =>
    `Nodes were killed or started up to ${time(latestMs)} late: deliveries are expected by the schedule, not by when it was done.${calm(about, 'Use')}`,
  ACTIONS_FAILED: ({ count, error }) =>
    `${counted(count, 'planned action')} of nodes (leave, return, subscribe, unsubscribe) ${count === 1 ? 'was' : 'were'} not done: ${error ?? 'the process of the node is gone'}. Deliveries are expected as if all were done, so that what such a node did not receive counts as missing.`,
  SCRIPT_LATE: ({ latestMs }, about) =>
    `Nodes subscribed or unsubscribed up to ${time(latestMs)} later than the network file's script says: deliveries are expected by the script.${calm(about, 'Use')}`,
  PEERS_NOT_STARTED: ({ count }) =>
    `${counted(count, 'peer')} could not be started, or did not reach the server: fewer came than planned. Look at outcome.churn.lives in result.json, and at the server's limits on connections.`,
  PEERS_LATE: ({ latestMs }, about) =>
    `Peers were killed or started up to ${time(latestMs)} late: the figures go by when it was done, but there was less rotation than planned.${tryOf('Use', [less(about), fewer(about, '--nClients')])}`,
  NETWORK_NOT_AS_ASKED: ({ what, ...found }, about) =>
    `Measured before there were nodes, ${what} was not what was asked for: ${offIn(found)}.${tryOf('Use', [fewer(about, '--nodes'), 'lower bandwidths'])} Let nothing else run on this machine.`,
  CONGESTION_CONTROL_NOT_SET: ({ asked, found }) =>
    `TCP went by ${found}, not by --congestionControl ${asked}: /proc/sys cannot be written here, as in a container. Take --congestionControl host, or run outside of it.`,
  ROUTER_LATE: ({ p99Ms, allowedMs }, about) =>
    `The router handed over 1 % of the packets more than ${time(p99Ms)} late, and ${time(allowedMs)} are a tenth of the latency asked for (1 ms where that is less): links were slower than asked.${calm(about, 'Use', `a longer ${latencyOf(about)}`)}`,
  ROUTER_OVERFLOWED: ({ count }, about) =>
    `${counted(count, 'packet was', 'packets were')} lost without being asked for, because the router did not keep up: nodes sent more than it carries.${calm(about, 'Use', `a lower ${bandwidthOf(about)}`)}`,
  HOSTILE_NOT_SENT: ({ name, percent }) =>
    `Of ${name} ${significant(percent)} % was not sent when it was due: hostile peers had no core for it, so they did less than was asked for. Let nothing else run on this machine, or take a lower number.`,
  HOSTILE_DISTURBED: ({ pairs }) =>
    `${counted(pairs, 'pair')} of stretches, which is all, would be set aside: the server was still busy with hostile peers when a stretch began, or other guests of the host took more than 1 % of the cores. Figures of hostile peers are of them all the same.`,
  SERVER_NOT_SAMPLED: () =>
    'CPU and memory of the server are not known. Give its process with --targetPid, or its container with --targetContainer, if it runs on this machine.'
}

/** WARNING_CODES are the codes a result may carry. */
export const WARNING_CODES = Object.keys(TEXTS)

/**
 * describeWarning says a warning in words, with what to do.
 *
 * @param {Warning} warning
 * @param {Advised} [about] - the result that carries it: what to do goes by its plan
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
 * The warnings that --strict fails for: the load generator made the figures, or something else than what was planned was measured. Others tell
 * of what the figures show, or of what they lack.
 */
const FAIL_STRICT = new Set([
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
 * strictWarnings gives the warnings of a result that --strict fails for.
 *
 * @param {Pick<AnyResult, 'run'>} result
 * @returns {Warning[]}
 */
export const strictWarnings = ({ run }) => run.warnings.filter(({ code }) => FAIL_STRICT.has(code))

/** The server did not do what it said: no load excuses that. */
const BROKEN_PROMISES = ['REGISTRATIONS_MISSING', 'NOTHING_LOOKED_UP']

/**
 * The warnings that make a run an error, though it came to its end: the server did not do what it said, or nothing at all, or a file that was
 * asked for is not whole.
 */
const ERRORS = new Set([...BROKEN_PROMISES, 'NOTHING_SUCCEEDED', 'DELIVERIES_NOT_WRITTEN'])
const ERRORS_OF_TRIALS = new Set(BROKEN_PROMISES)

/**
 * errorsOf gives the warnings for which a run that came to its end must not pass.
 *
 * @param {Pick<AnyResult, 'status' | 'run'>} result
 * @param {{ trial?: boolean }} [of] - `trial`: of a load that may be more than is carried, so that nothing need come of it
 * @returns {Warning[]}
 */
export const errorsOf = ({ status, run }, { trial = false } = {}) =>
  status === 'complete'
    ? run.warnings.filter(({ code }) => (trial ? ERRORS_OF_TRIALS : ERRORS).has(code))
    : []

/**
 * hasErrors says whether a run that came to its end must not pass.
 *
 * @param {Pick<AnyResult, 'status' | 'run'>} result
 */
export const hasErrors = result => errorsOf(result).length > 0

/**
 * failsStrict says whether the figures of a result are those of something else than what was to be measured.
 *
 * @param {Pick<AnyResult, 'run'>} result
 */
export const failsStrict = result => strictWarnings(result).length > 0

/**
 * @typedef {import('./schema.js').Summary} Summary
 * @typedef {'p50' | 'p99'} Key
 */

/** BUSY: above this share of its time a generator does not send what it would. */
const BUSY = 0.9

/** A percentile of which more than this share is client overhead is more of the load generator than of what is under test. */
const MAX_OVERHEAD = 0.5

/** @type {readonly Key[]} */
const KEYS = ['p50', 'p99']

/** @param {readonly [of: string, summary: Partial<Summary>][]} times */
const overheadsOf = times =>
  times.flatMap(([of, summary]) =>
    KEYS.flatMap(key => {
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
const isServers = limitedBy =>
  limitedBy?.by.length === 1 &&
  limitedBy.by[0] === 'server CPU' &&
  limitedBy.shares.every(({ name }) => name !== 'offered load')

/** What is the generator's: it was used up, or other programs had the cores that it needs. */
const OWN = new Set(['load generator', 'machine'])

/**
 * generatorLimited says whether a run measured its load generator rather than what is under test: the generator alone was used up, or client
 * overhead is more than half of p50 or p99. Overhead does not count where clients of the closed model used up the server, and nothing else.
 *
 * @param {object} measured
 * @param {readonly { worker: number, utilization: number }[]} measured.health
 * @param {import('./schema.js').LimitedBy} [measured.limitedBy] - absent: not looked at; then a worker counts as used up that was more than
 *   90 % busy
 * @param {readonly [of: string, summary: Partial<Summary>][]} [measured.times] - of operations or deliveries, by their names
 * @returns {Warning[]} one at most
 */
export function generatorLimited({ health, limitedBy, times = [] }) {
  const overheads = isServers(limitedBy) ? [] : overheadsOf(times)
  const [busiest] = health.toSorted((a, b) => b.utilization - a.utilization)
  const isUsedUp =
    limitedBy === undefined
      ? busiest !== undefined && busiest.utilization > BUSY
      : limitedBy.by.length > 0 && limitedBy.by.every(name => OWN.has(name))
  if (!isUsedUp && overheads.length === 0) return []
  const { worker = 0, utilization = 0 } = busiest ?? {}
  const usedUp = limitedBy === undefined ? { busy: { worker, utilization } } : { busy: null, limitedBy }
  return [{ code: 'GENERATOR_LIMITED', values: { ...(isUsedUp ? usedUp : { busy: null }), overheads } }]
}
