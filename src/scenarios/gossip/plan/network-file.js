// Parser and schema of a network file (--networkFile, YAML or JSON): zones, node classes, topics and a script of events
// in a gossip network.
import { createRequire } from 'node:module'
import { dirname, resolve } from 'node:path'
import { computeSum } from '../../../kit/collections.js'
import { describeReadError, isMapping, readTextSync } from '../../../kit/files.js'
import { parsePercentage } from '../../../kit/numbers.js'
import { describeUnknownKey, findNearWord } from '../../../kit/option-problems.js'
import { expandTopics } from '../../../load/network-script.js'
import { LatencyMatrixError, parseLatencyMatrix } from '../../../network/latency-matrix.js'
import { getKindSchema } from '../../../plan/schema.js'
import { byteRange, duration, milliseconds, rate, size, wholeNumber } from '../../../plan/values.js'
import { makeBandwidthKind, makeJitterKind, makeLossKind } from '../../network-options.js'
import { findTopicParamProblems, parseGossipsub, parseTopicScore } from '../gossipsub.js'
import { MAX_TOPICS } from '../topics.js'

/**
 * @typedef {import('../../../load/network-script.js').Selector} Selector
 * @typedef {import('../../../network/link-properties.js').JitterSpec} JitterSpec
 * @typedef {import('../../../plan/values.js').Range} Range
 * @typedef {import('../../../plan/values.js').Zod} Zod
 * @typedef {import('../../../plan/values.js').OptionValueKind} OptionValueKind
 *
 * @typedef {object} NetworkFile - the content of `--networkFile`, validated, in the units of the names. A plan holds all of it, and
 *   can run without the file
 * @property {string} path
 * @property {Zones | null} zones - null: nodes are in no zones
 * @property {readonly NodeClass[]} classes - empty: all nodes are alike
 * @property {readonly TopicSpec[] | null} topics - null: flags give them
 * @property {Readonly<Record<string, unknown>>} gossipsub - by the library's names; they are in `plan.gossipsub` too
 * @property {readonly ScriptStep[]} script - ascending by time
 * @property {readonly { class?: string, zone?: string }[] | null} placement - by node; null: by shares and the seed
 *
 * @typedef {object} Zones
 * @property {readonly string[]} names
 * @property {readonly (readonly number[])[]} latencyMs - one way, from the zone of the row to that of the column
 * @property {readonly (readonly JitterSpec[])[] | null} jitter - from zone to zone; null: that of --linkJitter
 * @property {readonly (readonly number[])[] | null} lossShare - from zone to zone; null: that of --linkLoss
 * @property {readonly number[] | null} shares - of the nodes, for classes without shares of their own; null: equal shares
 *
 * @typedef {object} NodeClass
 * @property {string} name
 * @property {number} share - of the nodes; those of all classes add up to 1
 * @property {number | null} upBytesPerSecond - null: that of --upBandwidth
 * @property {number | null} downBytesPerSecond
 * @property {readonly number[] | null} zones - shares, by zone
 * @property {Readonly<{ minMs: number, maxMs: number }> | null} validation - how long the application takes, drawn for each message
 * @property {'any' | 'outbound'} dial - outbound: it accepts no connections
 *
 * @typedef {object} TopicSpec
 * @property {string} name
 * @property {number} count - above 1 they are `name.0`, `name.1` …, each as the others
 * @property {Range} messageBytes
 * @property {number | null} ratePerSecond - of each; null: only the script publishes on it
 * @property {Selector | null} publishers - a random one of these for each message; null: of its subscribers
 * @property {Selector | null} subscribers - null: all nodes
 * @property {Readonly<Record<string, number | boolean>> | null} score - by the library's names
 *
 * @typedef {object} ScriptStep - an action of some nodes at one time
 * @property {number} atMs - since publishing began
 * @property {Selector} who
 * @property {'publish' | 'subscribe' | 'unsubscribe' | 'leave' | 'partition'} action
 * @property {string} [topic] - of the first three
 * @property {number} [bytes] - of publish: each of the nodes publishes one message of this size
 * @property {number} [forMs] - the action is undone after it; absent: it is not undone
 *
 * @typedef {import('../gossipsub.js').FileProblem} FileProblem
 */

const require = createRequire(import.meta.url)

/** Message size of a topic without one: the default of --messageBytes. */
const DEFAULT_BYTES = { min: 1000, max: 1000 }
const MAX_CLASSES = 50
const MAX_ZONES = 100
const MAX_STEPS = 100_000
const ACTIONS = /** @type {const} */ (['publish', 'subscribe', 'unsubscribe', 'leave', 'partition'])
const TIME_OF_RUN = duration({ max: '24h' })
const NAME = 'must be a name without blanks, commas and %, and not all'
const PERCENTAGE = 'must be a percentage above 0% and up to 100%, such as 20%'
const SHARES = 'must give percentages by name that add up to 100%, such as { eu: 60%, us: 40% }'

/** @param {unknown} value @param {number} [above] @returns {number | undefined} undefined: it is no percentage above this, up to 100 % */
function parseShare(value, above = 0) {
  const share = parsePercentage(String(value))
  return share > above && share <= 1 ? share : undefined
}

/** @param {unknown} value - `2ms..8ms`, or one time @returns {{ minMs: number, maxMs: number } | undefined} */
function parseTimeRange(value) {
  const [minMs, maxMs = minMs, ...more] = String(value)
    .split('..')
    .map(each => milliseconds(each.trim()))
  return more.length === 0 && minMs >= 0 && minMs <= maxMs && maxMs <= 60_000 ? { minMs, maxMs } : undefined
}

/** @param {Zod} z */
const paramsShape = z =>
  z.record(z.string(), z.unknown(), 'must be parameters by name, such as { D: 8, heartbeat: 700ms }')

/**
 * makeNetworkFileSchema makes the schema of the file. Each scalar is read, and refused, as the option of the same meaning.
 *
 * @param {Zod} z
 * @param {{ gossipsub: import('zod').ZodType, score: import('zod').ZodType }} [params] - schemas of gossipsub's parameters; default: any
 *   value, as parseGossipsub reads them and has better error texts
 */
export function makeNetworkFileSchema(z, params = { gossipsub: paramsShape(z), score: paramsShape(z) }) {
  /**
   * @template T
   * @param {(value: unknown) => T | undefined} read - undefined: not allowed
   * @param {string} allowed
   * @param {object} [type] - of JSON Schema
   */
  const scalar = (read, allowed, type = { type: ['string', 'number'] }) =>
    z
      .unknown()
      .transform((value, context) => {
        const result = read(value)
        if (result !== undefined) return result
        context.addIssue({
          code: 'custom',
          message: value === undefined ? `is missing: ${allowed}` : allowed
        })
        return z.NEVER
      })
      .meta({ ...type, description: allowed })
  /** @param {Pick<OptionValueKind, 'schema' | 'allowed'>} kind */
  const like = kind =>
    scalar(value => /** @type {any} */ (getKindSchema(kind).safeParse(value).data), kind.allowed)
  /** @param {import('zod').ZodRawShape} shape @param {string} example */
  const mapping = (shape, example) =>
    z.strictObject(shape, {
      error: issue =>
        // problemsOf makes a message for each of these keys
        issue.code === 'unrecognized_keys'
          ? Object.keys(shape).join(' ')
          : `must be a mapping such as ${example}`
    })
  const text = z.string({ error: 'must be a name' }).regex(/^(?!all$)[^\s,;"%]+$/, NAME)
  const name = z.preprocess(value => (typeof value === 'number' ? String(value) : value), text)
  /** @param {import('zod').ZodType} value @param {string} allowed */
  const byName = (value, allowed) =>
    z.record(name, value, { error: ({ code }) => (code === 'invalid_key' ? NAME : allowed) })
  const share = scalar(parseShare, PERCENTAGE)
  const shares = byName(
    scalar(
      value => (parsePercentage(String(value)) <= 1 ? parsePercentage(String(value)) : undefined),
      PERCENTAGE
    ),
    SHARES
  )
  const node = z.int('must be the number of a node, or a list of them').min(0).max(65_535)
  const nodes = z.preprocess(value => (Array.isArray(value) ? value : [value]), z.array(node).min(1))
  const who = {
    node: nodes.optional(),
    class: name.optional(),
    zone: name.optional(),
    share: share.optional(),
    count: z.int('must be a number of nodes').min(1).optional()
  }
  /** A word is short for a mapping with this key alone. @param {string} key @param {import('zod').ZodType} whole */
  const orWord = (key, whole) =>
    z
      .preprocess(
        value => (['string', 'number'].includes(typeof value) ? { [key]: String(value) } : value),
        whole
      )
      .meta({ type: ['string', 'object'] })
  const selector = orWord(
    'any',
    mapping({ any: z.string().optional(), ...who }, '{ class: server, share: 10% }')
  )
  const table = z.unknown().meta({
    type: ['string', 'number', 'array', 'object'],
    description: 'one value for all, rows, or values by name: { eu: { eu: 5ms, us: 45ms }, us: { … } }'
  })
  const zones = mapping(
    {
      file: z.string('must be the path of a table').optional(),
      names: z.array(name, 'must be a list of names').max(MAX_ZONES).optional(),
      latency: table.optional(),
      roundTrip: z.boolean('must be true or false').default(false),
      jitter: table.optional(),
      loss: table.optional(),
      shares: shares.optional()
    },
    '{ file: zones.csv, roundTrip: true }'
  )
  const classes = byName(
    mapping(
      {
        share,
        up: like(makeBandwidthKind()).optional(),
        down: like(makeBandwidthKind()).optional(),
        zones: shares.optional(),
        validation: scalar(
          parseTimeRange,
          'must be a time or a range of times up to 1m, such as 1ms or 2ms..8ms'
        ).optional(),
        dial: z.enum(['any', 'outbound'], 'must be any or outbound').default('any')
      },
      '{ share: 20%, up: 1Gbit/s, down: 1Gbit/s }'
    ),
    'must be classes by name, such as home: { share: 80%, up: 50Mbit/s, down: 100Mbit/s }'
  )
  const topics = byName(
    mapping(
      {
        count: like(wholeNumber(1, MAX_TOPICS)).optional(),
        // parameters of gossipsub can limit it further: rules of the plan check that
        messageBytes: like(byteRange({ least: 8, most: 1e9 })).optional(),
        rate: like(rate({ max: 1_000_000 })).optional(),
        publishers: selector.optional(),
        subscribers: selector.optional(),
        params: z.unknown().optional(),
        score: params.score.optional()
      },
      '{ messageBytes: 1MiB, rate: 5/min, publishers: server }'
    ),
    'must be topics by name, such as blocks: { messageBytes: 1MiB, rate: 5/min }'
  )
  const step = mapping(
    {
      at: like(TIME_OF_RUN),
      ...who,
      publish: orWord(
        'topic',
        mapping(
          { topic: name, bytes: like(size({ min: '8', max: '1GB' })).optional() },
          '{ topic: blocks, bytes: 1MiB }'
        )
      ).optional(),
      subscribe: name.optional(),
      unsubscribe: name.optional(),
      leave: scalar(
        value => (value === true ? true : getKindSchema(TIME_OF_RUN).safeParse(value).data),
        'must be a time such as 10s, or true: for good',
        { type: ['string', 'boolean'] }
      ).optional(),
      partition: like(TIME_OF_RUN).optional(),
      for: like(TIME_OF_RUN).optional()
    },
    '{ at: 2s, node: 3, publish: { topic: blocks, bytes: 1MiB } }'
  )
  return mapping(
    {
      zones: zones.optional(),
      classes: classes.optional(),
      topics: topics.optional(),
      gossipsub: params.gossipsub.optional(),
      script: z
        .array(step, 'must be a list of steps such as { at: 2s, node: 3, publish: blocks }')
        .max(MAX_STEPS)
        .optional(),
      placement: z.string('must be the path of a table of nodes, such as the nodes.csv of a run').optional()
    },
    '{ classes: …, topics: … }'
  )
}

/** NetworkFileReader reads the file once, and collects all of its problems. */
class NetworkFileReader {
  /** @type {FileProblem[]} */
  problems = []
  #folder
  #readText

  /** @param {string} folder - that paths in the file are relative to @param {(path: string) => string} readText */
  constructor(folder, readText) {
    this.#folder = folder
    this.#readText = readText
  }

  /** @param {FileProblem['path']} path @param {string} message */
  refuse(path, message) {
    this.problems.push({ path, message })
  }

  /** @param {FileProblem['path']} path @param {string} file @returns {string | null} null: it cannot be read */
  text(path, file) {
    try {
      return this.#readText(resolve(this.#folder, file))
    } catch (error) {
      this.refuse(path, describeReadError(error))
      return null
    }
  }

  /**
   * sharesOf gives named shares in the order of the names.
   *
   * @param {FileProblem['path']} path
   * @param {Record<string, number> | undefined} shares
   * @param {readonly string[] | null} names
   * @param {string} what - the names are of
   * @returns {number[] | null}
   */
  sharesOf(path, shares, names, what) {
    if (shares === undefined || names === null) return null
    for (const name of Object.keys(shares)) this.known([...path, name], name, names, what)
    this.wholeOf(path, Object.values(shares))
    return names.map(name => shares[name] ?? 0)
  }

  /** wholeOf refuses shares that do not add up to 100 %. @param {FileProblem['path']} path @param {number[]} shares */
  wholeOf(path, shares) {
    const sum = computeSum(shares)
    if (Math.abs(sum - 1) > 1e-6)
      this.refuse(
        path,
        `has shares that add up to ${Number((sum * 100).toPrecision(6))}%: they must add up to 100%`
      )
  }

  /** known refuses a name that the file does not define. @param {FileProblem['path']} path @param {string} name @param {readonly string[] | null} names - null: they were refused themselves @param {string} what */
  known(path, name, names, what) {
    if (names === null || names.includes(name)) return
    if (names.length === 0) return this.refuse(path, `names ${what} ${name}, but the file has none`)
    const near = findNearWord(name, names)
    const some = names.length > 8 ? `${names.slice(0, 8).join(', ')} …` : names.join(', ')
    const hint = near === null ? `: must be one of ${some}` : `; did you mean ${near}?`
    this.refuse(path, `names ${what} ${name}, which does not exist${hint}`)
  }

  /**
   * table reads values from zone to zone: rows, a mapping by names, or one value for all.
   *
   * @template T
   * @param {FileProblem['path']} path
   * @param {unknown} value
   * @param {readonly string[]} names
   * @param {Pick<OptionValueKind, 'schema' | 'allowed'>} kind
   * @returns {T[][] | null} null: there is none, or it is refused
   */
  table(path, value, names, kind) {
    if (value === undefined) return null
    /** @param {FileProblem['path']} at @param {unknown} each @param {string} where */
    const cell = (at, each, where) => {
      const { success, data } = getKindSchema(kind).safeParse(each)
      if (!success) this.refuse(at, each == null ? `has no value ${where}` : `${where} ${kind.allowed}`)
      return /** @type {T} */ (data)
    }
    if (value === null || typeof value !== 'object') {
      const all = cell(path, value, '')
      return names.map(() => names.map(() => all))
    }
    /** @param {(from: string | number, to: string | number) => unknown} read @param {(index: number) => string | number} keyOf */
    const cells = (read, keyOf) =>
      names.map((from, row) =>
        names.map((to, column) => {
          const [one, other] = [keyOf(row), keyOf(column)]
          const where = `in row ${row + 1} (${from}), column ${column + 1} (${to})`
          return cell([...path, one, other], read(one, other), where)
        })
      )
    if (Array.isArray(value)) {
      if (value.length !== names.length)
        this.refuse(path, `has ${value.length} rows, and there are ${names.length} zones`)
      return cells((row, column) => value[Number(row)]?.[column], Number)
    }
    const byName = /** @type {Record<string, Record<string, unknown> | null>} */ (value)
    for (const [from, ofRow] of Object.entries(byName))
      for (const to of [from, ...Object.keys(ofRow ?? {})])
        this.known(to === from ? [...path, from] : [...path, from, to], to, names, 'zone')
    return cells(
      (from, to) => byName[from]?.[to],
      index => names[index]
    )
  }
}

/** A bare number is in ms, as in published tables of latencies. */
const LATENCY = {
  allowed: 'must be a latency from 0 to 10s, such as 45ms; a number is ms',
  /** @param {Zod} z */
  schema: z =>
    z.preprocess(
      value => (typeof value === 'number' ? value : milliseconds(String(value ?? '').trim())),
      z.number().min(0).max(10_000)
    )
}

/**
 * @param {Record<string, any>} values
 * @param {NetworkFileReader} reading
 * @returns {Zones | null}
 */
function zonesOf(values, reading) {
  const { file, latency, roundTrip } = values
  if ((file === undefined) === (latency === undefined)) {
    reading.refuse(['zones'], 'must have either file, the path of a table, or latency, the table itself')
    return null
  }
  const table = file === undefined ? inlineTable(values, reading) : fileTable(file, reading)
  if (table === null) return null
  const { names } = table
  return {
    names,
    latencyMs: table.ms.map(row => row.map(ms => (roundTrip ? ms / 2 : ms))),
    jitter: reading.table(['zones', 'jitter'], values.jitter, names, makeJitterKind()),
    lossShare: reading.table(['zones', 'loss'], values.loss, names, makeLossKind()),
    shares: reading.sharesOf(['zones', 'shares'], values.shares, names, 'zone') ?? table.weights ?? null
  }
}

/** @param {Record<string, any>} zones @param {NetworkFileReader} reading @returns {{ names: string[], ms: number[][], weights?: number[] } | null} */
function inlineTable({ latency, names: listed }, reading) {
  /** @type {string[]} */
  const names = listed ?? (latency !== null && typeof latency === 'object' ? Object.keys(latency) : [])
  if (names.length === 0 || names.length > MAX_ZONES || new Set(names).size < names.length) {
    reading.refuse(['zones', 'latency'], `must be a table of 1 to ${MAX_ZONES} zones with different names`)
    return null
  }
  const ms = /** @type {number[][] | null} */ (reading.table(['zones', 'latency'], latency, names, LATENCY))
  return ms && { names, ms }
}

/** @param {string} file @param {NetworkFileReader} reading */
function fileTable(file, reading) {
  const text = reading.text(['zones', 'file'], file)
  if (text === null) return null
  try {
    const { ms, names = ms.map((_, place) => String(place)), weights } = parseLatencyMatrix(text)
    if (names.length > MAX_ZONES)
      reading.refuse(['zones', 'file'], `${file} has more than ${MAX_ZONES} zones`)
    return { ms, names, weights }
  } catch (error) {
    if (!(error instanceof LatencyMatrixError)) throw error
    reading.refuse(['zones', 'file'], `${file} is no table of latencies: ${error.message}`)
    return null
  }
}

/** @param {Record<string, any>} selector @param {readonly string[] | null} zones @param {NetworkFileReader} reading @returns {NodeClass[]} */
function classesOf(selector, zones, reading) {
  const entries = Object.entries(selector)
  if (entries.length > MAX_CLASSES) reading.refuse(['classes'], `has more than ${MAX_CLASSES} classes`)
  if (entries.length > 0) {
    const shares = entries.map(([, { share }]) => share)
    reading.wholeOf(['classes'], shares)
    if (entries.every(([, { dial }]) => dial === 'outbound'))
      reading.refuse(['classes'], 'has no class that accepts connections: dial must be any in one of them')
  }
  return entries.map(([name, { share, up = null, down = null, zones: own, validation = null, dial }]) => ({
    ...{ name, share, upBytesPerSecond: up, downBytesPerSecond: down },
    zones: reading.sharesOf(['classes', name, 'zones'], own, zones, 'zone'),
    ...{ validation, dial }
  }))
}

/**
 * selectorOf reads a selection of nodes. A word is a class, a zone, a percentage, or all.
 *
 * @param {FileProblem['path']} path
 * @param {Record<string, any>} given
 * @param {{ classes: readonly string[] | null, zones: readonly string[] | null }} names - null: they were refused
 * @param {NetworkFileReader} reading
 * @returns {Selector}
 */
function selectorOf(path, { any, node, ...spec }, { classes, zones }, reading) {
  if (spec.class !== undefined) reading.known([...path, 'class'], spec.class, classes, 'class')
  if (spec.zone !== undefined) reading.known([...path, 'zone'], spec.zone, zones, 'zone')
  const { class: ofClass, zone, share, count } = spec
  const selector = {
    ...(node !== undefined && { nodes: [...new Set(node)].sort((a, b) => a - b) }),
    ...(ofClass !== undefined && { class: ofClass }),
    ...(zone !== undefined && { zone }),
    ...(share !== undefined && { share }),
    ...(count !== undefined && { count })
  }
  if (share !== undefined && count !== undefined)
    reading.refuse([...path, 'count'], 'says with share how many: give one of them')
  if (any === undefined || any === 'all') return selector
  const anyShare = parseShare(any)
  if (anyShare !== undefined) return { share: anyShare }
  if (classes?.includes(any) && zones?.includes(any))
    reading.refuse(path, `names ${any}, a class and a zone: must be { class: ${any} } or { zone: ${any} }`)
  if (zones?.includes(any)) return { zone: any }
  reading.known(path, any, classes && zones && [...classes, ...zones], 'class or zone')
  return { class: any }
}

/** @param {Record<string, any>} spec @param {Parameters<typeof selectorOf>[2]} names @param {NetworkFileReader} reading @returns {TopicSpec[]} */
function topicSpecs(spec, names, reading) {
  return Object.entries(spec).map(([name, each]) => {
    const { count = 1, messageBytes = DEFAULT_BYTES, publishers, subscribers, params, score } = each
    const path = ['topics', name]
    const selector = (/** @type {string} */ key, /** @type {any} */ value) =>
      value === undefined ? null : selectorOf([...path, key], value, names, reading)
    if (params !== undefined)
      withProblems(reading, [...path, 'params'], { problems: findTopicParamProblems(params) })
    return {
      name,
      count,
      messageBytes,
      ratePerSecond: each.rate ?? null,
      publishers: selector('publishers', publishers),
      subscribers: selector('subscribers', subscribers),
      score:
        score === undefined ? null : withProblems(reading, [...path, 'score'], parseTopicScore(score)).score
    }
  })
}

/** withProblems adds the problems of a part to those of the file. @template {{ problems: FileProblem[] }} T @param {NetworkFileReader} reading @param {FileProblem['path']} path @param {T} read @returns {T} */
function withProblems(reading, path, read) {
  for (const { path: within, message } of read.problems) reading.refuse([...path, ...within], message)
  return read
}

/**
 * @param {Record<string, any>[]} entries
 * @param {Parameters<typeof selectorOf>[2] & { topics: readonly string[] | null }} names
 * @param {NetworkFileReader} reading
 * @returns {ScriptStep[]}
 */
function scriptOf(entries, { topics, ...names }, reading) {
  const steps = entries.flatMap((step, i) => {
    const path = ['script', i]
    const actions = ACTIONS.filter(action => step[action] !== undefined)
    if (actions.length !== 1) {
      const many = actions.length === 0 ? '' : `, not ${actions.join(' and ')}`
      reading.refuse(path, `must have one of ${ACTIONS.join(', ')}${many}`)
      return []
    }
    const [action] = actions
    const { at, for: forMs } = step
    const who = selectorOf(path, step, names, reading)
    const topic = action === 'publish' ? step.publish.topic : step[action]
    const lasts = action === 'partition' || action === 'leave' ? step[action] : forMs
    const onTopic = ['publish', 'subscribe', 'unsubscribe'].includes(action)
    if (onTopic && topics !== null) reading.known([...path, action], topic, topics, 'topic')
    if (forMs !== undefined && !['subscribe', 'unsubscribe'].includes(action))
      reading.refuse([...path, 'for'], `does not apply to ${action}`)
    if (action === 'partition' && Object.keys(who).length === 0)
      reading.refuse(path, 'must say who is cut off from the rest: node, class, zone or share')
    return [
      {
        atMs: at,
        who,
        action,
        ...(onTopic && { topic }),
        ...(action === 'publish' && { bytes: step.publish.bytes ?? DEFAULT_BYTES.min }),
        ...(typeof lasts === 'number' && { forMs: lasts })
      }
    ]
  })
  return steps.toSorted((a, b) => a.atMs - b.atMs)
}

/**
 * readPlacement reads a table of nodes with the columns node, class and zone, such as the nodes.csv of a run.
 *
 * @param {string} file
 * @param {Parameters<typeof selectorOf>[2]} names
 * @param {NetworkFileReader} reading
 * @returns {NetworkFile['placement']}
 */
function readPlacement(file, { classes, zones }, reading) {
  if (classes === null || zones === null) return null
  const text = reading.text(['placement'], file)
  if (text === null) return null
  const [header = [], ...rows] = text
    .split(/\r\n|\r|\n/)
    .filter(line => line.trim() !== '')
    .map(line => line.split(',').map(cell => cell.trim().replace(/^"(.*)"$/, '$1')))
  const column = (/** @type {string} */ name) => header.findIndex(each => each.toLowerCase() === name)
  const [node, ofClass, zone] = ['node', 'class', 'zone'].map(column)
  if (node < 0 || (ofClass < 0 && zone < 0)) {
    reading.refuse(['placement'], `${file} must have the columns node and class or zone in its first line`)
    return null
  }
  /** @type {{ class?: string, zone?: string }[]} */
  const places = []
  for (const [i, cells] of rows.entries()) {
    const at = (/** @type {string} */ what) =>
      reading.refuse(['placement'], `${file}, line ${i + 2}: ${what}`)
    if (Number(cells[node]) !== i) at(`must be node ${i}: there is a line for each node, from 0`)
    if (classes.length > 0 && !classes.includes(cells[ofClass]))
      at(`"${cells[ofClass] ?? ''}" is no class of the file`)
    if (zones.length > 0 && !zones.includes(cells[zone])) at(`"${cells[zone] ?? ''}" is no zone of the file`)
    places.push({
      ...(classes.length > 0 && { class: cells[ofClass] }),
      ...(zones.length > 0 && { zone: cells[zone] })
    })
  }
  return places
}

/**
 * fromMapping makes a NetworkFile from the content of the file.
 *
 * @param {Record<string, any>} content - of the right shape
 * @param {{ path: string, reading: NetworkFileReader }} of
 * @returns {NetworkFile}
 */
function fromMapping(content, { path, reading }) {
  const zones = content.zones ? zonesOf(content.zones, reading) : null
  const zoneNames = content.zones === undefined ? [] : (zones?.names ?? null)
  const classes = classesOf(content.classes ?? {}, zoneNames, reading)
  const names = {
    classes: content.classes === null ? null : classes.map(({ name }) => name),
    zones: zoneNames
  }
  const topics = content.topics ? topicSpecs(content.topics, names, reading) : null
  const all = topics && expandTopics({ topics }).map(({ name }) => name)
  if (all !== null && (all.length === 0 || all.length > MAX_TOPICS))
    reading.refuse(['topics'], `must be 1 to ${MAX_TOPICS} topics, and are ${all.length}`)
  if (all !== null && new Set(all).size < all.length)
    reading.refuse(['topics'], 'has two topics of one name: one with a count gives name.0, name.1 …')
  return {
    path,
    zones,
    classes,
    topics,
    gossipsub: content.gossipsub
      ? withProblems(reading, ['gossipsub'], parseGossipsub(content.gossipsub)).gossipsub
      : {},
    script: scriptOf(content.script ?? [], { ...names, topics: all }, reading),
    placement: content.placement ? readPlacement(content.placement, names, reading) : null
  }
}

/**
 * parseNetworkFile reads a network from the text of a YAML or JSON file.
 *
 * @param {string} text
 * @param {string} path - of the file
 * @param {(path: string) => string} readText - of files that it names
 * @returns {{ value: NetworkFile } | { refused: { value: string, allowed: string }[] }} each with its line and column
 */
export function parseNetworkFile(text, path, readText) {
  const { parseDocument, LineCounter, isMap, isScalar } = /** @type {typeof import('yaml')} */ (
    require('yaml')
  )
  const { z } = /** @type {{ z: Zod }} */ (require('zod'))
  const lineCounter = new LineCounter()
  const document = parseDocument(text, { lineCounter })
  const at = (/** @type {number} */ offset) => {
    const { line, col } = lineCounter.linePos(offset)
    return `${path}:${line}:${col}`
  }
  if (document.errors.length > 0)
    return {
      refused: document.errors.map(({ pos, message }) => ({
        value: at(pos[0]),
        allowed: `is not valid YAML or JSON: ${message.split('\n')[0].replace(/ at line \d+.*$/, '')}`
      }))
    }
  /** @param {FileProblem['path']} keys @returns {number} of the key, or of what would hold it */
  const offsetOf = keys => {
    for (let length = keys.length; length > 0; length--) {
      const parent = length === 1 ? document.contents : document.getIn(keys.slice(0, length - 1), true)
      const key = keys[length - 1]
      const pair = isMap(parent)
        ? parent.items.find(each => isScalar(each.key) && String(each.key.value) === String(key))
        : undefined
      const node = pair?.key ?? document.getIn(keys.slice(0, length), true)
      const range = /** @type {{ range?: [number, number, number] } | undefined} */ (node)?.range
      if (range) return range[0]
    }
    return document.contents?.range?.[0] ?? 0
  }
  let content
  try {
    content = document.toJS()
  } catch {
    return { refused: [{ value: path, allowed: 'is not valid YAML or JSON: too many aliases' }] }
  }
  const { sections, problems } = sectionsOf(content, z)
  const reading = new NetworkFileReader(dirname(path), readText)
  reading.problems.push(...problems)
  const value = fromMapping(sections, { path, reading })
  const refused = reading.problems
    .map(problem => ({ ...problem, offset: offsetOf(problem.path) }))
    .sort((a, b) => a.offset - b.offset)
    .map(({ offset, path: keys, message }) => ({
      value: [at(offset), keys.join('.')].filter(Boolean).join(' '),
      allowed: message
    }))
  return refused.length > 0 ? { refused } : { value }
}

/**
 * sectionsOf checks the shape of each section by itself, so that sections of the right shape can be checked further.
 *
 * @param {unknown} value
 * @param {Zod} z
 * @returns {{ sections: Record<string, any>, problems: FileProblem[] }} `sections`: null where one has the wrong shape
 */
function sectionsOf(value, z) {
  const whole = makeNetworkFileSchema(z)
  const { error } = whole.safeParse(value, { reportInput: true })
  const problems = error?.issues.flatMap(problemsOf) ?? []
  const sections = Object.entries(isMapping(value) ? value : {}).flatMap(([key, section]) => {
    if (!Object.hasOwn(whole.shape, key)) return []
    const { data } = /** @type {import('zod').ZodType} */ (whole.shape[key]).safeParse(section)
    return [[key, data ?? null]]
  })
  return { sections: Object.fromEntries(sections), problems }
}

/** @param {import('zod').core.$ZodIssue} issue @returns {FileProblem[]} */
function problemsOf({ path, message, ...issue }) {
  const keys = /** @type {FileProblem['path']} */ (path)
  if (issue.code !== 'unrecognized_keys') return [{ path: keys, message }]
  return issue.keys.map(key => ({
    path: [...keys, key],
    message: describeUnknownKey({ [key]: null }, message.split(' ')) ?? ''
  }))
}

/**
 * networkFileKind is the kind of --networkFile. It reads the file, and a plan then holds all that its run needs.
 *
 * @param {(path: string) => string} [readText]
 * @returns {OptionValueKind & { write: (file: NetworkFile) => string }}
 */
export const networkFileKind = (readText = readTextSync) => ({
  allowed: 'must be the path of a YAML or JSON file',
  read: value => {
    if (typeof value !== 'string') return { allowed: 'must be the path of a YAML or JSON file' }
    try {
      return parseNetworkFile(readText(value), value, readText)
    } catch (error) {
      return { allowed: describeReadError(error) }
    }
  },
  schema: z => z.looseObject({ path: z.string() }),
  write: ({ path }) => path
})
