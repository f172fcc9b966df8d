// The options for load from agents on other machines over a NATS bus, and rules on what can run there.
import { isLoopbackHost } from '../kit/host-address.js'
import { groupOptions, toCamelCase } from './options.js'
import { choice, path, yesOrNo } from './values.js'

/**
 * @typedef {object} BusAddress - plain values: a thread is given them too
 * @property {string} url - nats://host:port, or tls://host:port
 * @property {string | null} user
 * @property {string | null} password
 * @property {string | null} token
 * @property {string | null} credentials - path of a file of NATS's own, with a user's JWT and seed
 * @property {string | null} ca - path of the certificate that the bus's is signed by
 */

/**
 * parseBusAddress takes a URL apart, so that nothing secret of it is shown.
 *
 * @param {string} text - nats://host:4222, with user:password@ or token@ before the host
 * @param {{ credentials?: string | null, ca?: string | null }} [files]
 * @returns {BusAddress}
 */
export function parseBusAddress(text, { credentials = null, ca = null } = {}) {
  const { protocol, hostname, port, username, password } = new URL(text)
  const [name, word] = [username, password].map(part => (part === '' ? null : decodeURIComponent(part)))
  return {
    url: `${protocol}//${hostname}:${port || 4222}`,
    user: word === null ? null : name,
    password: word,
    token: word === null ? name : null,
    credentials,
    ca
  }
}

/** @param {string} text */
function isBusAddress(text) {
  try {
    parseBusAddress(text)
    return true
  } catch {
    return false
  }
}

/** Whether a bus is on this machine. @param {string} url */
const isLocalBus = url => isLoopbackHost(new URL(url).hostname)

/** @typedef {readonly Readonly<import('zod').infer<ReturnType<typeof wantedSchema>>>[]} WantedAgents */

const MAX_AGENTS = 1024

/** @param {unknown} value - of --agents */
function parseWanted(value) {
  const text = String(value).trim()
  if (/^\d+$/.test(text)) return [{ tag: null, count: Number(text) }]
  return text.split(',').map(part => {
    const [tag, count] = part.split('=')
    return { tag, count: /^\d+$/.test(count ?? '') ? Number(count) : Number.NaN }
  })
}

/** @param {import('./values.js').Zod} z */
const wantedSchema = z =>
  z.object({
    /** null: with any tags */
    tag: z.string().min(1).nullable(),
    count: z.int().min(1).max(MAX_AGENTS)
  })

/** countWantedAgents is how many agents are wanted. @param {WantedAgents} wanted */
export const countWantedAgents = wanted => wanted.reduce((sum, { count }) => sum + count, 0)

const GROUP = 'Load from several machines:'

/**
 * BUS_OPTIONS say how the bus is reached: of a run that has agents, and of an agent.
 *
 * @type {import('./plan.js').OptionTable}
 */
export const BUS_OPTIONS = groupOptions(GROUP, 'output', {
  bus: {
    allowed:
      'must be the URL of a NATS server, such as nats://192.168.1.5:4222; a password goes with a user, user:password@',
    // NATS has no password without a user
    schema: z =>
      z
        .string()
        .regex(/^(nats|tls):\/\/(?!:)[^/\s]+$/)
        .refine(isBusAddress),
    describe: 'NATS server (nats-server -js) that connects runs and agents'
  },
  busCredentials: {
    family: 'bus',
    member: 'credentials',
    ...path(),
    describe: 'file with NATS user credentials. Alternative: user:password@ or token@ in the URL'
  },
  busCa: {
    family: 'bus',
    member: 'ca',
    ...path(),
    describe: 'certificate that signed the TLS certificate of the bus'
  },
  insecure: {
    family: 'bus',
    default: false,
    ...yesOrNo(),
    describe:
      'allow a bus on another machine without credentials. Anyone who reaches it can make agents send load'
  }
})

/**
 * ADDRESS_OPTION is where others reach this machine: of an agent, and of a run that has agents.
 *
 * @type {import('./plan.js').OptionTable}
 */
export const ADDRESS_OPTION = groupOptions(GROUP, 'output', {
  address: {
    allowed: 'must be an IP address of this machine, such as 192.168.1.7',
    schema: z =>
      z
        .string()
        .trim()
        .pipe(z.union([z.ipv4(), z.ipv6()])),
    defaultText: 'the one that reaches the bus',
    describe: 'address on which this machine listens for other machines of the run'
  }
})

/** AGENT_OPTIONS of a run. @type {import('./plan.js').OptionTable} */
export const AGENT_OPTIONS = groupOptions(GROUP, 'output', {
  ...BUS_OPTIONS,
  agents: {
    allowed: `must be a number from 1 to ${MAX_AGENTS}, or numbers by tag, such as eu=2,us=2`,
    schema: z => z.preprocess(parseWanted, z.array(wantedSchema(z)).min(1)),
    describe: 'agents for the workers: number, or numbers by tag (eu=2,us=2)'
  },
  ...ADDRESS_OPTION,
  onLostAgent: {
    default: 'stop',
    ...choice(['continue', 'stop']),
    describe: 'after losing an agent: stop or continue; no other agent takes its share'
  }
})

/** findBusProblem refuses a bus on another machine that needs no credentials; null: it can be used. @param {Record<string, any>} values */
export function findBusProblem({ bus, busCredentials, insecure }) {
  if (bus == null || insecure || isLocalBus(bus)) return null
  const { password, token, credentials } = parseBusAddress(bus, { credentials: busCredentials })
  if (password !== null || token !== null || credentials !== null) return null
  return 'requires no credentials, so anyone who reaches it can make agents send load: use credentials, or --bus …,insecure=true'
}

/**
 * removeAgentOptions are options as they are kept: how agents are reached is no part of what is run, and nothing secret is kept. As many
 * workers are left as there were agents.
 *
 * @param {Record<string, unknown>} options - as typed
 * @param {{ agents?: WantedAgents | null }} output - what was made of them
 */
export function removeAgentOptions(options, { agents }) {
  const otherOptions = Object.fromEntries(
    Object.entries(options).filter(([name]) => !Object.hasOwn(AGENT_OPTIONS, toCamelCase(name)))
  )
  return agents == null ? otherOptions : { workers: countWantedAgents(agents), ...otherOptions }
}

/**
 * makeAgentConflictRule refuses an option.
 *
 * @param {string} flag
 * @param {unknown} usual - a value of it that asks for nothing
 * @returns {import('./options.js').Rule}
 */
export const makeAgentConflictRule = (flag, usual = false) => ({
  flag,
  needs: ['agents'],
  refuse: ({ agents, [flag]: value }) =>
    agents != null && value != null && value !== usual && 'does not apply with --agents'
})

/**
 * areAgentsRemote says whether agents may be on other machines, by how they are reached.
 *
 * @param {Record<string, any>} values - of bus, agents, address
 */
export const areAgentsRemote = ({ bus, agents, address }) =>
  agents != null && bus != null && !(address == null ? isLocalBus(bus) : isLoopbackHost(address))

/** makeBusRules refuse agents that cannot be reached as it is said. @returns {import('./options.js').Rule[]} */
export const makeBusRules = () => [
  { flag: 'agents', needs: ['bus'], refuse: ({ agents, bus }) => agents && !bus && 'needs --bus' },
  {
    flag: 'bus',
    needs: ['agents', 'insecure'],
    refuse: values => {
      const { bus, agents } = values
      if (bus == null) return null
      return agents == null ? 'needs --agents' : findBusProblem(values)
    }
  },
  {
    flag: 'address',
    needs: ['agents'],
    refuse: ({ address, agents }) => address != null && agents == null && 'needs --agents'
  }
]

/**
 * makeAgentRules refuse what cannot be run over agents.
 *
 * @param {string} parts - the option that says how many clients or nodes there are
 * @returns {import('./options.js').Rule[]}
 */
export const makeAgentRules = parts => [
  ...makeBusRules(),
  {
    flag: 'agents',
    needs: [parts, 'workers'],
    refuse: ({ agents, workers, ...values }) => {
      if (agents == null) return null
      const count = countWantedAgents(agents)
      if (count > values[parts]) return `must be at most --${parts} ${values[parts]}`
      return workers != null && count > workers && `must be at most --workers ${workers}`
    }
  }
]
