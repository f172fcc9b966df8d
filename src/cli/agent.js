import { once } from 'node:events'
import { ADDRESS_OPTION, BUS_OPTIONS, busProblem } from '../plan/agents-option.js'
import { busAddress } from '../plan/bus-address.js'
import { readCommandOptions } from '../plan/command-options.js'
import { rate, wholeNumber } from '../plan/values.js'
import { EXIT } from './exit-codes.js'
import { interrupts } from './interrupts.js'
import { refuse } from './refuse.js'

const GROUP = 'This machine:'

/** @param {string} allowed @returns {import('../plan/values.js').Kind} */
const words = allowed => ({
  allowed,
  schema: z =>
    z.preprocess(value => String(value).split(','), z.array(z.string().regex(/^[\w.:/-]+$/)).min(1))
})

const COMMAND_OPTIONS = {
  ...BUS_OPTIONS,
  ...ADDRESS_OPTION,
  tags: {
    group: GROUP,
    ...words('must be words with commas between, such as eu,big'),
    describe: 'by which runs choose among agents, as --agents eu=2 does'
  },
  maxClients: {
    group: GROUP,
    ...wholeNumber(1, 1_000_000),
    describe: 'clients that a run may have on this machine'
  },
  maxRate: {
    group: GROUP,
    ...rate({ max: 1e6 }),
    describe: 'operations that a run may send from this machine'
  },
  allowTargets: {
    group: GROUP,
    ...words('must be hosts, addresses or networks with commas between, such as 10.0.0.0/8,192.168.1.5'),
    describe:
      'servers that may be load-tested from here; without it none with a public address, unless a run says --iOwnTheTarget'
  }
}

/** @type {import('./arguments.js').CommandHelp} */
export const AGENT = {
  options: COMMAND_OPTIONS,
  examples: /** @type {[string, string][]} */ ([
    ['on each machine that is to send load', 'agent --bus nats://token@192.168.1.5:4222'],
    [
      'one of those in Europe, for at most 500 clients',
      'agent --bus nats://token@bus:4222 --tags eu --maxClients 500'
    ],
    ['for one server only', 'agent --bus nats://token@bus:4222 --allowTargets 192.168.1.7']
  ]),
  epilogue:
    'It runs plans that come over the bus, until Ctrl-C, one at a time, and takes neither code nor paths from there.'
}

/**
 * agentCommand holds workers for runs that are made elsewhere, until it is told to stop.
 *
 * @param {import('./arguments.js').Arguments} args
 * @param {import('./surroundings.js').Surroundings} surroundings
 * @returns {Promise<number>} exit code
 */
export async function agentCommand({ options, words: more }, surroundings) {
  const { own, problems } = readCommandOptions(COMMAND_OPTIONS, options)
  const all = [...problems, ...strays(more), ...busProblems(own, problems)]
  if (all.length > 0) return refuse('agent', all, surroundings)
  const { stdout, stderr, process, version } = surroundings
  const { Agent } = await import('../agents/agent.js')
  const { signal, release } = interrupts(process, () => stderr.write('stopping\n'))
  const { bus, busCredentials: credentials, busCa: ca, tags = [], maxClients, maxRate, allowTargets } = own
  const address = busAddress(bus, { credentials, ca })
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
    return refuse('agent', [{ flag: code === 'BUS' ? '--bus' : '--address', value, allowed }], surroundings)
  } finally {
    release()
  }
}

/** @param {readonly string[]} more */
export const strays = more => more.map(word => ({ flag: word, value: '', allowed: 'has no use here' }))

/**
 * busProblems says what keeps a command from using the bus that it is given.
 *
 * @param {Record<string, any>} own
 * @param {readonly unknown[]} problems - of its options
 */
export function busProblems(own, problems) {
  if (problems.length > 0) return []
  const allowed = own.bus == null ? 'must be given, such as nats://192.168.1.5:4222' : busProblem(own)
  return allowed === null ? [] : [{ flag: '--bus', value: own.bus ?? '', allowed }]
}
