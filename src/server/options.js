// The table of the server's options, from which flags, environment variables, validation and help are made. Also
// explains addresses that cannot be listened on.
import { existsSync, readFileSync } from 'node:fs'
import { networkInterfaces } from 'node:os'
import {
  findLoopbackHost,
  formatMultiaddrHost,
  formatSingleAddressNetwork,
  hidePasswords,
  LOOPBACK_NETWORKS
} from '../kit/host-address.js'
import { formatProblems } from '../kit/option-problems.js'
import { DEFAULT_STACK, describeMissingPackages, STACKS } from '../libp2p/stacks.js'
import { listMembers, nameOption, unfoldFamilies } from '../plan/options.js'
import { getKindSchema } from '../plan/schema.js'
import { choice, duration, notSpoken, path, seconds, size, wholeNumber, yesOrNo } from '../plan/values.js'
import { LIMITS, PERF_LIMITS } from './limits.js'
import { readStoreAddress } from './store.js'

const IN_DOCKER = '/.dockerenv'
const LINKS = '/sys/class/net'

/** Access to the machine. @typedef {{ read: (file: string) => string, inDocker: () => boolean, interfaces: () => NodeJS.Dict<{ address: string, internal: boolean }[]> }} Machine */

/** @type {Machine} */
const THIS_MACHINE = {
  read: file => readFileSync(file, 'utf8'),
  inDocker: () => existsSync(IN_DOCKER),
  interfaces: networkInterfaces
}

/**
 * findOwnNetworks finds the networks, as multiaddrs, from which only this machine connects: loopback, and each single address of its
 * interfaces. In a Docker container the gateway of its network is one of them: connections from the host come from there.
 *
 * @param {Machine} [machine]
 * @returns {string[]}
 */
export function findOwnNetworks(machine = THIS_MACHINE) {
  const own = Object.values(machine.interfaces())
    .flatMap(addresses => addresses ?? [])
    .filter(({ internal }) => !internal)
    .map(({ address }) => address)
  return [
    ...LOOPBACK_NETWORKS,
    ...new Set([...own, ...findGateways(machine)].map(formatSingleAddressNetwork))
  ]
}

/**
 * The gateway is trusted only behind a pair of virtual interfaces that an engine made. In the host's own network, and on one of its cards
 * (macvlan), it is a router, through which other machines connect.
 *
 * @param {Machine} machine
 */
function findGateways({ read, inDocker }) {
  if (!inDocker()) return []
  return [...ipv4Gateways(text('/proc/net/route')), ...ipv6Gateways(text('/proc/net/ipv6_route'))]
    .filter(({ link }) => isPair(link))
    .map(({ gateway }) => gateway)

  /** @param {string} file */
  function text(file) {
    try {
      return read(file)
    } catch {
      return ''
    }
  }

  /** @param {string} link */
  function isPair(link) {
    const [index, peer] = ['ifindex', 'iflink'].map(name => text(`${LINKS}/${link}/${name}`))
    return peer !== '' && index !== peer && !text(`${LINKS}/${link}/uevent`).includes('DEVTYPE=')
  }
}

/** @param {string} table */
const rowsOf = table => table.split('\n').map(line => line.trim().split(/\s+/))

const ANY_IPV4 = '0'.repeat(8)
const ANY_IPV6 = '0'.repeat(32)

/** Default routes of /proc/net/route, where the bytes of an address are in reverse order. @param {string} table */
const ipv4Gateways = table =>
  rowsOf(table).flatMap(([link, destination, gateway]) =>
    destination === ANY_IPV4 && /^[\dA-F]{8}$/.test(gateway) && gateway !== ANY_IPV4
      ? [{ link, gateway: [...Buffer.from(gateway, 'hex')].reverse().join('.') }]
      : []
  )

/** Default routes of /proc/net/ipv6_route. @param {string} table */
const ipv6Gateways = table =>
  rowsOf(table).flatMap(([destination, bits, , , gateway, , , , , link]) =>
    destination === ANY_IPV6 && bits === '00' && gateway && gateway !== ANY_IPV6
      ? [{ link, gateway: gateway.match(/.{4}/g)?.join(':') ?? '' }]
      : []
  )

/**
 * @typedef {import('../plan/plan.js').Problem} Problem
 *
 * @typedef {object} OptionText
 * @property {string} describe
 * @property {unknown} [default] - as typed; undefined: none
 * @property {string} [key] - its key in ServerOptions, if that has a unit
 * @property {string} [family] - the option that holds it, by its name
 * @property {boolean} [common] - among the few that the short help shows
 * @property {boolean} [unlisted] - given by our own programs alone
 *
 * @typedef {OptionText & import('../plan/values.js').OptionValueKind} ServerOption
 *
 * @typedef {import('./limits.js').Limits & import('./limits.js').PerfLimits & {
 *   listen: string[],
 *   announce: string[],
 *   unlimitedFrom: string[],
 *   onlyFrom: string[],
 *   storeAddress: import('./store.js').StoreAddress,
 *   storeConnections: number,
 *   maxStoreBytes?: number,
 *   httpHost: string,
 *   httpPort: number,
 *   httpFromParent: boolean,
 *   keyFile?: string,
 *   keySeed?: number,
 *   logLevel: string,
 *   stack: string,
 *   stock: boolean,
 *   replyDelayMs: number,
 *   control: boolean,
 *   stopWithInput: boolean,
 *   perf: boolean
 * }} ServerOptions
 */

const ENV_PREFIX = 'RENDEZVOUS_'

/** @param {unknown} value @returns {string[]} */
const splitList = value =>
  (Array.isArray(value) ? value : [value])
    .flatMap(item => String(item).split(','))
    .map(item => item.trim())
    .filter(item => item !== '')

/** isNetwork says whether a multiaddr is of IP addresses. @param {string} text */
export const isNetwork = text => /^\/ip[46]\//.test(text)

/** @param {unknown} value @returns {string | undefined} the first unsupported protocol */
const findUnsupported = value => splitList(value).flatMap(text => notSpoken(text) ?? [])[0]

/** @param {string} example @param {(text: string) => boolean} [fits] @returns {import('../plan/values.js').OptionValueKind} */
const multiaddrs = (example, fits = () => true) => ({
  allowed: `must be multiaddrs, joined by commas, such as ${example}`,
  schema: (z, { isMultiaddr }) =>
    z.preprocess(splitList, z.array(z.string().refine(text => isMultiaddr(text) && fits(text))))
})

const OWN = 'own'

/** Networks as multiaddrs, with OWN for the networks of this machine. @returns {import('../plan/values.js').OptionValueKind} */
const networksOrOwn = () => ({
  allowed: `must be networks as multiaddrs, such as /ip4/10.0.0.0/ipcidr/8, or ${OWN} for this machine, joined by commas`,
  schema: (z, { isMultiaddr }) =>
    z.preprocess(
      value => splitList(value).flatMap(word => (word === OWN ? findOwnNetworks() : [word])),
      z.array(z.string().refine(text => isMultiaddr(text) && isNetwork(text)))
    )
})

/**
 * SERVER_OPTIONS is the table of the server's options, from which flags, environment variables, validation and --help are made. Defaults are
 * recommendations of the specification if it has one.
 *
 * @type {Readonly<Record<string, Readonly<ServerOption>>>}
 */
export const SERVER_OPTIONS = Object.freeze({
  listen: {
    common: true,
    default: `${formatMultiaddrHost(findLoopbackHost())}/tcp/8000`,
    ...multiaddrs(
      '/ip4/0.0.0.0/tcp/8000',
      text => text.includes('/tcp/') && findUnsupported(text) === undefined
    ),
    why: value =>
      findUnsupported(value) &&
      `${findUnsupported(value)}: name TCP addresses, such as /ip4/0.0.0.0/tcp/8000`,
    describe: 'TCP addresses to listen on; port 0: any free port'
  },
  announce: {
    default: '',
    ...multiaddrs('/ip4/192.0.2.1/tcp/8000'),
    describe: 'addresses to advertise instead; for a NAT or container'
  },
  httpHost: {
    default: findLoopbackHost(),
    allowed: 'must be a host name or an IP address',
    schema: z => z.string().trim().min(1),
    describe: 'address of /metrics and /healthz'
  },
  httpPort: {
    common: true,
    default: 8003,
    ...wholeNumber(0, 65_535),
    describe: 'port of /metrics and /healthz; 0: any free port'
  },
  httpFromParent: {
    unlisted: true,
    default: false,
    ...yesOrNo(),
    describe:
      'take the listening HTTP socket from the parent process; reachable from outside a network namespace'
  },
  minTtl: {
    family: 'limits',
    default: '2h',
    ...seconds({ min: '1s', max: '365d' }),
    key: 'minTtlSeconds',
    describe: 'minimum time to live of a registration'
  },
  maxTtl: {
    family: 'limits',
    default: '72h',
    ...seconds({ min: '1s', max: '365d' }),
    key: 'maxTtlSeconds',
    describe: 'maximum time to live of a registration'
  },
  maxNamespaceLength: {
    family: 'limits',
    default: LIMITS.maxNamespaceBytes,
    ...size({ min: '1', max: '4KiB' }),
    key: 'maxNamespaceBytes',
    describe: 'maximum length of a namespace'
  },
  maxDiscoverLimit: {
    family: 'limits',
    default: LIMITS.maxDiscoverLimit,
    ...wholeNumber(1, 1_000_000),
    describe: 'maximum registrations per reply, which also stays below 1 MiB'
  },
  store: {
    common: true,
    default: 'memory',
    key: 'storeAddress',
    allowed: 'must be memory or postgres://user@host/database, which docs/server.md says how to start',
    schema: z =>
      z.preprocess(
        readStoreAddress,
        z.custom(address => address !== undefined)
      ),
    describe: 'where registrations are kept; memory, or postgres://… shared by servers. See docs/server.md'
  },
  storeConnections: {
    family: 'limits',
    default: 16,
    ...wholeNumber(1, 1000),
    describe: 'maximum database connections, with --store postgres://…'
  },
  maxPeerRegistrations: {
    family: 'limits',
    default: LIMITS.maxPeerRegistrations,
    ...wholeNumber(1, 100_000_000),
    describe: 'maximum registrations per peer'
  },
  maxRegistrations: {
    family: 'limits',
    default: LIMITS.maxRegistrations,
    ...wholeNumber(1, 100_000_000),
    describe: 'maximum registrations'
  },
  maxStoreBytes: {
    family: 'limits',
    ...size({ min: '1MB', max: '1TiB' }),
    describe: 'maximum memory of --store memory (default: a quarter of all memory)'
  },
  maxMessageBytes: {
    family: 'limits',
    default: LIMITS.maxMessageBytes,
    ...size({ min: '256', max: '1MiB' }),
    describe: 'maximum size of a request'
  },
  maxStreams: {
    family: 'limits',
    default: LIMITS.maxStreams,
    ...wholeNumber(1, 1000),
    describe: 'maximum streams of the protocol per connection'
  },
  streamIdleTimeout: {
    family: 'limits',
    default: '60s',
    ...duration({ min: '10ms' }),
    key: 'streamIdleTimeoutMs',
    describe: 'time without a request after which a stream is reset'
  },
  unlimitedFrom: {
    common: true,
    default: OWN,
    ...networksOrOwn(),
    describe:
      "networks whose clients have no limits; needed for load tests with --target, such as own,/ip4/192.168.1.7. own: this machine's addresses and, in Docker, its network's gateway. '': none"
  },
  onlyFrom: {
    common: true,
    default: '',
    ...multiaddrs('/ip4/10.0.0.0/ipcidr/8', isNetwork),
    describe: "networks that may connect; other connections are closed at once. '': all"
  },
  keyFile: {
    common: true,
    ...path(),
    describe: 'file of the identity, created if missing; default: a new identity'
  },
  keySeed: {
    ...wholeNumber(0, 4_294_967_295),
    describe: 'derive the identity from this number; for tests only: anyone can derive it'
  },
  logLevel: {
    common: true,
    default: 'info',
    ...choice(['trace', 'debug', 'info', 'warn', 'error', 'silent']),
    describe: 'level of logs on stderr; a JSON object per line'
  },
  replyDelay: {
    default: '0',
    ...duration({ max: '10s' }),
    key: 'replyDelayMs',
    describe: 'delay of every reply; for testing tools that measure the server'
  },
  stack: {
    common: true,
    default: DEFAULT_STACK,
    ...choice([...STACKS.keys()]),
    describe: `libp2p generation: ${[...STACKS.keys()].join(' or ')}`
  },
  stock: {
    common: true,
    default: false,
    ...yesOrNo(),
    describe:
      "run js-libp2p as published, without our changes; slower, with only libp2p's limits before a request. See docs/rendezvous.md"
  },
  control: {
    default: false,
    ...yesOrNo(),
    describe: 'also serve /control; load testers use it to add registrations unchecked'
  },
  stopWithInput: {
    unlisted: true,
    default: false,
    ...yesOrNo(),
    describe: 'stop when standard input ends; in a container: when the process that started it exits'
  },
  perf: {
    common: true,
    default: false,
    ...yesOrNo(),
    describe:
      'serve /perf/1.0.0 instead of rendezvous; for perf --target. See docs/transfer.md#a-server-of-perf'
  },
  maxPerfBytes: {
    family: 'limits',
    default: '64GiB',
    ...size({ min: '1kB', max: '1TiB' }),
    describe: 'maximum bytes per direction of a request, with --perf'
  },
  perfTimeout: {
    family: 'limits',
    default: '10m',
    ...duration({ min: '1s', max: '24h' }),
    key: 'perfTimeoutMs',
    describe: 'time after which a request is reset, with --perf'
  },
  maxPerfStreams: {
    family: 'limits',
    default: PERF_LIMITS.maxPerfStreams,
    ...wholeNumber(1, 1_000_000),
    describe: 'maximum requests in progress in all, with --perf'
  }
})

/** Options of both kinds of server. */
const OF_BOTH = [
  'listen',
  'announce',
  'unlimitedFrom',
  'keyFile',
  'keySeed',
  'logLevel',
  'stack',
  'stopWithInput',
  'maxStreams'
]

const OF_PERF = ['perf', 'maxPerfBytes', 'perfTimeout', 'maxPerfStreams']

/** ServerOptionsError reports all problems of the options. */
export class ServerOptionsError extends Error {
  name = 'ServerOptionsError'
  code = 'ERR_SERVER_OPTIONS'

  /** @param {Problem[]} problems */
  constructor(problems) {
    super(formatProblems(problems))
    this.problems = problems
  }
}

/**
 * makeEnvironmentName gives the environment variable of an option.
 *
 * @param {string} name
 * @returns {string} for example RENDEZVOUS_HTTP_PORT
 */
export const makeEnvironmentName = name =>
  ENV_PREFIX + name.replace(/[A-Z]/g, letter => `_${letter}`).toUpperCase()

/**
 * readServerOptions validates the options of a server. A flag takes precedence over its environment variable, which takes precedence over
 * the default.
 *
 * @param {Record<string, unknown>} [typed] - by name
 * @param {Record<string, string | undefined>} [env]
 * @returns {Readonly<ServerOptions>}
 * @throws {ServerOptionsError} with all problems
 */
export function readServerOptions(typed = {}, env = {}) {
  /** @type {Problem[]} */
  const problems = []
  /** @type {Record<string, any>} */
  const options = { ...LIMITS, ...PERF_LIMITS }
  const unfolded = unfoldFamilies(typed, SERVER_OPTIONS)
  /** @type {Record<string, unknown>} */
  const flags = {}
  for (const { name, raw } of unfolded)
    flags[name] = flags[name] === undefined ? raw : [flags[name], raw].flat()
  for (const [name, option] of Object.entries(SERVER_OPTIONS)) {
    const variable = makeEnvironmentName(name)
    const isFromEnv = flags[name] === undefined && env[variable] !== undefined
    const flag = isFromEnv ? variable : `--${nameOption(name, option)}`
    const { [name]: raw = isFromEnv ? env[variable] : option.default } = flags
    if (raw === undefined) continue
    const { success, data } = getKindSchema(option).safeParse(raw)
    if (success) options[option.key ?? name] = data
    else {
      const allowed = option.why?.(raw) ?? option.allowed
      problems.push({ flag, value: hidePasswords(String(raw)), allowed })
    }
  }
  for (const { name, family } of unfolded) {
    if (Object.hasOwn(SERVER_OPTIONS, name)) continue
    const members = family === undefined ? [] : listMembers(SERVER_OPTIONS, family)
    const allowed = family === undefined ? 'is not an option' : `must be one of ${members.join(', ')}`
    problems.push({ flag: family === undefined ? `--${name}` : `--${family} ${name}`, value: '', allowed })
  }
  problems.push(...findContradictions(options), ...findUselessFlags(options, flags))
  if (problems.length > 0) throw new ServerOptionsError(problems)
  return Object.freeze(/** @type {ServerOptions} */ (options))
}

/**
 * Finds flags of the other kind of server, which would have no effect.
 *
 * @param {Record<string, any>} options
 * @param {Record<string, unknown>} flags
 * @returns {Problem[]}
 */
function findUselessFlags({ perf }, flags) {
  const has = (/** @type {string} */ name) =>
    perf ? [...OF_PERF, ...OF_BOTH].includes(name) : name === 'perf' || !OF_PERF.includes(name)
  return Object.entries(flags)
    .filter(([name, value]) => value !== undefined && Object.hasOwn(SERVER_OPTIONS, name) && !has(name))
    .map(([name, value]) => ({
      flag: `--${nameOption(name, SERVER_OPTIONS[name])}`,
      value: String(value),
      allowed: perf ? 'applies to a rendezvous server only, not with --perf' : 'needs --perf'
    }))
}

/** @param {Record<string, any>} options @returns {Problem[]} */
function findContradictions(options) {
  const { minTtlSeconds, maxTtlSeconds, keyFile, keySeed, stack } = options
  /** @type {Problem[]} */
  const problems = []
  const { storeAddress, maxStoreBytes, maxNamespaceBytes } = options
  if (storeAddress !== undefined && storeAddress.kind !== 'memory') {
    if (maxStoreBytes !== undefined) {
      const allowed = 'applies to --store memory only: a database is limited by its disk'
      problems.push({ flag: '--limits maxStoreBytes', value: String(maxStoreBytes), allowed })
    }
    if (maxNamespaceBytes > MAX_INDEXED) {
      const allowed = `must be at most ${MAX_INDEXED} with a store other than memory`
      problems.push({ flag: '--limits maxNamespaceLength', value: String(maxNamespaceBytes), allowed })
    }
  }
  const lacking = stack === undefined ? null : describeMissingPackages(stack)
  if (lacking !== null) problems.push({ flag: '--stack', value: stack, allowed: lacking })
  if (minTtlSeconds > maxTtlSeconds) {
    const allowed = `must be at most maxTtl, which is ${maxTtlSeconds}s`
    problems.push({ flag: '--limits minTtl', value: `${minTtlSeconds}s`, allowed })
  }
  if (keyFile !== undefined && keySeed !== undefined) {
    const allowed = 'cannot be given together with --keyFile'
    problems.push({ flag: '--keySeed', value: String(keySeed), allowed })
  }
  return problems
}

/** Entries of an index of PostgreSQL have at most 2,704 bytes. */
const MAX_INDEXED = 2048

/** ListenError reports the addresses that a server could not listen on, with the reasons. */
export class ListenError extends Error {
  name = 'ListenError'
  code = 'CANNOT_LISTEN'
}

/**
 * makeListenError makes a short error of the error of a server that could not listen: libp2p puts all failed addresses into one text, each with
 * a stack trace.
 *
 * @param {unknown} thrown
 * @param {string} flag - the option that chooses another address
 * @returns {unknown} a ListenError, or `thrown` if that has another reason
 */
export function makeListenError(thrown, flag) {
  const { message = '' } = /** @type {Partial<Error>} */ (thrown)
  const failures = [...message.matchAll(/\blisten (E[A-Z]+: .+)$/gm)].map(([, why]) => why)
  if (failures.length === 0) return thrown
  return new ListenError(`cannot listen: ${failures.join('; ')}. Choose another address with ${flag}`)
}
