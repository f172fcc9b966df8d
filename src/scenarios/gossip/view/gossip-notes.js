import { present } from '../../../kit/lists.js'
import { counted, grouped, MISSING, megabytes, percent, significant } from '../../../kit/numbers.js'
import { ADDED_TO_DELIVERIES } from '../../../measure/doubt.js'
import { share } from '../../../report/share.js'
import { doubtSigns, FIGURES, figure } from '../../../report/table.js'
import { namespaceNotes } from '../../namespaces/namespace-notes.js'
import { workerResources } from '../measure/machine-figures.js'
import { isApart } from '../plan/conditions.js'
import { carriedText } from './carried-words.js'
import { isSimulated } from './is-simulated.js'
import { reasonsInWords } from './missing-words.js'
import { resourceLines, resourcesKnown } from './node-resources.js'
import { rateText } from './progress-words.js'

/**
 * @typedef {import('../gossip-types.js').GossipResult} GossipResult
 * @typedef {import('../../../result/types.js').Summary} Summary
 * @typedef {import('../../../report/view.js').ScenarioNotes<import('../gossip-types.js').NetworkResult>} ScenarioNotes
 */

/** Topics beyond these are in the result and in topics.csv. */
const TOPICS_NAMED = 10

/** @param {Summary} summary @param {readonly string[]} [keys] */
function spread(summary, keys = ['avg', 'p50', 'p90', 'p99', 'max']) {
  const shown = FIGURES.filter(([key]) => keys.includes(key) && summary[key] !== null)
  return shown.map(([key, heading]) => `${heading.toLowerCase()} ${figure(summary[key])} ms`).join(', ')
}

/** @param {GossipResult} result */
const simulated = ({ plan }) =>
  isSimulated(plan) &&
  `Simulated: the nodes were joined by no real network, and all times are virtual. Bytes, hops and ratios are the protocol’s; CPU is this machine’s.`

/** How a simulation was spread over processes, where that was asked for. @param {GossipResult} result */
function split({ plan, run }) {
  const split = run.simulator?.split
  if (split === undefined) return false
  if (split.why !== null)
    return `Simulated in one process, not in the ${plan.workers} that were asked for: ${split.why}.`
  const { processes, lookaheadMs, meetings, events, handedOver } = split
  const each = (/** @type {number} */ count) => (meetings === 0 ? MISSING : significant(count / meetings))
  return (
    lookaheadMs !== null &&
    `Simulated in ${processes} processes: what nodes send is under way for ${significant(lookaheadMs)} ms at the least (lookahead), so they met ${grouped(meetings)} times, after ${each(events)} events on average, and handed over ${each(handedOver)}.`
  )
}

/** How the table is read. */
const READING =
  'Times in ms. Latency: publish call to the first receipt, of every delivery; dissemination: publish call to the last delivery, of every message. MDR: deliveries of all expected; to all: messages that reached every subscriber. Duplicates, CPU and bytes sent are per delivery.'

/** @param {GossipResult} result */
function reading(result) {
  const { published, skipped, failed } = result.outcome.messages
  return present([simulated(result), split(result), published + skipped + failed > 0 && READING])
}

/** @type {ScenarioNotes['signs']} */
const SIGNS = [
  ...doubtSigns(ADDED_TO_DELIVERIES),
  [/> \d/, '> at least: deliveries that did not come reach into this figure.'],
  [/–/, '– no figure: a percentile needs 10 samples beyond it, a ratio something that was expected.']
]

/** @param {GossipResult} result */
const skipped = ({ outcome: { messages } }) =>
  messages.skipped > 0 &&
  `${counted(messages.skipped, 'message was', 'messages were')} skipped, because --maxBacklog was reached; they are expected nowhere.`

/** @param {GossipResult} result */
const failed = ({ outcome: { messages } }) =>
  messages.failed > 0 &&
  `${counted(messages.failed, 'message')} could not be published; they are expected nowhere.`

/** @param {GossipResult} result */
const missing = ({ outcome: { missing, delivery } }) =>
  missing.pairs > 0 &&
  `Missing: ${grouped(missing.pairs)} of ${counted(delivery.expected, 'delivery', 'deliveries')}: ${reasonsInWords(missing.byReason)}.`

/** Without what never came the times are better, and say less. @param {GossipResult} result */
function withoutMissing({ outcome: { latency, dissemination } }) {
  const alone = present([
    latency.delivered.count > 0 &&
      latency.delivered.count < latency.all.count &&
      `latency ${spread(latency.delivered)}`,
    dissemination.complete.count > 0 &&
      dissemination.complete.count < dissemination.all.count &&
      `dissemination of what reached everyone ${spread(dissemination.complete)}`
  ])
  return alone.length > 0 && `Of what came alone: ${alone.join('; ')}.`
}

/** @param {GossipResult} result */
const streams = ({
  outcome: {
    streams: { aborted, meshPeersWithoutStream }
  }
}) =>
  aborted + meshPeersWithoutStream > 0 &&
  `${counted(aborted, 'outbound gossipsub stream')} ended while the connection stayed; ${counted(meshPeersWithoutStream, 'mesh peer')} had no open stream at the end.`

/** @param {GossipResult} result */
const refused = ({
  plan,
  outcome: {
    counters: { refusedRpcs = 0 }
  }
}) =>
  refusedRpcs > 0 &&
  `${counted(refusedRpcs, 'RPC was', 'RPCs were')} refused: ${grouped(Number(plan.sendQueue))} waited for the peer already (--sendQueue). They count as sent.`

/** @param {{ expected: number, delivered: number }} count */
const received = ({ expected, delivered }) => `${grouped(delivered)} of ${grouped(expected)}`

/** @param {GossipResult} result */
function churn({ outcome: { churn } }) {
  if (churn == null) return null
  const { departures, returns, apart, again } = churn
  return `Nodes left ${counted(departures, 'time')} and returned ${counted(returns, 'time')}. Not among the expected deliveries: ${received(apart.joining)} in the first 5 s after a return, ${received(apart.leaving)} in the last 1 s before a departure, ${grouped(apart.away.delivered)} of what was published meanwhile; ${grouped(again)} received a second time after a return.`
}

/** What anomalies are called. @type {Record<string, string>} */
const ANOMALIES = {
  duplicateReceipts: 'receipts told twice',
  duplicatePublications: 'publications told twice',
  unknownMessages: 'messages received that nobody published',
  negativeLatencies: 'deliveries before their publication',
  timesBeyondRange: 'times beyond what can be counted'
}

/** @param {GossipResult} result */
function anomalies({ outcome: { anomalies } }) {
  const seen = Object.entries(anomalies).filter(([, count]) => count > 0)
  return (
    seen.length > 0 &&
    `Anomalies: ${seen.map(([name, count]) => `${grouped(count)} ${ANOMALIES[name] ?? name}`).join(', ')}.`
  )
}

/** More workers than this are told of in one line; each stands in the result. */
const MANY_WORKERS = 4

/** @param {GossipResult} result */
function workers(result) {
  if (isApart(result.plan) && resourcesKnown(result)) return resourceLines(result)
  const all = workerResources(result)
  if (all.length > MANY_WORKERS) return manyWorkers(all)
  return present(all.map(oneWorker))
}

/** What is not known is left out. @param {ReturnType<typeof workerResources>[number]} resources */
function oneWorker({ worker, cpu, memory }) {
  const percents = present([
    cpu.averagePercent !== null && `${percent(cpu.averagePercent)} % on average`,
    cpu.maxPercent !== null && `${percent(cpu.maxPercent)} % at most`
  ])
  const bytes = present([
    memory.averageBytes !== null && `${megabytes(memory.averageBytes)} MB on average`,
    memory.maxBytes !== null && `${megabytes(memory.maxBytes)} MB at most`
  ])
  const parts = present([
    percents.length > 0 && `CPU ${percents.join(', ')} (100 % is one core)`,
    bytes.length > 0 && `memory ${bytes.join(', ')}`
  ])
  return parts.length > 0 && `Worker ${worker}: ${parts.join('; ')}.`
}

/** @param {ReturnType<typeof workerResources>} all */
function manyWorkers(all) {
  const average = ascending(all.map(({ cpu }) => cpu.averagePercent))
  const most = ascending(all.map(({ cpu }) => cpu.maxPercent)).at(-1) ?? null
  const mostBytes = ascending(all.map(({ memory }) => memory.maxBytes)).at(-1) ?? null
  if (average.length === 0 && most === null && mostBytes === null) return []
  return [
    `${all.length} workers: CPU ${percent(average[0] ?? null)} to ${percent(average.at(-1) ?? null)} % each on average, ${percent(most)} % at most (100 % is one core); memory ${megabytes(mostBytes)} MB at most.`
  ]
}

/** Those that are known. @param {(number | null)[]} values */
const ascending = values => values.filter(value => value !== null).sort((a, b) => a - b)

/** @param {GossipResult} result */
const carried = ({ outcome: { carriedRate } }) =>
  carriedRate != null && carriedRate.trials.length > 0 && carriedText(carriedRate)

/** @param {GossipResult} result */
function published({ plan, outcome: { messages, interArrival, lateness } }) {
  if (messages.published === 0) return null
  const [actual, planned] = [interArrival.actual, interArrival.planned].map(({ summary }) => summary)
  const pace =
    actual.avg === null
      ? ''
      : `, one every ${figure(actual.avg)} ms on average${planned.avg === null ? '' : ` (planned ${figure(planned.avg)} ms)`}`
  const late = lateness.summary.count === 0 ? '' : `; late by ${spread(lateness.summary)}`
  return `Planned ${rateText(plan)}; published ${counted(messages.published, 'message')}${pace}${late}. ${grouped(messages.bytes)} bytes of payload.`
}

/** What the numbers are is said of the first one. @param {Record<string, number>} degrees */
const degreesInWords = degrees =>
  Object.entries(degrees)
    .map(([degree, count], i) => `${degree} (${i === 0 ? oftenInWords(count) : grouped(count)})`)
    .join(', ')

/** @param {number} count */
const oftenInWords = count => (count === 1 ? 'once' : `${grouped(count)} times`)

/** @param {GossipResult} result */
function mesh({ outcome: { mesh } }) {
  const degrees =
    Object.keys(mesh.degrees).length === 0
      ? ''
      : ` Mesh peers of a node for a topic when publishing began: ${degreesInWords(mesh.degrees)}.`
  if (mesh.formedAfterMs !== null)
    return `The mesh had formed after ${significant(mesh.formedAfterMs / 1000)} s.${degrees}`
  if (degrees === '' && mesh.missing.length === 0) return null
  return `The mesh had not formed: ${mesh.missing.join('; ') || 'it was not awaited'}.${degrees}`
}

/** @param {GossipResult} result */
function topology({ outcome: { topology } }) {
  const { edgeCount, measures, dialsFailed, dialMs } = topology
  if (edgeCount + dialsFailed === 0) return null
  const shape =
    measures === null
      ? []
      : present([
          `${significant(measures.degrees.avg)} a node on average, ${measures.degrees.min} to ${measures.degrees.max}`,
          !measures.connected && `in ${grouped(measures.components)} parts`,
          measures.diameter !== null && `diameter ${measures.diameter}`,
          measures.averagePathLength !== null &&
            `average path ${significant(measures.averagePathLength)} hops`,
          `clustering ${significant(measures.averageClustering)}`
        ])
  const dials = dialMs.count === 0 ? '' : ` Dialling took ${spread(dialMs, ['p50', 'p99', 'max'])}.`
  const failed = dialsFailed === 0 ? '' : ` ${counted(dialsFailed, 'dial')} failed.`
  return `${counted(edgeCount, 'connection')}${shape.map(part => `, ${part}`).join('')}.${dials}${failed}`
}

/** @param {GossipResult} result */
function control({ outcome: { cost, counters } }) {
  if (cost.controlPerDelivery === null || cost.rpcsPerDelivery === null) return null
  const { ihaveSent, iwantSent, graftSent, pruneSent, idontwantSent } = counters
  const kinds = {
    IHAVE: ihaveSent,
    IWANT: iwantSent,
    GRAFT: graftSent,
    PRUNE: pruneSent,
    IDONTWANT: idontwantSent
  }
  const each = Object.entries(kinds).map(([name, count]) => `${grouped(count)} ${name}`)
  return `Per delivery: ${significant(cost.rpcsPerDelivery)} RPCs, ${significant(cost.controlPerDelivery)} control messages (in all ${each.join(', ')}).`
}

/** @param {GossipResult} result */
const hops = ({ outcome: { hops } }) =>
  hops.unknown > 0 &&
  `${counted(hops.unknown, 'delivery', 'deliveries')} came over nodes that the way back cannot be followed through: their hops are not known.`

/** @param {GossipResult} result */
function topics({ plan, outcome: { topics } }) {
  if (plan.topics.length < 2) return null
  const named = topics
    .slice(0, TOPICS_NAMED)
    .map(
      ({ topic, published, expected, delivered }) =>
        `${plan.topics[topic]?.name ?? topic} ${counted(published, 'message')}${expected === 0 ? '' : `, MDR ${share(delivered, expected)} %`}`
    )
  const more = topics.length - named.length
  return `Topics: ${named.join('; ')}${more > 0 ? `; and ${grouped(more)} more` : ''}.`
}

/** @param {GossipResult} result */
function rendezvous({ outcome: { rendezvous } }) {
  if (rendezvous === null) return null
  const steps = [
    ['connecting', rendezvous.connect],
    ['registering', rendezvous.register],
    ['discovering', rendezvous.discover],
    ['dialling what was found', rendezvous.dial]
  ].map(([name, summary]) => {
    const times = spread(/** @type {Summary} */ (summary), ['p50', 'p99', 'max'])
    return `${name} ${times === '' ? MISSING : times}`
  })
  const { found, bothWays, doubled } = rendezvous
  const failed = rendezvous.failed === 0 ? '' : ` ${counted(rendezvous.failed, 'step')} failed.`
  const others = found.avg === null ? '' : ` A node found ${significant(found.avg)} others on average.`
  const mutual =
    bothWays === 0
      ? ''
      : ` ${counted(bothWays, 'pair')} of nodes chose each other${doubled === null ? '' : `, ${grouped(doubled)} of them kept two connections`}.`
  return `Over the rendezvous server: ${steps.join('; ')}.${others}${mutual}${failed}`
}

/** @param {GossipResult} result */
function validation({ outcome: { counters } }) {
  const { ignored, rejected, promisesBroken, foreign } = counters
  const seen = present([
    ignored > 0 && `${grouped(ignored)} ignored`,
    rejected > 0 && `${grouped(rejected)} rejected`,
    foreign > 0 && `${grouped(foreign)} of another run`,
    promisesBroken > 0 && `${counted(promisesBroken, 'IWANT')} answered by nobody`
  ])
  return seen.length > 0 && `Messages at the nodes: ${seen.join(', ')}.`
}

/** @param {readonly ((result: GossipResult) => string | false | null)[]} lines */
const said = lines => (/** @type {GossipResult} */ result) => present(lines.map(line => line(result)))

/** GOSSIP_NOTES are the lines about a result of the gossip scenario. @type {ScenarioNotes} */
export const GOSSIP_NOTES = {
  signs: SIGNS,
  reading,
  failures: said([missing, withoutMissing, skipped, failed, refused, churn, streams, anomalies]),
  references: workers,
  further: (/** @type {any} */ result) => [
    ...namespaceNotes(result.outcome.network.namespaces, result.plan),
    ...said([carried, published, topology, mesh, rendezvous, control, validation, hops, topics])(result)
  ]
}
