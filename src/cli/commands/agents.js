// The `agent` command, which runs workers for runs of other machines, and the `agents` command, which lists the agents
// on a NATS bus.
import { once } from 'node:events'
import { ADDRESS_OPTION, BUS_OPTIONS, findBusProblem, parseBusAddress } from '../../plan/agents.js'
import { OUTPUT_OPTIONS } from '../../plan/options.js'
import { parseCommandOptions } from '../../plan/plan.js'
import { rate, wholeNumber } from '../../plan/values.js'
import { catchSignals, EXIT, makeStrayWordProblems, refuse } from '../exit.js'

const GROUP = 'This machine:'

/** @param {string} allowed @returns {import('../../plan/values.js').OptionValueKind} */
const wordList = allowed => ({
  allowed,
  schema: z =>
    z.preprocess(value => String(value).split(','), z.array(z.string().regex(/^[\w.:/-]+$/)).min(1))
})

const AGENT_OPTIONS = {
  ...BUS_OPTIONS,
  ...ADDRESS_OPTION,
  tags: {
    group: GROUP,
    ...wordList('must be words with commas between, such as eu,big'),
    describe: 'tags by which runs choose agents, as in --agents eu=2'
  },
  maxClients: {
    family: 'limits',
    group: GROUP,
    ...wholeNumber(1, 1_000_000),
    describe: 'maximum clients of a run on this machine'
  },
  maxRate: {
    family: 'limits',
    group: GROUP,
    ...rate({ max: 1e6 }),
    describe: "maximum rate of a run's operations from this machine"
  },
  allowTargets: {
    group: GROUP,
    ...wordList('must be hosts, addresses or networks with commas between, such as 10.0.0.0/8,192.168.1.5'),
    describe:
      'servers that may be load-tested from here; default: none with a public address, unless a run says --iOwnTheTarget'
  }
}

/** @type {import('../command-line.js').CommandHelp} */
export const AGENT = {
  options: AGENT_OPTIONS,
  examples: /** @type {[string, string][]} */ ([
    ['on each machine that sends load', 'agent --bus nats://token@192.168.1.5:4222'],
    ['in Europe, at most 500 clients', 'agent --bus nats://token@bus:4222 --tags eu --limits maxClients=500'],
    ['for one server only', 'agent --bus nats://token@bus:4222 --allowTargets 192.168.1.7']
  ]),
  epilogue: 'Runs plans from the bus until Ctrl-C, one at a time. Accepts neither code nor paths.'
}

/**
 * agentCommand runs workers for runs of other machines, until it is interrupted.
 *
 * @param {import('../command-line.js').Arguments} args
 * @param {import('../index.js').ProcessIo} io
 * @returns {Promise<number>} exit code
 */
export async function agentCommand({ options, words }, io) {
  const { own, problems } = parseCommandOptions(AGENT_OPTIONS, options)
  const all = [...problems, ...makeStrayWordProblems(words), ...busProblems(own, problems)]
  if (all.length > 0) return refuse('agent', all, io)
  const { stdout, stderr, process, version } = io
  const { Agent } = await import('../../agents/agent.js')
  const { signal, release } = catchSignals(process, () => stderr.write('stopping\n'))
  const { bus, busCredentials: credentials, busCa: ca, tags = [], maxClients, maxRate, allowTargets } = own
  const address = parseBusAddress(bus, { credentials, ca })
  try {
    const agent = await Agent.start({
      address,
      ownAddress: own.address ?? null,
      tags,
      limits: {
        maxClients: maxClients ?? null,
        maxRate: maxRate ?? null,
        allowTargets: allowTargets ?? null
      },
      version,
      say: text => void stdout.write(`${text}\n`)
    })
    stdout.write(`agent ${agent.card.id} is ready at ${address.url}, on ${agent.card.address}\n`)
    if (!signal.aborted) await once(signal, 'abort')
    await agent.stop()
    return EXIT.DONE
  } catch (error) {
    const { code = '', message: allowed } = /** @type {Error & { code?: string }} */ (error)
    const value = { BUS: address.url, NO_ADDRESS: own.address ?? '' }[code]
    if (value === undefined) throw error
    return refuse('agent', [{ flag: code === 'BUS' ? '--bus' : '--address', value, allowed }], io)
  } finally {
    release()
  }
}

/**
 * Finds what keeps a command from using the bus.
 *
 * @param {Record<string, any>} own
 * @param {readonly unknown[]} problems - of its options
 */
function busProblems(own, problems) {
  if (problems.length > 0) return []
  const allowed = own.bus == null ? 'must be given, such as nats://192.168.1.5:4222' : findBusProblem(own)
  return allowed === null ? [] : [{ flag: '--bus', value: own.bus ?? '', allowed }]
}

const AGENTS_OPTIONS = {
  ...BUS_OPTIONS,
  json: { ...OUTPUT_OPTIONS.json, describe: 'print only the agents, as JSON' }
}

/** @type {import('../command-line.js').CommandHelp} */
export const AGENTS = {
  options: AGENTS_OPTIONS,
  examples: /** @type {[string, string][]} */ ([
    ['available agents', 'agents --bus nats://192.168.1.5:4222']
  ]),
  epilogue: "Clocks are compared with this machine's; each counts from its machine's start."
}

/**
 * agentsCommand lists the agents on a bus.
 *
 * @param {import('../command-line.js').Arguments} args
 * @param {import('../index.js').ProcessIo} io
 * @returns {Promise<number>} exit code
 */
export async function agentsCommand({ options, words }, io) {
  const { own, problems } = parseCommandOptions(AGENTS_OPTIONS, options)
  const all = [...problems, ...makeStrayWordProblems(words), ...busProblems(own, problems)]
  if (all.length > 0) return refuse('agents', all, io)
  const { stdout, stderr } = io
  const address = parseBusAddress(own.bus, { credentials: own.busCredentials, ca: own.busCa })
  const { listAgentsWithClocks: agentsOn, formatAgentTable: agentTable } = await import(
    '../../agents/agent-list.js'
  )
  try {
    const agents = await agentsOn(address, text => void stderr.write(`${text}\n`))
    const text = agents.length === 0 ? `no agents at ${address.url}` : agentTable(agents)
    stdout.write(own.json ? `${JSON.stringify(agents, null, 2)}\n` : `${text}\n`)
    return EXIT.DONE
  } catch (error) {
    const { code, message } = /** @type {Error & { code?: string }} */ (error)
    if (code !== 'BUS') throw error
    return refuse('agents', [{ flag: '--bus', value: address.url, allowed: message }], io)
  }
}
