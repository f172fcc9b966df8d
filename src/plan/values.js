// The kinds of option values, such as durations, rates, sizes or addresses: each parses and checks the text that was
// typed.
import ms from 'ms'
import { formatSize, formatWhole, parseBytes, parseDecimal } from '../kit/numbers.js'

/**
 * @typedef {typeof import('zod').z} Zod
 * @typedef {typeof import('./addresses.js')} Addresses
 *
 * @typedef {object} OptionValueKind - what an option's value may be
 * @property {(z: Zod, addresses: Addresses) => import('zod').ZodType} schema - made by whoever reads or describes values, with getKindSchema: takes the
 *   value as typed (string, or number and boolean from YAML) and gives the value in the plan's unit; its output side describes
 *   what stands in the plan
 * @property {string} allowed - the sentence of a refusal, after the flag and its value
 * @property {string} [note] - what --help says once of all options of this kind
 * @property {boolean} [flag] - given without a value
 * @property {readonly string[]} [choices] - all values there are, for a shell to complete
 * @property {(value: unknown, z: Zod) => { value: unknown } | { allowed: string } | { refused: { value: string, allowed: string }[] }} [read] -
 *   reads the value, or says what is wrong with it where one sentence does not do for all: `refused` with each place in a file
 * @property {(value: unknown) => string | undefined} [why] - says of some values that are not allowed why they are not; undefined: `allowed` does
 * @property {(value: unknown) => { value: unknown } | { allowed: string }} [item] - of an option that can be given several
 *   times: reads one of its values, or says what is wrong with it; `schema` is then that of the list
 * @property {string} [between] - what stands between several of them in one value
 */

/**
 * The longest time Node's timers can wait, 2^31 − 1 ms, is a little under 25 days.
 */
const LONGEST_MS = ms('24d')

/** @param {unknown} value */
const text = value =>
  typeof value === 'number' ? String(value) : typeof value === 'string' ? value.trim() : ''

/** @param {unknown} value */
const wholeText = value => (/^\d+$/.test(text(value)) ? Number(text(value)) : Number.NaN)

/**
 * wholeNumber takes a count.
 *
 * @param {number} min
 * @param {number} max
 * @returns {OptionValueKind}
 */
export const wholeNumber = (min, max) => ({
  allowed: `must be a whole number from ${formatWhole(min)} to ${formatWhole(max)}`,
  schema: z => z.preprocess(wholeText, z.int().min(min).max(max))
})

/** portOrAny takes a port, or nothing for any that is free. @returns {OptionValueKind} 0: any */
export const portOrAny = () => ({
  allowed: 'must be a port from 0 to 65,535, or nothing for any that is free',
  schema: z =>
    z.preprocess(value => (value === '' || value === true ? 0 : wholeText(value)), z.int().min(0).max(65_535))
})

/** folderOrLatest takes a folder of a study, or nothing for the one that was made last. @returns {OptionValueKind} `true`: the latest */
export const folderOrLatest = () => ({
  allowed: 'must name the folder to continue in, or nothing for the latest one',
  schema: z =>
    z.preprocess(value => (value === '' ? true : value), z.union([z.literal(true), z.string().min(1)]))
})

/**
 * milliseconds reads a time.
 *
 * @param {string} string
 * @returns {number} ms, NaN for what is no time with a unit; 0 needs none
 */
export function milliseconds(string) {
  if (string === '0') return 0
  if (!/^\d*\.?\d+ ?[a-z]+$/i.test(string)) return Number.NaN
  return ms(/** @type {import('ms').StringValue} */ (string)) ?? Number.NaN
}

/**
 * duration takes a time with its unit and gives ms. A bare number is refused: seconds and milliseconds are too easily
 * taken for one another.
 *
 * @param {{ min?: string, max?: string }} [range]
 * @returns {OptionValueKind}
 */
export function duration({ min = '0', max = '24d' } = {}) {
  const [minMs, maxMs] = [milliseconds(min), Math.min(milliseconds(max), LONGEST_MS)]
  return {
    allowed: `must be a time with its unit from ${min} to ${max}, such as 500ms, 10s or 2h`,
    schema: z => z.preprocess(value => milliseconds(text(value)), z.number().min(minMs).max(maxMs))
  }
}

/**
 * seconds takes a time with its unit and gives whole seconds, as the rendezvous protocol counts them.
 *
 * @param {{ min: string, max: string }} range
 * @returns {OptionValueKind}
 */
export function seconds(range) {
  const [minSeconds, maxSeconds] = [milliseconds(range.min), milliseconds(range.max)].map(time => time / 1000)
  return {
    allowed: `must be a time of whole seconds with its unit from ${range.min} to ${range.max}, such as 90s or 2h`,
    schema: z =>
      z.preprocess(value => milliseconds(text(value)) / 1000, z.int().min(minSeconds).max(maxSeconds))
  }
}

const UNIT_SECONDS = new Map(
  Object.entries({ s: 1, sec: 1, second: 1, min: 60, minute: 60, h: 3600, hour: 3600 })
)

/**
 * perSecond reads a rate.
 *
 * @param {string} string - `500`, `500/s`, `30000/min`
 * @returns {number} NaN for what is no rate
 */
export function perSecond(string) {
  const [, number, unit = 's'] = /^(\d*\.?\d+(?:e\d+)?)(?: ?\/ ?([a-z]+))?$/i.exec(string) ?? []
  return Number(number) / (UNIT_SECONDS.get(unit.toLowerCase()) ?? Number.NaN)
}

/**
 * rate takes `500`, `500/s`, `30000/min` or `1e6/h` and gives a rate per second.
 *
 * @param {{ zero?: boolean, max: number }} range - `zero`: 0 is allowed too
 * @returns {OptionValueKind}
 */
export const rate = ({ zero = false, max }) => ({
  allowed: `must be a rate ${zero ? 'from 0' : 'above 0 and'} up to ${formatWhole(max)}/s, such as 500, 500/s or 30000/min`,
  schema: z =>
    z.preprocess(
      value => perSecond(text(value)),
      zero ? z.number().min(0).max(max) : z.number().positive().max(max)
    )
})

/**
 * choice takes one of some words.
 *
 * @param {readonly string[]} words
 * @param {{ anyCase?: boolean }} [how]
 * @returns {OptionValueKind}
 */
export const choice = (words, { anyCase = false } = {}) => ({
  choices: words,
  allowed: `must be ${words.join(', ').replace(/, (?=[^,]*$)/, ' or ')}`,
  schema: z =>
    z.preprocess(
      value =>
        words.find(
          word => word === text(value) || (anyCase && word.toLowerCase() === text(value).toLowerCase())
        ),
      z.enum(words)
    )
})

/**
 * yesOrNo takes a flag without a value, and true or false.
 *
 * @returns {OptionValueKind}
 */
export const yesOrNo = () => ({
  flag: true,
  allowed: 'must be true or false',
  schema: z =>
    z.preprocess(value => YES_OR_NO[/** @type {keyof typeof YES_OR_NO} */ (value)] ?? value, z.boolean())
})

/** What yesOrNo takes where its name alone cannot stand. */
const YES_OR_NO = { true: true, false: false, on: true, off: false }

/**
 * onOrOff takes on and off, and true and false of YAML.
 *
 * @returns {OptionValueKind & { write: (value: boolean) => string }}
 */
export const onOrOff = () => ({
  choices: ['on', 'off'],
  allowed: 'must be on or off',
  schema: z =>
    z.preprocess(value => (text(value) === 'on' ? true : text(value) === 'off' ? false : value), z.boolean()),
  write: value => (value ? 'on' : 'off')
})

/**
 * numberBetween takes a number, parts included.
 *
 * @param {number} min
 * @param {number} max
 * @returns {OptionValueKind}
 */
export const numberBetween = (min, max) => ({
  allowed: `must be a number from ${formatWhole(min)} to ${formatWhole(max)}`,
  schema: z => z.preprocess(value => parseDecimal(text(value)), z.number().min(min).max(max))
})

/** SIZE_NOTE says in --help how sizes are typed. */
export const SIZE_NOTE =
  'Sizes: a plain number is bytes; 1kB is 1,000 bytes, 1KiB is 1,024, and so on with MB, MiB, GB, GiB, TB and TiB.'

/**
 * size takes an amount of bytes, with or without a unit.
 *
 * @param {{ min: string, max: string }} range
 * @returns {OptionValueKind & { write: (bytes: number) => string }}
 */
export const size = ({ min, max }) => ({
  note: SIZE_NOTE,
  allowed: `must be a size from ${min} to ${max}, in bytes or with its unit: kB, MB, GB, TB, KiB, MiB, GiB or TiB`,
  schema: z =>
    z.preprocess(value => parseBytes(text(value)), z.int().min(parseBytes(min)).max(parseBytes(max))),
  write: formatSize
})

/**
 * cores takes a number of processor cores, parts of one included.
 *
 * @param {{ min: number, max: number }} range
 * @returns {OptionValueKind}
 */
export const cores = ({ min, max }) => ({
  ...numberBetween(min, max),
  allowed: `must be a number of cores from ${min} to ${formatWhole(max)}, such as 0.5 or 2`
})

/**
 * containerName takes what a container may be called by: its name, or its id.
 *
 * @returns {OptionValueKind}
 */
export const containerName = () => ({
  allowed: 'must be the name or the id of a container',
  schema: z =>
    z
      .string()
      .trim()
      .regex(/^[a-zA-Z0-9][a-zA-Z0-9_.-]*$/)
})

/**
 * imageName takes the name of a container image, with or without registry and tag.
 *
 * @returns {OptionValueKind}
 */
export const imageName = () => ({
  allowed: 'must be the name of an image, such as node:22-slim',
  schema: z =>
    z
      .string()
      .trim()
      .regex(/^[a-z0-9][\w.-]*(:\d+)?(\/[\w.-]+)*(:[\w.-]+)?(@sha256:[0-9a-f]{64})?$/)
})

/**
 * path takes the name of a file or folder.
 *
 * @param {readonly string[]} [endings] - it has one of these; default: whatever it likes
 * @returns {OptionValueKind}
 */
export const path = (endings = ['']) => ({
  allowed: `must name a path${endings.length > 1 ? ` that ends in ${endings.join(', ')}` : ''}`,
  schema: z =>
    z
      .string()
      .trim()
      .min(1)
      .refine(name => endings.some(ending => name.endsWith(ending)))
})

/**
 * @typedef {object} Range - both ends belong to it
 * @property {number} min
 * @property {number} max
 */

/** @param {unknown} value @param {(end: string) => number} read @returns {Range | undefined} */
function rangeOf(value, read) {
  if (value !== null && typeof value === 'object') {
    const { min, max, ...others } = /** @type {Record<string, unknown>} */ (value)
    if (Object.keys(others).length > 0) return undefined
    return { min: read(String(min)), max: read(String(max)) }
  }
  const [min, max = min, ...more] = String(value).trim().split(/ ?- ?/)
  return more.length === 0 ? { min: read(min), max: read(max) } : undefined
}

/**
 * @param {(end: string) => number} read
 * @param {{ least: number, most: number }} limits
 */
const rangeSchema =
  (read, { least, most }) =>
  /** @param {Zod} z */
  z =>
    z.preprocess(
      value => rangeOf(value, read),
      z.object({ min: z.number().min(least), max: z.number().max(most) }).refine(({ min, max }) => min <= max)
    )

/**
 * byteRange takes a size, or a range of sizes.
 *
 * @param {{ least: number, most: number, why?: (most: number) => string | undefined }} limits - `why`: says which limit a size is above
 * @returns {OptionValueKind & { write: (range: Range) => string }}
 */
export const byteRange = ({ why = () => undefined, ...limits }) => ({
  note: SIZE_NOTE,
  why: value => why(rangeOf(value, parseBytes)?.max ?? 0),
  allowed: `must be a size from ${limits.least} to ${limits.most} bytes, such as 1000, 64kB or 1MiB, or a range such as 8KiB-16KiB`,
  schema: rangeSchema(end => (Number.isInteger(parseBytes(end)) ? parseBytes(end) : Number.NaN), limits),
  write: ({ min, max }) => (min === max ? String(min) : `${min}-${max}`)
})

/**
 * timeRange takes a time, or a range of times, each with its unit.
 *
 * @param {{ least: number, most: number }} limits - ms
 * @returns {OptionValueKind & { write: (range: Range) => string }}
 */
export const timeRange = limits => ({
  allowed: `must be a time with its unit from ${limits.least}ms to ${limits.most}ms, or a range such as 100ms-300ms`,
  schema: rangeSchema(milliseconds, limits),
  write: ({ min, max }) => (min === max ? `${min}ms` : `${min}ms-${max}ms`)
})

/**
 * parseShares reads shares by name and scales them to a sum of 1; a name left out has share 0, or is left out if it may be.
 *
 * @param {unknown} value - `register=1,discover=8,unregister=1`, or the same as an object
 * @param {readonly string[]} names - there are
 * @param {readonly string[]} more - there are, that may be left out
 * @returns {Record<string, number> | undefined} undefined: unknown or repeated names, shares that are negative or no numbers, or
 *   nothing above 0
 */
function parseShares(value, names, more) {
  const pairs =
    value !== null && typeof value === 'object'
      ? Object.entries(value)
      : parts(value).map(part => part.split(/ ?= ?/))
  const entries = pairs.map(([name, share]) => ({
    name: name.toLowerCase(),
    share: /^\d*\.?\d+$/.test(String(share)) ? Number(share) : Number.NaN
  }))
  const total = entries.reduce((sum, { share }) => sum + share, 0)
  const known = entries.every(({ name }) => names.includes(name) || more.includes(name))
  const once = new Set(entries.map(({ name }) => name)).size === entries.length
  if (!known || !once || !(total > 0)) return undefined
  const none = Object.fromEntries(names.map(name => [name, 0]))
  const nonZero = entries.filter(({ name, share }) => share > 0 || names.includes(name))
  return { ...none, ...Object.fromEntries(nonZero.map(({ name, share }) => [name, share / total])) }
}

/**
 * shares takes shares by name.
 *
 * @param {readonly string[]} names
 * @param {string} example
 * @param {readonly string[]} [more] - names that are in the value only where their share is above 0
 * @returns {OptionValueKind}
 */
export const shares = (names, example, more = []) => ({
  allowed: `must give shares of at least 0, not all 0, such as ${example}`,
  schema: z =>
    z.preprocess(
      value => parseShares(value, names, more),
      z.object({
        ...Object.fromEntries(names.map(name => [name, z.number()])),
        ...Object.fromEntries(more.map(name => [name, z.number().optional()]))
      })
    )
})

/** @param {unknown} value */
const parts = value =>
  (Array.isArray(value) ? value : String(value).split(',')).map(part => String(part).trim())

/**
 * numberList takes numbers with commas between them, and gives them in ascending order.
 *
 * @param {OptionValueKind} each - number
 * @param {string} allowed
 * @returns {OptionValueKind}
 */
export const numberList = (each, allowed) => ({
  allowed,
  schema: (z, addresses) =>
    z.preprocess(
      value => [...new Set(parts(value))].map(part => each.schema(z, addresses).safeParse(part).data),
      z
        .array(z.number())
        .min(1)
        .transform(numbers => numbers.toSorted((a, b) => a - b))
    )
})

/**
 * targetAddress is the kind of --target.
 *
 * @returns {OptionValueKind}
 */
export const targetAddress = () => ({
  allowed: `must be the TCP address of one peer with its id, ${PEER_EXAMPLE}`,
  why: whyNoTarget,
  schema: (z, { isTcpPeerAddress }) => z.string().trim().refine(isTcpPeerAddress)
})

/**
 * targetAddresses is the kind of --targets.
 *
 * @returns {OptionValueKind & { write: (addresses: readonly string[]) => string }}
 */
export const targetAddresses = () => ({
  allowed:
    'must be the TCP addresses of two peers or more, each with its id and each once, with commas between them, such as /ip4/192.168.1.5/tcp/8000/p2p/12D3KooW…,/ip4/192.168.1.6/tcp/8000/p2p/12D3KooX…',
  why: value =>
    parts(value)
      .map(whyNoTarget)
      .find(reason => reason !== undefined),
  write: addresses => addresses.join(','),
  schema: (z, { isTcpPeerAddress }) =>
    z.preprocess(
      parts,
      z
        .array(z.string().refine(isTcpPeerAddress))
        .min(2)
        .refine(addresses => new Set(addresses).size === addresses.length)
    )
})

/** PEER_EXAMPLE is the address of a server. */
const PEER_EXAMPLE = 'such as /ip4/192.168.1.5/tcp/8000/p2p/12D3KooW…'

/** Parts of addresses that nothing here speaks, by what is said of them. What stands on another one comes before it. */
const NOT_SPOKEN = Object.entries({
  'p2p-circuit': 'Relays are not supported',
  webtransport: 'WebTransport is not supported',
  'webrtc-direct': 'WebRTC is not supported',
  webrtc: 'WebRTC is not supported',
  wss: 'WebSocket is not supported',
  ws: 'WebSocket is not supported',
  'quic-v1': 'QUIC is not supported',
  quic: 'QUIC is not supported',
  udp: 'UDP is not supported',
  unix: 'Unix sockets are not supported',
  dnsaddr: 'Names of other multiaddrs (dnsaddr) are not resolved'
})

/**
 * notSpoken says what there is in an address that is not spoken.
 *
 * @param {unknown} address - as typed
 * @returns {string | undefined} undefined: nothing
 */
export function notSpoken(address) {
  const parts = String(address).trim().split('/')
  const [, reason] = parts[0] === '' ? (NOT_SPOKEN.find(([part]) => parts.includes(part)) ?? []) : []
  return reason
}

/**
 * whyNoTarget says of an address that is none of a server's why it is not.
 *
 * @param {unknown} address - as typed
 * @returns {string | undefined} undefined: there is nothing special about it
 */
export function whyNoTarget(address) {
  const reason = notSpoken(address)
  return reason && `${reason}: give the server's TCP address with its id, ${PEER_EXAMPLE}`
}
