// The output of a dry run: which plans a command would run, what they would start and contact, and their estimated cost.
import { countWorkers } from '../agents/placement.js'
import { computeSum, omitMissing } from '../kit/collections.js'
import { formatCount, formatDuration, formatWhole } from '../kit/numbers.js'
import { countWantedAgents, parseBusAddress } from '../plan/agents.js'
import { loadViews, makePlanCommandLine } from '../report/run-report.js'
import { wrapForTerminal } from '../report/text.js'
import { EXIT } from './exit.js'

/**
 * @typedef {import('../scenarios/index.js').AnyPlan} AnyPlan
 * @typedef {import('../plan/plan.js').Output} Output
 *
 * @typedef {object} DryRunArguments
 * @property {readonly AnyPlan[]} plans - one for each run
 * @property {Readonly<Output>} output
 * @property {boolean} [grows] - more runs follow, which depend on the results of these plans
 * @property {string | null} [folder] - of a study that is resumed
 * @property {number} [parallel] - so many runs at a time
 */

/** More plans than these are only counted. */
const MAX_LISTED = 12

/** Approximate memory in bytes, for an estimate. */
const BYTES = {
  process: 90e6,
  registration: 800,
  client: 1e6,
  node: 6.5e6,
  simulatedNode: 1.5e6,
  cachedMessage: 550
}
/** How long a node remembers a message. */
const MESSAGE_CACHE_SECONDS = 120

/** Where servers run. @type {Readonly<Record<string, string>>} */
const PLACES = { docker: 'in Docker', auto: 'in Docker if it is running, else in a process' }
/** Networks of a run other than the loopback interface. @type {Readonly<Record<string, string>>} */
const NETWORKS = { namespaces: 'network namespaces of the run', docker: 'containers of the run' }

/** @param {any} plan */
const targetsOf = ({ target = null, targets = null }) => targets ?? (target === null ? [] : [target])

/** Whether a run starts a server. Nodes of a gossip network use one only to find each other; a custom scenario starts what it needs. @param {any} plan */
const hasServer = plan =>
  targetsOf(plan).length === 0 &&
  !('commandLine' in plan) &&
  (plan.nodes === undefined || plan.topology.kind === 'rendezvous')

/** @param {any} plan */
const containersOf = ({ network, nodes, nodesPerContainer }) =>
  network === 'docker' ? Math.ceil(nodes / (nodesPerContainer ?? 1)) : 0

/** What a run starts besides this process. @param {any} plan @returns {string[]} */
function startsOf(plan) {
  const { servers = 1, store, server } = plan
  const containers = containersOf(plan)
  const place = servers > 1 || store === 'postgres' ? 'in processes' : (PLACES[server] ?? 'in a process')
  return omitMissing([
    hasServer(plan) && `${formatCount(servers, 'server')} ${place}`,
    store === 'postgres' && '1 PostgreSQL',
    containers > 0
      ? formatCount(containers, 'container')
      : formatCount(countWorkers(plan), 'worker process', 'worker processes')
  ])
}

/** @param {any} plan @returns {number} bytes, about */
function memoryOf(plan) {
  const { nodes = 0, nClients = 0, initialRegistrations = 0, servers = 1, network, intervalMs } = plan
  const processes = Number(hasServer(plan)) * servers + (containersOf(plan) || countWorkers(plan))
  const rate = plan.ratePerSecond ?? (nodes === 0 ? 0 : (2000 * nodes) / (intervalMs.min + intervalMs.max))
  const cachedMessages = Math.min(plan.messages ?? Number.POSITIVE_INFINITY, rate * MESSAGE_CACHE_SECONDS)
  return (
    (1 + processes) * BYTES.process +
    initialRegistrations * BYTES.registration +
    nClients * BYTES.client +
    nodes *
      ((network === 'simulated' ? BYTES.simulatedNode : BYTES.node) + cachedMessages * BYTES.cachedMessage)
  )
}

/** @param {any} plan @returns {string[]} addresses */
function contactsOf(plan) {
  const { network, server, store = '', otlpEndpoint = null } = plan
  const targets = targetsOf(plan)
  if (network === 'simulated') return []
  if ('commandLine' in plan && targets.length === 0) return ['what the scenario names']
  return omitMissing([
    ...(targets.length > 0 ? targets : [NETWORKS[network] ?? '127.0.0.1']),
    (network === 'docker' || (hasServer(plan) && server in PLACES)) && 'the Docker engine',
    store.startsWith('postgres:') && store,
    otlpEndpoint !== null && otlpEndpoint
  ])
}

/** @param {DryRunArguments} asked @param {import('../scenarios/index.js').LoadScenario} find */
async function described({ plans, output, folder = null, grows = false, parallel = 1 }, find) {
  const { agents, bus, outputDir } = output
  const files = [output.outputFile, output.deliveriesFile, output.junit]
  const viewOf = await loadViews(plans, find)
  const runs = [...new Set(plans)].map(plan => {
    const view = viewOf(plan)
    const times = plans.filter(each => each === plan).length
    const { scenario } = view
    const estimateMs = scenario.endless?.(plan) ? null : scenario.estimateMs(plan)
    const commandLine = makePlanCommandLine(plan, scenario)
    return { times, commandLine, does: view.describePlan(plan).what, estimateMs, plan }
  })
  const [largest] = plans.toSorted((a, b) => memoryOf(b) - memoryOf(a))
  return {
    runs,
    starts: omitMissing([
      ...(largest === undefined ? [] : startsOf(largest)),
      agents != null && `workers on ${formatCount(countWantedAgents(agents), 'agent')}`
    ]),
    contacts: [
      ...new Set(omitMissing([...plans.flatMap(contactsOf), bus != null && parseBusAddress(bus).url]))
    ],
    estimateMs: runs.some(({ estimateMs }) => estimateMs === null)
      ? null
      : computeSum(runs, run => run.times * Number(run.estimateMs)) / parallel,
    moreRunsFollow: grows,
    memoryBytes: largest === undefined ? 0 : parallel * memoryOf(largest),
    writes: omitMissing([folder ?? `a folder in ${outputDir}`, ...files.map(file => file ?? false)])
  }
}

/**
 * formatDryRun writes what would be done.
 *
 * @param {readonly (readonly [heading: string, ...lines: string[]])[]} parts
 */
export const formatDryRun = parts =>
  `Nothing was started.\n${parts
    .flatMap(([heading, ...lines]) =>
      lines.map((line, i) => `${(i === 0 ? heading : '').padEnd(10)}${line}\n`)
    )
    .join('')}`

/** @param {Awaited<ReturnType<typeof described>>} described */
function textOf({ runs, starts, contacts, estimateMs, moreRunsFollow, memoryBytes, writes }) {
  const several = runs.length > 1 || runs.some(({ times }) => times > 1)
  const listed = runs
    .slice(0, MAX_LISTED)
    .flatMap(({ times, commandLine, does }) => [
      several ? `${times} × ${commandLine}` : commandLine,
      `  ${does}`
    ])
  const left = runs.length - MAX_LISTED
  const takes = estimateMs === null ? 'until it is interrupted' : `about ${formatDuration(estimateMs)}`
  return formatDryRun([
    [
      'Plan',
      ...(runs.length === 0 ? ['no run is left'] : listed),
      ...(left > 0 ? [`… and ${left} more plans`] : [])
    ],
    ['Starts', `${several ? 'for the largest run ' : ''}${starts.join('; ') || 'nothing'}`],
    ['Contacts', contacts.join(', ') || 'nothing'],
    ['Takes', moreRunsFollow ? `${takes}, and further runs that depend on these` : takes],
    ['Memory', `about ${formatWhole(memoryBytes / 1e6)} MB`],
    ['Writes', writes.join(', ')]
  ])
}

/**
 * showDryRun shows the plans of a command, what they start and contact, and what they cost. Nothing is started.
 *
 * @param {DryRunArguments} args
 * @param {Pick<import('./index.js').ProcessIo, 'stdout' | 'findScenario'>} io
 * @returns {Promise<number>} exit code
 */
export async function showDryRun(args, { stdout, findScenario }) {
  const document = await described(args, findScenario)
  stdout.write(
    args.output.json ? `${JSON.stringify(document, null, 2)}\n` : wrapForTerminal(textOf(document), stdout)
  )
  return EXIT.DONE
}
